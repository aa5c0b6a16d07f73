// Sums over the active portfolios, for gauges. They are counted as turns change them, and what the clock changes is
// computed again only where it has: a scrape costs what is new since the last one, and nothing for a portfolio that
// waits for its start.
import { setImmediate } from 'node:timers/promises';
import { type ChildOrder, isUnsettled, isWorking } from '../../../core/order/child-order.ts';
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import { DueMinutes } from '../../../core/schedule/due-minutes.ts';
import type { RestingPortfolio, StateChange } from '../../../ports/observer.ts';
import type { AccountId, InstrumentName, PortfolioId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { UNSETTLED_STATES } from '../metric-values.ts';
import { addTo, type PortfolioShare, type ShareOptions, shareOf } from './portfolio-share.ts';

type UnsettledState = (typeof UNSETTLED_STATES)[number];

/** Of the portfolios at work, mirrors excluded. */
export interface Progress {
  /** Sums over legs of filled ÷ target and of scheduled ÷ target. */
  filled: number;
  scheduled: number;
  shortfallMax: number;
  /** Largest difference between two legs of a portfolio, of filled ÷ target. */
  imbalanceMax: number;
  /** How long the longest overdue portfolio is past its end or its cancel. */
  overdueMaxMs: number;
  /** When the oldest child of unknown outcome was intended. */
  undecidedSince: Instant | undefined;
  /** What hedge legs lack, by instrument. */
  readonly unhedged: Map<InstrumentName, number>;
}

/** Means over the legs of one portfolio. */
export interface OwnProgress {
  readonly state: PortfolioState;
  readonly filled: number;
  readonly scheduled: number;
}

interface AtWork {
  /** While it is at work. */
  state: PortfolioState | undefined;
  /** Until a turn changes the portfolio. */
  share: PortfolioShare | undefined;
}

/** Portfolios per batch, between two yields to the event loop: well under a millisecond's work. */
const COMPUTED_A_BATCH = 20;
const READ_A_BATCH = 2_000;

export class PortfolioTally {
  readonly portfolios = { pending: 0, active: 0, cancelling: 0 };
  readonly children: Record<UnsettledState, number> = {
    sending: 0,
    live: 0,
    unknown: 0,
    fills_missing: 0,
  };
  /** Of portfolios that are no mirrors. */
  legs = 0;
  /** How many active legs trade each instrument, by account. */
  readonly #traded = new Map<AccountId, Map<InstrumentName, number>>();
  /** Nothing has been due yet, filled or ordered: they add to the counts only. */
  readonly #waiting = new DueMinutes<PortfolioId, PortfolioState>();
  readonly #atWork = new Map<PortfolioId, AtWork>();
  readonly #share: () => ShareOptions;

  /** @param share as of which to sum up what a portfolio adds before its state leaves memory */
  constructor(share: () => ShareOptions) {
    this.#share = share;
  }

  /** The instruments that active legs trade, by account. */
  get traded(): ReadonlyMap<AccountId, ReadonlyMap<InstrumentName, number>> {
    return this.#traded;
  }

  changed({ before, after, resting, woken }: StateChange): void {
    if (before !== undefined) this.#count(before, -1);
    if (after !== undefined) this.#count(after, 1);
    if (before?.spec !== after?.spec) {
      if (before !== undefined) this.#countLegs(legsOf(before), -1);
      if (after !== undefined) this.#countLegs(legsOf(after), 1);
    }
    if (woken !== undefined) this.#countResting(woken, -1);
    if (resting !== undefined) this.#countResting(resting, 1);
    if (before !== undefined) this.#waiting.remove(before.spec.startAt, before.id);
    const id = before?.id ?? woken?.portfolio;
    if (after === undefined && resting === undefined) {
      if (id !== undefined) this.#atWork.delete(id);
    } else if (after === undefined) this.#rest(before);
    else if (after.spec.mirrorOf === undefined) this.#place(after);
  }

  /** Computes what has changed since the last call, and sums up. Yields to the event loop between batches. */
  async progress(options: ShareOptions): Promise<Progress> {
    const { now } = options;
    for (const [, state] of this.#waiting.takeBegun(now)) this.#work(state);
    const progress: Progress = {
      filled: 0,
      scheduled: 0,
      shortfallMax: 0,
      imbalanceMax: 0,
      overdueMaxMs: 0,
      undecidedSince: undefined,
      unhedged: new Map(),
    };
    let [computed, read] = [0, 0];
    for (const one of this.#atWork.values()) {
      const isOld = one.share === undefined || one.share.validUntil <= now;
      if (one.state !== undefined && isOld) {
        one.share = shareOf(one.state, options);
        computed += 1;
      }
      if (one.share !== undefined) addShare(progress, one.share, now);
      read += 1;
      if (computed < COMPUTED_A_BATCH && read < READ_A_BATCH) continue;
      [computed, read] = [0, 0];
      await setImmediate();
    }
    return progress;
  }

  /** The progress of the first of these portfolios, mirrors excluded, as of the last sums. */
  own(states: Iterable<PortfolioState>, max: number): readonly OwnProgress[] {
    const shown: OwnProgress[] = [];
    for (const state of states) {
      if (shown.length >= max) break;
      if (state.spec.mirrorOf !== undefined) continue;
      const { filled = 0, scheduled = 0 } = this.#atWork.get(state.id)?.share ?? {};
      const legs = state.legs.length;
      shown.push({ state, filled: filled / legs, scheduled: scheduled / legs });
    }
    return shown;
  }

  #count({ status, children }: PortfolioState, by: 1 | -1): void {
    if (status === 'filled' || status === 'cancelled') return;
    this.portfolios[status] += by;
    for (const child of children.values()) {
      const state = countedAs(child);
      if (state !== undefined) this.children[state] += by;
    }
  }

  #countResting(one: RestingPortfolio, by: 1 | -1): void {
    this.portfolios[one.status] += by;
    this.#countLegs(one, by);
  }

  #countLegs({ account, instruments }: Legs, by: 1 | -1): void {
    if (instruments.length === 0) return;
    this.legs += by * instruments.length;
    const known = this.#traded.get(account) ?? new Map<InstrumentName, number>();
    this.#traded.set(account, known);
    for (const instrument of instruments) {
      const legs = (known.get(instrument) ?? 0) + by;
      if (legs > 0) known.set(instrument, legs);
      else known.delete(instrument);
    }
    if (known.size === 0) this.#traded.delete(account);
  }

  /** What it adds to the sums does not change while it rests: its next slice is not due. */
  #rest(before: PortfolioState | undefined): void {
    const known = before && this.#atWork.get(before.id);
    if (known?.state === undefined) return;
    const { now, cancellingSince } = this.#share();
    known.share ??= shareOf(known.state, { now, cancellingSince });
    known.state = undefined;
  }

  #place(state: PortfolioState): void {
    if (state.status === 'pending' && state.children.size === 0) {
      this.#atWork.delete(state.id);
      this.#waiting.add(state.spec.startAt, state.id, state);
    } else this.#work(state);
  }

  #work(state: PortfolioState): void {
    const known = this.#atWork.get(state.id);
    if (known === undefined) {
      this.#atWork.set(state.id, { state, share: undefined });
      return;
    }
    known.state = state;
    known.share = undefined;
  }
}

type Legs = Pick<RestingPortfolio, 'account' | 'instruments'>;

/** None of a mirror. */
const legsOf = ({ spec }: PortfolioState): Legs => ({
  account: spec.accountId,
  instruments: spec.mirrorOf === undefined ? spec.legs.map(({ instrument }) => instrument) : [],
});

function countedAs(child: ChildOrder): UnsettledState | undefined {
  if (!isUnsettled(child)) return undefined;
  return isWorking(child) ? (child.state as 'sending' | 'live' | 'unknown') : 'fills_missing';
}

function addShare(progress: Progress, share: PortfolioShare, now: Instant): void {
  progress.filled += share.filled;
  progress.scheduled += share.scheduled;
  progress.shortfallMax = Math.max(progress.shortfallMax, share.shortfall);
  progress.imbalanceMax = Math.max(progress.imbalanceMax, share.imbalance);
  for (const [instrument, quantity] of share.unhedged)
    addTo(progress.unhedged, instrument, quantity);
  const { overdueFrom, undecidedSince: since } = share;
  if (overdueFrom !== undefined) {
    progress.overdueMaxMs = Math.max(progress.overdueMaxMs, now - overdueFrom);
  }
  if (since === undefined) return;
  if (progress.undecidedSince === undefined || since < progress.undecidedSince) {
    progress.undecidedSince = since;
  }
}

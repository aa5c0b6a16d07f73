// Records what a report on execution costs needs and the events do not have: each second the markets at work, the market
// of a leg at the submit, the start, each slice's decision and each fill, and markets at the instants that have to be
// exact. Only the owner of a portfolio records its moments and requests instants around its fills; a market is recorded
// by every process that works in it.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type {
  ExpectedCost,
  LegMoment,
  MarketInstant,
  MarketSecond,
} from '../../core/report/cost-rows.ts';
import { instantsOf } from '../../core/report/fill-measures.ts';
import { seenMarket } from '../../core/report/seen-market.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { CostRecord } from '../../ports/costs/cost-record.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { MarketUnanswered } from '../../ports/market-reads.ts';
import type { Observer } from '../../ports/observer.ts';
import { tradesSince } from '../../ports/trades-since.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import { minus, type Quantity } from '../../values/amounts.ts';
import { type AccountId, instrumentName, parseChildLabel } from '../../values/ids.ts';
import { type Instant, instant, later, MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import {
  type Counted,
  countedNow,
  KEPT_AFTER_MS,
  type MarketAtWork,
  MarketsAtWork,
} from './markets-at-work.ts';

export interface CostRecorderOptions {
  readonly clock: Clock;
  readonly venues: VenueDirectory;
  readonly ledger: Pick<Ledger, 'page'>;
  readonly record: CostRecord;
  readonly engine: {
    readonly turns: Pick<Engine['turns'], 'follow'>;
    readonly homes: Pick<Engine['homes'], 'isOwned'>;
  };
  readonly observer: Observer;
}

/** Expected costs by leg; absent for a leg without an estimate. */
export type ExpectedCosts = readonly (ExpectedCost | undefined)[];

/** Longer pauses between two rows leave the volume between them out. */
const VOLUME_GAP_MAX_MS = 2 * SECOND_MS;
/** Portfolios that ended in the last half hour before a start, at most. */
const ENDED_MAX = 1_000;

export class CostRecorder implements EngineComponent {
  readonly #options: CostRecorderOptions;
  readonly #markets: MarketsAtWork;
  #stopTimer: StopTimer = () => undefined;
  #unfollow = (): void => undefined;

  constructor(options: CostRecorderOptions) {
    this.#options = options;
    this.#markets = new MarketsAtWork(options.venues, () => options.clock.now());
  }

  start(): Promise<void> {
    const { engine, observer } = this.#options;
    this.#unfollow = engine.turns.follow((change) => this.#markets.change(change));
    this.#again();
    this.#followEnded().catch((error: unknown) =>
      observer.observe({ event: 'failed', where: 'costs', error }),
    );
    return Promise.resolve();
  }

  async drain(): Promise<void> {
    this.stop();
    await this.#options.record.flush();
  }

  stop(): void {
    this.#stopTimer();
    this.#unfollow();
    this.#markets.stop();
  }

  /** Also records what was expected, once it is known; the market is that of now. */
  async submitted(state: PortfolioState, expected: Promise<ExpectedCosts>): Promise<void> {
    const { engine, record, observer } = this.#options;
    if (!engine.homes.isOwned(state)) return;
    const seen = state.spec.legs.map((_, leg) => this.#moment(state, 1, leg));
    const costs = await expected.catch((error: unknown) => {
      // While a venue is away there is no estimate; its absence is reported elsewhere.
      if (!(error instanceof MarketUnanswered)) {
        observer.observe({ event: 'failed', where: 'costs', error, portfolio: state.id });
      }
      return [];
    });
    record.add({
      moments: seen.flatMap((one, leg) =>
        one === undefined ? [] : { ...one, expected: costs[leg] },
      ),
    });
  }

  committed({ state, events }: Pick<CommittedTurn, 'state' | 'events'>): void {
    const { engine, record } = this.#options;
    if (state.spec.mirrorOf !== undefined || !engine.homes.isOwned(state)) return;
    const moments: LegMoment[] = [];
    const first = state.version - events.length + 1;
    for (const [index, event] of events.entries()) {
      this.#needInstants(state, event);
      // The decision of a slice is that of its first child, unless it places none.
      if (event.kind === 'slice_started' && isPlaced(events, event.leg)) continue;
      for (const leg of legsSeen(state, event)) {
        const moment = this.#moment(state, first + index, leg);
        if (moment?.market !== undefined) moments.push(moment);
      }
    }
    if (moments.length > 0) record.add({ moments });
  }

  /** Around a fill, and at the end of a portfolio. */
  #needInstants({ spec }: PortfolioState, event: PortfolioEvent): void {
    const account = spec.accountId;
    if (event.kind === 'filled' || event.kind === 'cancelled') {
      const instruments = spec.legs.map(({ instrument }) => instrument);
      this.#markets.need({ account, instruments }, [instant(event.at)]);
    } else if (event.kind === 'fill_booked') {
      const leg = parseChildLabel(event.label)?.leg;
      const instrument = leg === undefined ? undefined : spec.legs[leg]?.instrument;
      if (instrument === undefined) return;
      this.#markets.need(
        { account, instruments: [instrument] },
        instantsOf(instant(event.tradedAt)),
      );
    }
  }

  #moment(state: PortfolioState, version: number, leg: number): LegMoment | undefined {
    const { clock, venues } = this.#options;
    const venue = venues.forAccount(state.spec.accountId);
    const instrument = state.spec.legs[leg]?.instrument;
    if (venue === undefined || instrument === undefined) return undefined;
    const quote = venue.quote(instrument);
    if (quote !== undefined) this.#markets.met({ venue, instrument }, quote);
    const market = quote && seenMarket(quote, clock.now());
    return { portfolio: state.id, version, leg, at: venue.venueNow(), market };
  }

  #again(): void {
    const { clock } = this.#options;
    const next = instant((Math.floor(clock.now() / SECOND_MS) + 1) * SECOND_MS);
    this.#stopTimer = clock.at(next, () => {
      this.#sample();
      this.#again();
    });
  }

  #sample(): void {
    const { clock, record, observer } = this.#options;
    const now = clock.now();
    const seconds: MarketSecond[] = [];
    const instants: MarketInstant[] = [];
    for (const market of this.#markets.current()) {
      const { venue, instrument, trail, second: before } = market;
      const row = rowOf(market, now);
      if (row !== undefined) {
        seconds.push(row);
        if (minuteOf(row.second) !== minuteOf(before ?? row.second)) trail.need(row.second);
      }
      for (const one of trail.answered(venue.venueNow(), venue.quote(instrument), now)) {
        instants.push({ venue: venue.name, instrument, ...one });
      }
    }
    if (seconds.length > 0 || instants.length > 0) record.add({ seconds, instants });
    for (const account of this.#markets.takeUnread()) {
      this.#readFills(account).catch((error: unknown) => {
        this.#markets.readLater(account);
        observer.observe({ event: 'failed', where: 'costs', error });
      });
    }
  }

  /** What was requested around the fills of the last half hour by the process that booked them ended with it. */
  async #readFills(account: AccountId): Promise<void> {
    const { clock, venues } = this.#options;
    const venue = venues.forAccount(account);
    if (venue === undefined) return;
    const found = await tradesSince(venue, account, later(clock.now(), -KEPT_AFTER_MS));
    if (found.kind !== 'done') return this.#markets.readLater(account);
    for (const { instrument, at } of found.value) {
      this.#markets.need({ account, instruments: [instrument] }, instantsOf(at));
    }
  }

  /** A restart must not cut short the half hour after the end. */
  async #followEnded(): Promise<void> {
    const { clock, ledger } = this.#options;
    const since = later(clock.now(), -KEPT_AFTER_MS);
    const { rows } = await ledger.page({
      statuses: ['filled', 'cancelled'],
      updatedAfter: later(since, -1),
      orderBy: 'updatedAt',
      descending: true,
      offset: 0,
      limit: ENDED_MAX,
    });
    for (const { account, instruments, updatedAt } of rows) {
      if (updatedAt < since) return;
      this.#markets.keepFor({ account, instruments: instruments.map(instrumentName) }, updatedAt);
    }
  }
}

/** Trades are counted at each minute, so that a crash loses no more of the count. */
const minuteOf = (at: Instant): number => Math.floor(at / MINUTE_MS);

/** The row of the second, or `undefined` if it has one or nothing is known of the market. */
function rowOf(market: MarketAtWork, now: Instant): MarketSecond | undefined {
  const { venue, instrument } = market;
  const quote = venue.quote(instrument);
  const at = venue.venueNow();
  const second = instant(Math.floor(at / SECOND_MS) * SECOND_MS);
  if (quote === undefined || (market.second !== undefined && second <= market.second)) {
    return undefined;
  }
  market.second = second;
  const before = market.counted;
  market.counted = countedNow(venue, quote);
  const volume = volumeSince(before, market.counted);
  return { venue: venue.name, instrument, second, at, market: seenMarket(quote, now), volume };
}

/** A count that went down has restarted from zero. */
function volumeSince(
  before: Counted | undefined,
  after: Counted | undefined,
): Quantity | undefined {
  if (before === undefined || after === undefined) return undefined;
  if (after.second - before.second > VOLUME_GAP_MAX_MS) return undefined;
  const [from, to] = [before.traded, after.traded];
  return to.lt(from) ? to : minus(to, from);
}

const isPlaced = (events: readonly PortfolioEvent[], leg: number): boolean =>
  events.some((event) => event.kind === 'child_intended' && event.leg === leg);

const NO_LEGS: readonly number[] = [];

/** The legs whose market is recorded at the event. */
function legsSeen(state: PortfolioState, event: PortfolioEvent): readonly number[] {
  switch (event.kind) {
    case 'started':
      return state.legs.map((_, leg) => leg);
    case 'slice_started':
    case 'child_intended':
      return [event.leg];
    case 'fill_booked': {
      const leg = parseChildLabel(event.label)?.leg;
      return leg === undefined ? NO_LEGS : [leg];
    }
    default:
      return NO_LEGS;
  }
}

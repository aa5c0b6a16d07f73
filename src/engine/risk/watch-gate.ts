// The daemon's gate with its inputs: account data, market moves and the outcomes of children. Pauses a portfolio
// whose fills drift away or whose orders are refused repeatedly.
import { shardOf } from '../../core/ownership/shards.ts';
import { evolve } from '../../core/portfolio/aggregate/evolve.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import { blockText } from '../../core/risk/gate/judge-order.ts';
import { CONTROL_ACTOR, isRefusedTooOften } from '../../core/risk/gate/repeated-execution.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import {
  type AccountId,
  type InstrumentName,
  instrumentName,
  type PortfolioId,
  parseChildLabel,
} from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { isCombo } from '../../values/instrument.ts';
import type { LimitUse } from '../interface/trading-api.ts';
import { ALL_CONNECTED, type Connections } from '../ownership/account-connections.ts';
import { type Ownership, ownsAccount } from '../ownership/ownership.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import { Gate } from './gate.ts';
import { type DriftListener, GateAccounts } from './gate-accounts.ts';
import { limitUse, type MessageUse } from './limit-use.ts';
import { followedBeforeMs, MarketTrails, type StopFollowing } from './market-trails.ts';

export interface WatchedGateOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  /** The limits in force at the moment. */
  readonly limits: () => ControlLimits;
  readonly ownership: Pick<Ownership, 'hasAlwaysBeenAlone' | 'shards' | 'onGain'>;
  /** Which accounts are connected. */
  readonly connections: Pick<Connections, 'follow'>;
}

export interface DriftWatch {
  /** Drifts of accounts that another process owns are left to it. */
  readonly ownership: Pick<Ownership, 'owns' | 'onGain'>;
  /** Pauses the portfolio until a person resumes it; not if one has resumed it since `about`. */
  readonly pause: (portfolio: PortfolioId, about: Instant | undefined) => Promise<unknown>;
}

type FoundDrift = Parameters<DriftListener>[1];

/** What a control has found, until the portfolio is paused for it. */
interface Found {
  readonly leg: number;
  readonly why: string;
}

/** The gate as the engine sees it. */
export interface EngineGate
  extends Lifetime,
    Pick<WatchedGate, 'gate' | 'follow' | 'followedBeforeMs' | 'committed' | 'watchDrift'> {
  readonly accounts: Pick<GateAccounts, 'lossUsd'>;
}

/** A gate where nothing is limited, which reads no account and follows no market. */
export function unlimitedGate(parts: Pick<WatchedGateOptions, 'clock' | 'observer'>): EngineGate {
  return {
    gate: Gate.open(parts),
    accounts: { lossUsd: () => undefined },
    follow: () => () => undefined,
    followedBeforeMs: () => 0,
    committed: () => undefined,
    watchDrift: () => undefined,
    start: () => Promise.resolve(),
    drain: () => Promise.resolve(),
    stop: () => undefined,
  };
}

export class WatchedGate implements EngineGate {
  readonly gate: Gate;
  readonly accounts: GateAccounts;
  readonly #parts: WatchedGateOptions;
  readonly #trails: MarketTrails;
  #watch: DriftWatch | undefined;
  /** Portfolios that are being paused because their fills have drifted. */
  readonly #drifted = new Map<PortfolioId, Found>();

  constructor(parts: WatchedGateOptions) {
    this.#parts = parts;
    this.accounts = new GateAccounts(parts);
    this.#trails = new MarketTrails(parts);
    this.gate = new Gate({ ...parts, accounts: this.accounts, trails: this.#trails });
    const { ownership } = parts;
    ownership.onGain((shards) => {
      // It owned none before: what it has counted of its share, if anything, is of a time when the others had it. They may
      // have used it up and died since.
      const hadNone = ownership.shards()?.length === shards.length;
      if (hadNone && !ownership.hasAlwaysBeenAlone()) this.gate.joined();
    });
    parts.connections.follow(
      (account) => this.accounts.follow(account),
      (account) => this.accounts.unfollow(account),
    );
  }

  /**
   * Resolves when every account that is connected from the start on has been read or has failed for now; a failed one
   * is blocked until it is read.
   */
  async start(): Promise<void> {
    const connected = this.#parts.connections === ALL_CONNECTED ? undefined : [];
    this.#trails.start();
    await this.accounts.start((account, drift) => this.#pauseDrifted(account, drift), connected);
  }

  drain(): Promise<void> {
    this.#trails.stop();
    return this.accounts.drain();
  }

  stop(): void {
    this.accounts.stop();
    this.#trails.stop();
  }

  /**
   * Pauses portfolios whose fills have drifted, from now on: those of before as well, and those of an account that this
   * process begins to own, which its owner may not have lived to pause.
   */
  watchDrift(watch: DriftWatch): void {
    this.#watch = watch;
    const recall = (isMeant: (shard: number) => boolean): void => {
      for (const account of this.#parts.venues.accounts?.() ?? []) {
        if (isMeant(shardOf(account))) this.accounts.recallDrifts(account);
      }
    };
    recall(() => true);
    watch.ownership.onGain((shards) => recall((shard) => shards.includes(shard)));
  }

  /** Follows the market until the returned function is called. */
  follow(venue: Venue, instrument: InstrumentName): StopFollowing {
    return this.#trails.follow(venue, instrument);
  }

  /** How long before an order its market has to be followed, in milliseconds. */
  followedBeforeMs(): number {
    return followedBeforeMs(this.#parts.limits());
  }

  /** Processes the events of a durable turn: releases ended children and reports what the controls did. */
  committed({ before, state, events }: Pick<CommittedTurn, 'before' | 'state' | 'events'>): void {
    for (const event of events) this.#happened(state, event);
    this.#reportPause(before, events);
  }

  /** How much of its limits the account has used up, for people; the controls judge for themselves. */
  limitUseOf(account: AccountId, now: Instant): readonly LimitUse[] {
    const { venues } = this.#parts;
    const venue = venues.forAccount(account);
    // Dummy accounts send no orders.
    const sendsOrders = venues.accounts?.().includes(account) ?? true;
    if (venue === undefined || !sendsOrders) return [];
    const view = this.accounts.viewOf(account, now);
    const instruments = (view?.instruments() ?? []).flatMap((name) => {
      const instrument = venue.instrument(instrumentName(name));
      return instrument === undefined || isCombo(instrument) ? [] : [instrument];
    });
    const lossUsd = this.accounts.lossUsd(account);
    const messages = this.#messageUse(venue, account);
    return limitUse({ account, view, lossUsd, messages, instruments }, this.#parts.limits());
  }

  #messageUse(venue: Venue, account: AccountId): readonly MessageUse[] {
    const own = this.gate.messageUse({ venue, account });
    const ofVenue = (venue.rateBudgets?.() ?? [])
      .filter((budget) => (budget.account ?? account) === account)
      .map(
        ({ bucket, tokens, burst }): MessageUse => ({
          control: bucket === 'messages' ? 'venue_messages' : 'venue_questions',
          used: burst - tokens,
          burst,
        }),
      );
    return [...(own === undefined ? [] : [{ control: 'messages' as const, ...own }]), ...ofVenue];
  }

  #happened({ id, spec: { accountId: account } }: PortfolioState, event: PortfolioEvent): void {
    switch (event.kind) {
      case 'child_rejected':
      case 'child_unsent':
        return this.accounts.settled(account, event.label);
      case 'slice_waiting': {
        if (event.why === undefined) return;
        const { leg, why } = event;
        const [control = ''] = why.split(':', 1);
        const told = { control, leg, why, account, portfolio: id, stage: 'child' } as const;
        return this.#parts.observer.observe({ event: 'control_refused', ...told });
      }
      default:
    }
  }

  /** The turn has paused the portfolio for a control: PT-6, which the decision applies, or PT-2. */
  #reportPause(before: PortfolioState, events: readonly PortfolioEvent[]): void {
    if (!events.some(({ kind }) => kind === 'paused')) return;
    const { limits, observer } = this.#parts;
    const { repeats, version } = limits();
    let state = before;
    for (const event of events) {
      const { refusedInRow, id: portfolio, spec } = state;
      state = evolve(state, event);
      if (event.kind !== 'paused' || event.by !== CONTROL_ACTOR.uid) continue;
      const told = { stage: 'child', account: spec.accountId, portfolio } as const;
      const drifted = this.#drifted.get(portfolio);
      if (repeats !== undefined && isRefusedTooOften(refusedInRow, repeats)) {
        const control = 'repeated_execution';
        const [limit, input] = [String(repeats.rejectsMax), String(refusedInRow)];
        const fault = { why: 'the venue refused one order after another', limit, input };
        observer.observe({
          event: 'control_refused',
          ...told,
          control,
          why: blockText({ ...fault, control, version }),
        });
      } else if (drifted !== undefined) {
        observer.observe({ event: 'control_refused', ...told, control: 'price_drift', ...drifted });
      }
    }
  }

  #pauseDrifted(account: AccountId, { label, fault, at, isPast }: FoundDrift): void {
    const child = parseChildLabel(label);
    const watch = this.#watch;
    if (child === undefined || watch === undefined || !ownsAccount(watch.ownership, account))
      return;
    const { portfolio, leg } = child;
    const { version } = this.#parts.limits();
    this.#drifted.set(portfolio, {
      leg,
      why: blockText({ ...fault, control: 'price_drift', version }),
    });
    void watch
      .pause(portfolio, isPast ? at : undefined)
      .finally(() => this.#drifted.delete(portfolio));
  }
}

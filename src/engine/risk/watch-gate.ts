// The daemon's gate with its inputs: account data, market moves and the outcomes of children. Pauses a portfolio
// whose fills drift away or whose orders are refused repeatedly.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import { accountLimit } from '../../core/risk/gate/control-limits.ts';
import { slippageFault } from '../../core/risk/gate/execution-cost.ts';
import type { GateFault } from '../../core/risk/gate/gate-order.ts';
import { blockText } from '../../core/risk/gate/judge-order.ts';
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
import type { CommittedTurn } from '../turns/committed-turn.ts';
import { Gate } from './gate.ts';
import { GateAccounts } from './gate-accounts.ts';
import { limitUse, type MessageUse } from './limit-use.ts';
import { followedBeforeMs, MarketTrails, type StopFollowing } from './market-trails.ts';

export interface WatchedGateOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  /** The limits in force at the moment. */
  readonly limits: () => ControlLimits;
}

/** Pauses the portfolio until a person resumes it. */
export type PausePortfolio = (portfolio: PortfolioId, by: string) => void;

const BY = 'control';

export class WatchedGate implements Lifetime {
  readonly gate: Gate;
  readonly accounts: GateAccounts;
  readonly #parts: WatchedGateOptions;
  readonly #trails: MarketTrails;
  readonly #rejectsInRow = new Map<PortfolioId, number>();
  readonly #pauses: PausePortfolio[] = [];

  constructor(parts: WatchedGateOptions) {
    this.#parts = parts;
    this.accounts = new GateAccounts(parts);
    this.#trails = new MarketTrails(parts);
    this.gate = new Gate({ ...parts, accounts: this.accounts, trails: this.#trails });
  }

  /** Resolves when every account has been read or has failed for now; a failed one is blocked until it is read. */
  async start(): Promise<void> {
    this.#trails.start();
    await this.accounts.start((label, account, fault) => this.#drifted(label, account, fault));
  }

  drain(): Promise<void> {
    this.#trails.stop();
    return this.accounts.drain();
  }

  stop(): void {
    this.accounts.stop();
    this.#trails.stop();
  }

  /** Calls `pause` with each portfolio that must not go on before a person has looked at it. */
  onPause(pause: PausePortfolio): void {
    this.#pauses.push(pause);
  }

  /** Follows the market until the returned function is called. */
  follow(venue: Venue, instrument: InstrumentName): StopFollowing {
    return this.#trails.follow(venue, instrument);
  }

  /** How long before an order its market has to be followed, in milliseconds. */
  followedBeforeMs(): number {
    return followedBeforeMs(this.#parts.limits());
  }

  /** Processes the child events of a durable turn: releases ended children and counts consecutive refusals. */
  committed({ state, events }: Pick<CommittedTurn, 'state' | 'events'>): void {
    for (const event of events) this.#happened(state, event);
  }

  /** Control PT-20: why the account may not start anything new, if so. */
  objectionTo(account: AccountId): GateFault | undefined {
    const table = this.#parts.limits().slippageUsdMax;
    if (table === undefined) return undefined;
    return slippageFault(this.accounts.lossUsd(account), accountLimit(table, account));
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
          ...{ used: burst - tokens, burst },
        }),
      );
    return [...(own === undefined ? [] : [{ control: 'messages' as const, ...own }]), ...ofVenue];
  }

  #happened({ id, spec: { accountId: account } }: PortfolioState, event: PortfolioEvent): void {
    switch (event.kind) {
      case 'child_live':
        this.#rejectsInRow.delete(id);
        return;
      case 'child_rejected':
        this.accounts.settled(account, event.label);
        // Code 0 is our own refusal: the order was never sent.
        if (event.code !== 0) this.#rejected(id, account);
        return;
      case 'child_unsent':
        return this.accounts.settled(account, event.label);
      case 'slice_waiting': {
        if (event.why === undefined) return;
        const { leg, why } = event;
        const [control = ''] = why.split(':', 1);
        const told = { control, leg, why, account, portfolio: id, stage: 'child' } as const;
        return this.#parts.observer.controlRefused(told);
      }
      case 'filled':
      case 'cancelled':
        this.#rejectsInRow.delete(id);
        return;
      default:
    }
  }

  #rejected(portfolio: PortfolioId, account: AccountId): void {
    const { limits, observer } = this.#parts;
    const { repeats, version } = limits();
    const count = (this.#rejectsInRow.get(portfolio) ?? 0) + 1;
    this.#rejectsInRow.set(portfolio, count);
    if (repeats === undefined || count < repeats.rejectsMax) return;
    this.#rejectsInRow.delete(portfolio);
    const limit = String(repeats.rejectsMax);
    const control = 'repeated_execution';
    const fault = { why: 'the venue refused one order after another', limit, input: String(count) };
    const why = blockText({ ...fault, control, version });
    observer.controlRefused({ control, stage: 'child', account, portfolio, why });
    for (const pause of this.#pauses) pause(portfolio, BY);
  }

  #drifted(label: string, account: AccountId, fault: GateFault): void {
    const child = parseChildLabel(label);
    if (child === undefined) return;
    const { portfolio, leg } = child;
    const control = 'price_drift';
    const why = blockText({ ...fault, control, version: this.#parts.limits().version });
    this.#parts.observer.controlRefused({ control, stage: 'child', account, portfolio, leg, why });
    for (const pause of this.#pauses) pause(portfolio, BY);
  }
}

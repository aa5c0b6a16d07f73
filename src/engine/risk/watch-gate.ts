// The gate of a daemon with everything it goes by: what the accounts have, how the markets move, and what
// becomes of children. Stops a portfolio whose fills drift away or whose orders are refused in a row.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import { accountLimit } from '../../core/risk/gate/control-limits.ts';
import { slippageFault } from '../../core/risk/gate/execution-cost.ts';
import type { GateFault } from '../../core/risk/gate/gate-order.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import {
  type AccountId,
  type InstrumentName,
  type PortfolioId,
  parseChildLabel,
} from '../../values/ids.ts';
import { blockText, Gate } from './gate.ts';
import { GateAccounts } from './gate-accounts.ts';
import { MarketTrails, type StopFollowing } from './market-trails.ts';

export interface WatchedGateParts {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  /** Those in force at the moment. */
  readonly limits: () => ControlLimits;
}

/** Has the portfolio place nothing until a person resumes it. */
export type PausePortfolio = (portfolio: PortfolioId, by: string) => void;

const BY = 'control';

export class WatchedGate {
  readonly gate: Gate;
  readonly accounts: GateAccounts;
  readonly #parts: WatchedGateParts;
  readonly #trails: MarketTrails;
  readonly #rejectsInRow = new Map<PortfolioId, number>();
  #pause: PausePortfolio = () => undefined;

  constructor(parts: WatchedGateParts) {
    this.#parts = parts;
    this.accounts = new GateAccounts(parts);
    this.#trails = new MarketTrails(parts);
    this.gate = new Gate({ ...parts, accounts: this.accounts, trails: this.#trails });
  }

  /** Resolves when every account was read, or could not be for now: those are blocked until then. */
  async start(pause: PausePortfolio): Promise<void> {
    this.#pause = pause;
    this.#trails.start();
    await this.accounts.start((label, account, fault) => this.#drifted(label, account, fault));
  }

  stop(): void {
    this.accounts.stop();
    this.#trails.stop();
  }

  /** The market is worked in until the answer is called. */
  follow(venue: Venue, instrument: InstrumentName): StopFollowing {
    return this.#trails.follow(venue, instrument);
  }

  /** What a durable turn says of children: those that are over count no more, refusals in a row do. */
  committed(state: PortfolioState, events: readonly PortfolioEvent[]): void {
    for (const event of events) this.#happened(state, event);
  }

  /** PT-20: why the account may begin nothing new, if so. */
  objectionTo(account: AccountId): GateFault | undefined {
    const table = this.#parts.limits().slippageUsdMax;
    if (table === undefined) return undefined;
    return slippageFault(this.accounts.lossUsd(account), accountLimit(table, account));
  }

  #happened({ id, spec: { accountId: account } }: PortfolioState, event: PortfolioEvent): void {
    switch (event.kind) {
      case 'child_live':
        this.#rejectsInRow.delete(id);
        return;
      case 'child_rejected':
        this.accounts.settled(account, event.label);
        // Code 0 is our own word: it never left.
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
    this.#pause(portfolio, BY);
  }

  #drifted(label: string, account: AccountId, fault: GateFault): void {
    const child = parseChildLabel(label);
    if (child === undefined) return;
    const { portfolio, leg } = child;
    const control = 'price_drift';
    const why = blockText({ ...fault, control, version: this.#parts.limits().version });
    this.#parts.observer.controlRefused({ control, stage: 'child', account, portfolio, leg, why });
    this.#pause(portfolio, BY);
  }
}

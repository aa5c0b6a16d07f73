// Periodically compares own open orders at the venues with the portfolios' records, for every account.
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { Yielding } from '../overload/overload-deferral.ts';
import { type Ownership, ownsAccount } from '../ownership/ownership.ts';
import type { ExecutionReports } from './execution-reports.ts';

export interface OpenOrderReconciliationOptions {
  readonly clock: Clock;
  readonly venues: VenueDirectory;
  readonly reports: Pick<ExecutionReports, 'compare'>;
  readonly compareMs: number;
  /** Accounts of others are compared by them. */
  readonly ownership: Pick<Ownership, 'owns'>;
  /** Whether a round is left out because the process is overloaded. */
  readonly yielding: Pick<Yielding, 'leavesOut'>;
  /** Recovery compares the accounts it blocks itself, until their venue has replied once. */
  readonly barrier: { accounts(): readonly AccountId[] };
}

export class OpenOrderReconciliation implements EngineComponent {
  readonly #options: OpenOrderReconciliationOptions;
  /** Accounts that had an active portfolio since the start, whether the directory lists them or not. */
  readonly #accounts = new Set<AccountId>();
  readonly #rounds = new InFlight();
  #stopTimer: StopTimer | undefined;
  #isStopped = false;

  constructor(options: OpenOrderReconciliationOptions) {
    this.#options = options;
  }

  /** Starts the first round at once, without waiting for its end. */
  start(): Promise<void> {
    this.#isStopped = false;
    void this.#round();
    return Promise.resolve();
  }

  drain(): Promise<void> {
    this.stop();
    return this.#rounds.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer?.();
  }

  decided({ status, spec }: PortfolioState): void {
    if (spec.mirrorOf === undefined && !isTerminal(status)) this.#accounts.add(spec.accountId);
  }

  async #round(): Promise<void> {
    const { clock, compareMs, yielding } = this.#options;
    if (!yielding.leavesOut()) await this.#rounds.track(this.#compareAll());
    if (this.#isStopped) return;
    this.#stopTimer = clock.at(later(clock.now(), compareMs), () => void this.#round());
  }

  async #compareAll(): Promise<void> {
    const { venues, reports, barrier, ownership } = this.#options;
    for (const account of new Set([...(venues.accounts?.() ?? []), ...this.#accounts])) {
      const venue = venues.forAccount(account);
      if (!ownsAccount(ownership, account)) continue;
      if (venue === undefined || barrier.accounts().includes(account)) continue;
      await reports.compare(venue, account);
    }
  }
}

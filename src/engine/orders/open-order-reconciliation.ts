// Compares own open orders at the venues with the portfolios' records: at the start for every account with active
// portfolios, and periodically for every account.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { ExecutionReports } from './execution-reports.ts';

export interface OpenOrderReconciliationOptions {
  readonly clock: Clock;
  readonly venues: VenueDirectory;
  readonly ear: Pick<ExecutionReports, 'compare'>;
  readonly compareMs: number;
  /** Accounts that had an active portfolio, whether the directory lists them or not. */
  readonly atWork: () => Iterable<AccountId>;
  /** True for accounts that the recovery compares itself, until their venue has replied once. */
  readonly isHeld: (account: AccountId) => boolean;
}

export class OpenOrderReconciliation {
  readonly #parts: OpenOrderReconciliationOptions;
  #stopTimer: StopTimer | undefined;
  #isStopped = false;

  constructor(parts: OpenOrderReconciliationOptions) {
    this.#parts = parts;
  }

  start(): void {
    this.#isStopped = false;
    void this.#andAgain();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer?.();
  }

  /** Compares one account; `onKnown` is called only if the venue replied. */
  async compare(account: AccountId, onKnown?: () => void): Promise<void> {
    const { venues, ear } = this.#parts;
    const venue = venues.forAccount(account);
    if (venue !== undefined) await ear.compare(venue, account, onKnown);
  }

  async #andAgain(): Promise<void> {
    const { clock, compareMs, venues, atWork, isHeld } = this.#parts;
    for (const account of new Set([...(venues.accounts?.() ?? []), ...atWork()])) {
      if (!isHeld(account)) await this.compare(account);
    }
    if (this.#isStopped) return;
    this.#stopTimer = clock.at(later(clock.now(), compareMs), () => void this.#andAgain());
  }
}

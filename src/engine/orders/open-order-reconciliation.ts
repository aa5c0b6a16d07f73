// Own open orders at the venues against what the portfolios believe: at the start of every account that had work,
// and of every account again and again.
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
  /** Accounts that had a portfolio at work, whether the directory lists them or not. */
  readonly atWork: () => Iterable<AccountId>;
  /** Compared by the recovery until its venue has answered once. */
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

  /** One account; `onKnown` only with the venue's word. */
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

// What every store in memory refuses as PostgreSQL does: requests after its close, and text that cannot be stored.
import { LedgerFailure, nulRefusal } from '../../ports/ledger.ts';

export class StoreRequests {
  #isClosed = false;

  /** Answers a request, unless it is refused. `given` is what it contains: its texts, or records and lists of them. */
  answer<T>(act: () => T, ...given: readonly unknown[]): Promise<T> {
    const refusal = this.refusal(...given);
    if (refusal !== undefined) return Promise.reject(refusal);
    return new Promise((resolve) => resolve(act()));
  }

  refusal(...given: readonly unknown[]): LedgerFailure | undefined {
    return this.#isClosed ? new LedgerFailure('the store is closed', false) : nulRefusal(...given);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }
}

// Sends the requests of one account in the order in which they arrived, even if a look-up for one of them takes
// longer than for the next. Look-ups run in parallel; only the sending is serialized.
import type { AccountId } from '../../values/ids.ts';

export class SendInOrder {
  /** Resolves, and never rejects, when the account's latest request so far has been sent. */
  readonly #lastSent = new Map<AccountId, Promise<void>>();

  /** Calls `send` with the prepared value: synchronously if there is nothing to wait for. */
  send<P, T>(
    account: AccountId,
    prepared: P | Promise<P>,
    send: (prepared: P) => Promise<T>,
  ): Promise<T> {
    const before = this.#lastSent.get(account);
    if (before === undefined && !(prepared instanceof Promise)) return send(prepared);
    return this.#sendLater(account, async () => {
      // A failure waits for its turn too, so that no request overtakes because of it.
      const [outcome] = await Promise.allSettled([prepared, before]);
      if (outcome.status === 'rejected') throw outcome.reason;
      // Wrapped, so that the turn ends when the request is sent, not when it is answered.
      return { answer: send(outcome.value) };
    });
  }

  async #sendLater<T>(
    account: AccountId,
    start: () => Promise<{ readonly answer: Promise<T> }>,
  ): Promise<T> {
    const sent = start();
    const leave = (): void => {
      if (this.#lastSent.get(account) === settled) this.#lastSent.delete(account);
    };
    // Unexamined: the caller awaits `sent` below and gets its error.
    const settled = sent.then(leave, leave);
    this.#lastSent.set(account, settled);
    return (await sent).answer;
  }
}

// Requests of one account leave in the order they came, although looking something up for one of them
// may take longer than for the next. Look-ups run side by side; only the sending waits its turn.
import type { AccountId } from '../../values/ids.ts';

export class SendInOrder {
  /** Settles, and never rejects, when the last request of the account so far has been sent. */
  readonly #lastSent = new Map<AccountId, Promise<void>>();

  /** Calls `send` with what was prepared: in the same moment where there is nothing to wait for. */
  send<P, T>(
    account: AccountId,
    prepared: P | Promise<P>,
    send: (prepared: P) => Promise<T>,
  ): Promise<T> {
    const before = this.#lastSent.get(account);
    if (before === undefined && !(prepared instanceof Promise)) return send(prepared);
    return this.#sendLater(account, async () => {
      // A failure waits for its turn too: nobody overtakes because of it.
      const [outcome] = await Promise.allSettled([prepared, before]);
      if (outcome.status === 'rejected') throw outcome.reason;
      // Wrapped, so that being sent is not being answered.
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
    const settled = sent.then(leave, leave);
    this.#lastSent.set(account, settled);
    return (await sent).answer;
  }
}

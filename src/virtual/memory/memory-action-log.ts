// The audit trail of user actions in memory, with the same results as the durable one.
import type { Action, ActionLog, ActionQuery } from '../../ports/action-log.ts';

export class MemoryActionLog implements ActionLog {
  readonly #actions: Action[] = [];
  isBehind = false;

  record(action: Action): Promise<void> {
    this.#actions.push(action);
    return Promise.resolve();
  }

  find({ keyId, account, from, limit }: ActionQuery): Promise<readonly Action[]> {
    const found = this.#actions.filter(
      (action) =>
        (keyId === undefined || action.keyId === keyId) &&
        (account === undefined || action.account === account) &&
        (from === undefined || action.at >= from),
    );
    return Promise.resolve(found.reverse().slice(0, limit));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

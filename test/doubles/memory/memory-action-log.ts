// The audit trail of user actions in memory, with the same results as the durable one.
import type {
  Action,
  ActionLog,
  ActionPageQuery,
  ActionPages,
  ActionQuery,
  PlacedAction,
} from '../../../src/ports/action-log.ts';

export class MemoryActionLog implements ActionLog, ActionPages {
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

  page(query: ActionPageQuery): Promise<readonly PlacedAction[]> {
    const { accounts, keyId, from, before, limit } = query;
    const found = this.#actions
      .map((action, index) => ({ ...action, number: String(index + 1) }))
      .filter(
        ({ account, keyId: by, at, number }) =>
          accounts.includes(account) &&
          (keyId === undefined || by === keyId) &&
          (from === undefined || at >= from) &&
          (before === undefined ||
            at < before.at ||
            (at === before.at && Number(number) < Number(before.number))),
      )
      .sort((a, b) => b.at - a.at || Number(b.number) - Number(a.number));
    return Promise.resolve(found.slice(0, limit));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

// Change histories of the accounts with subscribers, retained for a while afterwards so that a client whose
// connection broke can catch up. An account without subscribers costs nothing.
import type { TradingDesk, VenueNotice } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import { AccountMemory, type FlowReader } from './account-memory.ts';
import type { Leave } from './market-feeds.ts';

export interface AccountMemoriesOptions {
  readonly now: () => Instant;
  /** Changes retained per account and kind. */
  readonly missedMax: number;
  /** How long the history of an account without subscribers is retained. */
  readonly rememberedMs: number;
}

export interface Reading {
  readonly desk: TradingDesk;
  readonly account: AccountId;
  /** Subscribes to the account's news at the order API. */
  readonly listen: (listener: (news: VenueNotice) => void) => Leave;
  readonly reader: FlowReader;
  /** Replay the changes after this number first. */
  readonly after: number | undefined;
}

interface Remembered {
  readonly memory: AccountMemory;
  readonly leave: Leave;
  forgetting?: NodeJS.Timeout | undefined;
}

export class AccountMemories {
  readonly #parts: AccountMemoriesOptions;
  readonly #remembered = new Map<TradingDesk, Map<AccountId, Remembered>>();

  constructor(parts: AccountMemoriesOptions) {
    this.#parts = parts;
  }

  follow(reading: Reading): Leave {
    const one = this.#of(reading);
    clearTimeout(one.forgetting);
    const { reader, after } = reading;
    let leave: Leave = () => undefined;
    // Deferred until after the answer to the subscription.
    const begin = (): void => {
      leave = after === undefined ? leave : one.memory.resume(reader, after);
    };
    const beginning = after === undefined ? undefined : setImmediate(begin);
    if (after === undefined) leave = one.memory.follow(reader);
    return () => {
      clearImmediate(beginning);
      leave();
      this.#forgetLater(reading, one);
    };
  }

  close(): void {
    for (const accounts of this.#remembered.values()) {
      for (const { leave, forgetting } of accounts.values()) {
        clearTimeout(forgetting);
        leave();
      }
    }
    this.#remembered.clear();
  }

  #of({ desk, account, listen }: Reading): Remembered {
    const accounts = this.#remembered.get(desk) ?? new Map<AccountId, Remembered>();
    this.#remembered.set(desk, accounts);
    const known = accounts.get(account);
    if (known !== undefined) return known;
    const { now, missedMax } = this.#parts;
    const memory = new AccountMemory({ now: now(), keptMax: missedMax });
    const one: Remembered = { memory, leave: listen(memory.receive) };
    accounts.set(account, one);
    return one;
  }

  #forgetLater({ desk, account }: Reading, one: Remembered): void {
    clearTimeout(one.forgetting);
    if (one.memory.isRead) return;
    one.forgetting = setTimeout(() => {
      if (one.memory.isRead) return;
      one.leave();
      this.#remembered.get(desk)?.delete(account);
    }, this.#parts.rememberedMs);
    one.forgetting.unref();
  }
}

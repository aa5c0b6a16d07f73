// What a channel of the portfolio stream is to the connection it belongs to.
import type { Sequence } from '../../engine/news/news-sequence.ts';
import type { AccountId } from '../../values/ids.ts';
import type { ApiKey } from '../auth/key-store.ts';
import type { ChannelAnswer } from './stream-frames.ts';

/** The way of a channel to its client. */
export interface Outlet {
  readonly key: ApiKey;
  readonly send: (text: string) => void;
  /** Resolves when the client has read most of what it was sent, or is gone. */
  readonly room: () => Promise<void>;
  /** Ends the connection, for the client to come back with the last number it has. */
  readonly giveUp: (error: unknown) => void;
}

export interface Wish {
  /** Absent: every account of the key. */
  readonly accountId?: AccountId | undefined;
  /** Tell again what came after it. */
  readonly after?: Sequence | undefined;
}

export interface Granted {
  readonly answer: ChannelAnswer;
  /** To be called when the answer has been sent. */
  readonly begin?: () => void;
}

export interface StreamChannel {
  subscribe(wish: Wish): Promise<Granted>;
  /** Without an account everything of the channel ends. */
  unsubscribe(accountId?: AccountId): void;
  close(): void;
}

export const refusedChannel = (channel: string, errorMsg: string): ChannelAnswer => ({
  channel,
  success: false,
  errorMsg,
});

/** `undefined` when the key may hear of it. */
export function foreignAccount(key: ApiKey, accountId: AccountId | undefined): string | undefined {
  if (accountId === undefined || key.accounts.includes(accountId)) return undefined;
  return 'accountId: is not an account of this key';
}

// The interface between a channel of the portfolio stream and its connection.
import type { AccountId } from '../../values/ids.ts';
import type { Sequence } from '../../values/sequence.ts';
import type { ApiKey } from '../auth/key-store.ts';
import type { ChannelAnswer } from './stream-frames.ts';

/** A channel's access to its client. */
export interface Outlet {
  readonly key: ApiKey;
  readonly send: (text: string) => void;
  /** Resolves when the client has read most of its backlog, or has disconnected. */
  readonly room: () => Promise<void>;
  /** Closes the connection, so that the client reconnects with its last sequence. */
  readonly giveUp: (error: unknown) => void;
}

export interface Wish {
  /** Default: every account of the key. */
  readonly accountId?: AccountId | undefined;
  /** Replay the messages after it. */
  readonly after?: Sequence | undefined;
}

export interface Granted {
  readonly answer: ChannelAnswer;
  /** Must be called when the answer has been sent. */
  readonly begin?: () => void;
}

export interface StreamChannel {
  subscribe(wish: Wish): Promise<Granted>;
  /** Without an account, all subscriptions of the channel end. */
  unsubscribe(accountId?: AccountId): void;
  close(): void;
}

export const refusedChannel = (channel: string, errorMsg: string): ChannelAnswer => ({
  channel,
  success: false,
  errorMsg,
});

/** The refusal for an account the key does not own; `undefined` if it may subscribe. */
export function foreignAccount(key: ApiKey, accountId: AccountId | undefined): string | undefined {
  if (accountId === undefined || key.accounts.includes(accountId)) return undefined;
  return 'accountId: is not an account of this key';
}

// A way to reach people: a webhook, a chat, a mail server. A channel never throws, sends a message once, and says what
// became of it without repeating a secret.
import type { Happening } from '../../core/notify/happening.ts';
import type { Instant } from '../../values/instant.ts';

export interface NoticeMessage {
  readonly deployment: string;
  readonly at: Instant;
  readonly title: string;
  readonly lines: readonly string[];
  /** A receiver drops repetitions by their keys: a message whose answer was lost is sent again, perhaps with more. */
  readonly happenings: readonly Happening[];
}

export type Delivery =
  | { readonly kind: 'delivered' }
  /** It may work another time: not before `afterMs`, if the receiver says so. */
  | { readonly kind: 'later'; readonly why: string; readonly afterMs?: number | undefined }
  /** The receiver will not take it as it is, or not from us. */
  | { readonly kind: 'refused'; readonly why: string };

/** What became of a message that was under way when its channel was closed, or came after it. */
export const GIVEN_UP: Delivery = { kind: 'later', why: 'given up, as the daemon stops' };

export interface NoticeChannel {
  send(message: NoticeMessage): Promise<Delivery>;
  /** Gives up what is under way, at once. */
  close(): void;
}

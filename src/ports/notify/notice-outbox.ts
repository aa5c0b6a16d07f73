// Happenings on their way to people, durable: what was recorded is sent although a daemon dies, and sent once by all
// daemons of the deployment together.
import type { WaitingNotice } from '../../core/notify/due-notices.ts';
import type { Happening } from '../../core/notify/happening.ts';
import type { Instant } from '../../values/instant.ts';

export interface AddressedHappening {
  readonly happening: Happening;
  /** Names of the channels that report it; none: it is only recorded. */
  readonly channels: readonly string[];
}

export interface NewHappenings {
  readonly happenings: readonly AddressedHappening[];
  /** Up to where a source has been read with them. */
  readonly cursor?: { readonly source: string; readonly position: string } | undefined;
}

export interface ChannelBacklog {
  readonly channel: string;
  readonly waiting: number;
  readonly sent: number;
  readonly dropped: number;
  /** Of the oldest that waits. */
  readonly oldestAt?: Instant | undefined;
}

export interface NoticeOutbox {
  /**
   * True while this member is the one that reads the ledger and sends, which it has to say again within `forMs`: another
   * takes over afterwards.
   */
  lead(member: string, forMs: number): Promise<boolean>;
  /** Another may take over at once. */
  leave(member: string): Promise<void>;
  cursor(source: string): Promise<string | undefined>;
  /** All or nothing; happenings that are known by their key are left out. Returns the number of new ones. */
  add(added: NewHappenings): Promise<number>;
  /** The oldest that a channel has to report. */
  waiting(channel: string, limit: number): Promise<readonly WaitingNotice[]>;
  /** They wait no longer; repeating it has no effect. */
  settle(channel: string, numbers: readonly number[], as: 'sent' | 'dropped'): Promise<void>;
  backlog(): Promise<readonly ChannelBacklog[]>;
  /** Deletes happenings from before that wait nowhere. */
  forget(before: Instant): Promise<void>;
}

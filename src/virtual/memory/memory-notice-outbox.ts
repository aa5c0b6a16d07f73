// The outbox of notices in memory.
import type { WaitingNotice } from '../../core/notify/due-notices.ts';
import type {
  ChannelBacklog,
  NewHappenings,
  NoticeOutbox,
} from '../../ports/notify/notice-outbox.ts';
import { earliest, type Instant, later } from '../../values/instant.ts';

interface Kept extends WaitingNotice {
  readonly outcomes: Map<string, 'waiting' | 'sent' | 'dropped'>;
}

export class MemoryNoticeOutbox implements NoticeOutbox {
  readonly #now: () => Instant;
  readonly #cursors = new Map<string, string>();
  #kept: Kept[] = [];
  #added = 0;
  #lead: { readonly member: string; readonly until: Instant } | undefined;

  /** @param now of the clock by which a lead runs out */
  constructor(now: () => Instant) {
    this.#now = now;
  }

  lead(member: string, forMs: number): Promise<boolean> {
    const now = this.#now();
    const isTaken = this.#lead !== undefined && this.#lead.until > now;
    if (isTaken && this.#lead?.member !== member) return Promise.resolve(false);
    this.#lead = { member, until: later(now, forMs) };
    return Promise.resolve(true);
  }

  leave(member: string): Promise<void> {
    if (this.#lead?.member === member) this.#lead = undefined;
    return Promise.resolve();
  }

  cursor(source: string): Promise<string | undefined> {
    return Promise.resolve(this.#cursors.get(source));
  }

  add({ happenings, cursor }: NewHappenings): Promise<number> {
    const before = this.#added;
    for (const { happening, channels } of happenings) {
      const past = this.#kept.findLast((one) => one.happening.key === happening.key);
      const { againAfterMs } = happening;
      const isAgain =
        past !== undefined &&
        (againAfterMs === undefined || happening.at < later(past.happening.at, againAfterMs));
      if (isAgain) continue;
      this.#added += 1;
      const outcomes = new Map(channels.map((channel) => [channel, 'waiting' as const]));
      this.#kept.push({ number: this.#added, happening, outcomes });
    }
    if (cursor !== undefined) this.#cursors.set(cursor.source, cursor.position);
    return Promise.resolve(this.#added - before);
  }

  waiting(channel: string, limit: number): Promise<readonly WaitingNotice[]> {
    const found = this.#kept.filter(({ outcomes }) => outcomes.get(channel) === 'waiting');
    return Promise.resolve(
      found.slice(0, limit).map(({ number, happening }) => ({ number, happening })),
    );
  }

  settle(channel: string, numbers: readonly number[], as: 'sent' | 'dropped'): Promise<void> {
    for (const { number, outcomes } of this.#kept) {
      if (numbers.includes(number) && outcomes.get(channel) === 'waiting')
        outcomes.set(channel, as);
    }
    return Promise.resolve();
  }

  backlog(): Promise<readonly ChannelBacklog[]> {
    const names = new Set(this.#kept.flatMap(({ outcomes }) => [...outcomes.keys()]));
    return Promise.resolve([...names].sort().map((channel) => this.#backlogOf(channel)));
  }

  #backlogOf(channel: string): ChannelBacklog {
    const counts = { waiting: 0, sent: 0, dropped: 0 };
    let oldestAt: Instant | undefined;
    for (const { outcomes, happening } of this.#kept) {
      const outcome = outcomes.get(channel);
      if (outcome === undefined) continue;
      counts[outcome] += 1;
      if (outcome === 'waiting') oldestAt = earliest(oldestAt ?? happening.at, happening.at);
    }
    return { channel, ...counts, ...(oldestAt !== undefined && { oldestAt }) };
  }

  forget(before: Instant): Promise<void> {
    this.#kept = this.#kept.filter(
      ({ happening, outcomes }) =>
        happening.at >= before || [...outcomes.values()].includes('waiting'),
    );
    return Promise.resolve();
  }
}

// The outbox of notices in memory.
import type { WaitingNotice } from '../../../src/core/notify/due-notices.ts';
import type {
  AddressedHappening,
  ChannelBacklog,
  NewHappenings,
  NoticeOutbox,
} from '../../../src/ports/notify/notice-outbox.ts';
import { earliest, type Instant, later } from '../../../src/values/instant.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

interface Kept extends WaitingNotice {
  readonly outcomes: Map<string, 'waiting' | 'sent' | 'dropped'>;
}

export class MemoryNoticeOutbox implements NoticeOutbox {
  readonly #now: () => Instant;
  readonly #cursors = new Map<string, string>();
  readonly #requests = new StoreRequests();
  #kept: Kept[] = [];
  #added = 0;
  #lead: { readonly member: string; readonly until: Instant } | undefined;

  /** @param now of the clock by which a lead runs out */
  constructor(now: () => Instant) {
    this.#now = now;
  }

  lead(member: string, forMs: number): Promise<boolean> {
    return this.#requests.answer(() => {
      const now = this.#now();
      const isTaken = this.#lead !== undefined && this.#lead.until > now;
      if (isTaken && this.#lead?.member !== member) return false;
      this.#lead = { member, until: later(now, forMs) };
      return true;
    }, member);
  }

  leave(member: string): Promise<void> {
    return this.#requests.answer(() => {
      if (this.#lead?.member === member) this.#lead = undefined;
    }, member);
  }

  cursor(source: string): Promise<string | undefined> {
    return this.#requests.answer(() => this.#cursors.get(source), source);
  }

  add({ happenings, cursor }: NewHappenings): Promise<number> {
    // The rest of a happening is stored as JSON, which escapes every character.
    const texts = happenings.map(({ happening, channels }) => [happening.key, channels]);
    return this.#requests.answer(
      () => {
        const before = this.#added;
        for (const one of happenings) this.#add(one);
        if (cursor !== undefined) this.#cursors.set(cursor.source, cursor.position);
        return this.#added - before;
      },
      texts,
      cursor,
    );
  }

  #add({ happening, channels }: AddressedHappening): void {
    const past = this.#kept.findLast((one) => one.happening.key === happening.key);
    const { againAfterMs } = happening;
    const isAgain =
      past !== undefined &&
      (againAfterMs === undefined || happening.at < later(past.happening.at, againAfterMs));
    if (isAgain) return;
    this.#added += 1;
    const outcomes = new Map(channels.map((channel) => [channel, 'waiting' as const]));
    this.#kept.push({ number: this.#added, happening, outcomes });
  }

  waiting(channel: string, limit: number): Promise<readonly WaitingNotice[]> {
    return this.#requests.answer(() => {
      const found = this.#kept.filter(({ outcomes }) => outcomes.get(channel) === 'waiting');
      return found.slice(0, limit).map(({ number, happening }) => ({ number, happening }));
    }, channel);
  }

  settle(channel: string, numbers: readonly number[], as: 'sent' | 'dropped'): Promise<void> {
    return this.#requests.answer(() => {
      for (const { number, outcomes } of this.#kept) {
        if (numbers.includes(number) && outcomes.get(channel) === 'waiting')
          outcomes.set(channel, as);
      }
    }, channel);
  }

  backlog(): Promise<readonly ChannelBacklog[]> {
    return this.#requests.answer(() => {
      const names = new Set(this.#kept.flatMap(({ outcomes }) => [...outcomes.keys()]));
      return [...names].sort().map((channel) => this.#backlogOf(channel));
    });
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
    return this.#requests.answer(() => {
      this.#kept = this.#kept.filter(
        ({ happening, outcomes }) =>
          happening.at >= before || [...outcomes.values()].includes('waiting'),
      );
    });
  }
}

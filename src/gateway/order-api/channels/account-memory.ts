// The recent changes of an account's orders, numbered, so that a reconnecting client can catch up. Numbers
// increase from the moment the history was created; those of another process or of before a restart are not in
// it.
import type { VenueNotice } from '../../../ports/trading-desk.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Leave } from './market-feeds.ts';

export type FlowNews = Extract<VenueNotice, { readonly kind: 'order' | 'trade' }>;
export type FlowKind = FlowNews['kind'];
type Gap = Extract<VenueNotice, { readonly kind: 'reconnected' }>;

/**
 * Why missed changes cannot be replayed: they are no longer retained, or the number is not from this history.
 */
export type Missing = 'too_much' | 'forgotten';

export interface FlowReader {
  readonly kinds: readonly FlowKind[];
  readonly receive: (news: FlowNews, number: number) => void;
  /** Called when notices of the venue may have been missed. */
  readonly onGap: () => void;
  /** Called when changes up to `number` may be missing. */
  readonly onMissing: (number: number, why: Missing) => void;
}

interface Entry {
  readonly number: number;
  readonly news: FlowNews | Gap;
}

interface Kept {
  entries: Entry[];
  /** Changes of the kind up to this number are no longer retained. */
  forgottenTo: number;
}

/** More changes than a millisecond can hold, so that a later history starts above every earlier one. */
const NUMBERS_A_MS = 1_000;

export class AccountMemory {
  readonly #base: number;
  readonly #keptMax: number;
  readonly #kept: Readonly<Record<FlowKind, Kept>>;
  readonly #readers = new Set<FlowReader>();
  #newest: number;

  /** Retains between `keptMax` and twice as many changes of each kind. */
  constructor({ now, keptMax }: { readonly now: Instant; readonly keptMax: number }) {
    this.#base = now * NUMBERS_A_MS;
    this.#newest = this.#base;
    this.#keptMax = keptMax;
    const empty = (): Kept => ({ entries: [], forgottenTo: this.#base });
    this.#kept = { order: empty(), trade: empty() };
  }

  get isRead(): boolean {
    return this.#readers.size > 0;
  }

  readonly receive = (news: VenueNotice): void => {
    if (news.kind === 'account') return;
    this.#newest += 1;
    const entry = { number: this.#newest, news };
    if (news.kind !== 'trade') this.#keep('order', entry);
    if (news.kind !== 'order') this.#keep('trade', entry);
    for (const reader of this.#readers) publish(reader, entry);
  };

  /** Subscribes from now on. */
  follow(reader: FlowReader): Leave {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** Replays the changes after `after`, or reports that they are not known, and then subscribes. */
  resume(reader: FlowReader, after: number): Leave {
    const missing = this.#missing(reader, after);
    if (missing !== undefined) reader.onMissing(this.#newest, missing);
    else for (const entry of this.#since(reader, after)) publish(reader, entry);
    return this.follow(reader);
  }

  #missing({ kinds }: FlowReader, after: number): Missing | undefined {
    if (after < this.#base || after > this.#newest) return 'forgotten';
    return kinds.some((kind) => after < this.#kept[kind].forgottenTo) ? 'too_much' : undefined;
  }

  /** A gap is retained with both kinds but reported once. */
  #since({ kinds }: FlowReader, after: number): readonly Entry[] {
    const found = new Map<number, Entry>();
    for (const kind of kinds) {
      for (const entry of this.#kept[kind].entries) {
        if (entry.number > after) found.set(entry.number, entry);
      }
    }
    return [...found.values()].sort((a, b) => a.number - b.number);
  }

  #keep(kind: FlowKind, entry: Entry): void {
    const kept = this.#kept[kind];
    kept.entries.push(entry);
    if (kept.entries.length < 2 * this.#keptMax) return;
    const left = kept.entries.splice(0, kept.entries.length - this.#keptMax);
    kept.forgottenTo = left.at(-1)?.number ?? kept.forgottenTo;
  }
}

function publish(reader: FlowReader, { news, number }: Entry): void {
  if (news.kind === 'reconnected') reader.onGap();
  else if (reader.kinds.includes(news.kind)) reader.receive(news, number);
}

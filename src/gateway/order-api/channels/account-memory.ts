// What happened lately to the orders of an account, numbered, so that a client that comes back hears what it
// missed. Numbers rise from the moment the memory began: those of another process or of before a restart are
// not in it.
import type { DeskNews } from '../../../ports/trading-desk.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Leave } from './market-channels.ts';

export type FlowNews = Extract<DeskNews, { readonly kind: 'order' | 'trade' }>;
export type FlowKind = FlowNews['kind'];
type Gap = Extract<DeskNews, { readonly kind: 'reconnected' }>;

/** Why what was missed cannot be told: it is no more kept, or the number is not of this memory. */
export type Missing = 'too_much' | 'forgotten';

export interface FlowReader {
  readonly kinds: readonly FlowKind[];
  readonly hear: (news: FlowNews, number: number) => void;
  /** The venue may have missed something. */
  readonly onGap: () => void;
  /** What happened up to `number` may be missing. */
  readonly onMissing: (number: number, why: Missing) => void;
}

interface Entry {
  readonly number: number;
  readonly news: FlowNews | Gap;
}

interface Kept {
  entries: Entry[];
  /** Up to this number something of the kind is kept no more. */
  forgottenTo: number;
}

/** More than news there can be in a millisecond: a later memory begins above every earlier one. */
const NUMBERS_A_MS = 1_000;

export class AccountMemory {
  readonly #base: number;
  readonly #keptMax: number;
  readonly #kept: Readonly<Record<FlowKind, Kept>>;
  readonly #readers = new Set<FlowReader>();
  #newest: number;

  /** Of each kind between `keptMax` and twice as many are kept. */
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

  readonly hear = (news: DeskNews): void => {
    if (news.kind === 'account') return;
    this.#newest += 1;
    const entry = { number: this.#newest, news };
    if (news.kind !== 'trade') this.#keep('order', entry);
    if (news.kind !== 'order') this.#keep('trade', entry);
    for (const reader of this.#readers) tell(reader, entry);
  };

  /** From now on. */
  follow(reader: FlowReader): Leave {
    this.#readers.add(reader);
    return () => void this.#readers.delete(reader);
  }

  /** At once what happened behind `after`, or that it is not known; then what happens from now on. */
  resume(reader: FlowReader, after: number): Leave {
    const missing = this.#missing(reader, after);
    if (missing !== undefined) reader.onMissing(this.#newest, missing);
    else for (const entry of this.#since(reader, after)) tell(reader, entry);
    return this.follow(reader);
  }

  #missing({ kinds }: FlowReader, after: number): Missing | undefined {
    if (after < this.#base || after > this.#newest) return 'forgotten';
    return kinds.some((kind) => after < this.#kept[kind].forgottenTo) ? 'too_much' : undefined;
  }

  /** A gap is kept with both kinds, and told once. */
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

function tell(reader: FlowReader, { news, number }: Entry): void {
  if (news.kind === 'reconnected') reader.onGap();
  else if (reader.kinds.includes(news.kind)) reader.hear(news, number);
}

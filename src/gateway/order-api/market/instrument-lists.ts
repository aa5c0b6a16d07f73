// Lists of instruments as bytes ready to send, one per distinct query. A list rarely changes: it is serialised
// once, in chunks, and again when the listing has changed or one of its instruments has expired.
import type { MarketReads } from '../../../ports/market-reads.ts';
import type { Instant } from '../../../values/instant.ts';
import { type Instrument, isSameListing } from '../../../values/instrument.ts';
import { ReadyJson } from '../../wire/ready-json.ts';

export interface InstrumentQuestion {
  /** Settlement currency; absent: any. */
  readonly currency: string | undefined;
  readonly kinds: readonly Instrument['kind'][] | undefined;
  readonly expired: boolean;
}

interface Kept {
  readonly listed: readonly Instrument[];
  /** When the next instrument of the list expires. */
  readonly until: number;
  readonly json: ReadyJson | Promise<ReadyJson>;
  bytes: number;
}

/** Instruments serialised without yielding. */
const IN_A_ROW = 100;
const KEPT_BYTES_MAX = 16 * 1_024 * 1_024;
const KEPT_MAX = 64;

/** One cache per owner of the instruments, kept as long as the owner. */
export function listsPer<O extends object>(
  make: () => InstrumentLists,
): (owner: O) => InstrumentLists {
  const lists = new WeakMap<O, InstrumentLists>();
  return (owner) => {
    const known = lists.get(owner) ?? make();
    lists.set(owner, known);
    return known;
  };
}

export class InstrumentLists {
  readonly #kept = new Map<string, Kept>();
  /** The last serialised form of each instrument, and whether it was active then. */
  readonly #written = new WeakMap<
    Instrument,
    { readonly active: boolean; readonly json: string }
  >();
  readonly #viewOf: (instrument: Instrument, now: Instant) => unknown;
  readonly #inOrder: (instruments: Instrument[]) => readonly Instrument[];

  /** `inOrder` sorts a list; default: as the venue lists it. */
  constructor(
    viewOf: (instrument: Instrument, now: Instant) => unknown,
    inOrder: (instruments: Instrument[]) => readonly Instrument[] = (as) => as,
  ) {
    this.#viewOf = viewOf;
    this.#inOrder = inOrder;
  }

  /** Synchronous if the list, or every instrument of it, has been serialised before. */
  find(
    markets: readonly Pick<MarketReads, 'listed'>[],
    question: InstrumentQuestion,
    now: Instant,
  ): ReadyJson | Promise<ReadyJson> {
    const { currency, kinds, expired } = question;
    const name = `${currency ?? ''} ${[...new Set(kinds ?? ['any'])].sort().join()} ${expired}`;
    const listed = markets.flatMap((market) => [...market.listed({ expired })]);
    const kept = this.#kept.get(name);
    if (kept !== undefined && now < kept.until && isSameListing(kept.listed, listed))
      return kept.json;
    const wanted = this.#inOrder(
      listed.filter(
        (one) =>
          (currency === undefined || one.settlement === currency) &&
          (kinds === undefined || kinds.includes(one.kind)),
      ),
    );
    const made: Kept = {
      listed,
      until: validUntil(wanted, now),
      json: this.#write(wanted, now),
      bytes: 0,
    };
    this.#keep(name, made);
    if (!(made.json instanceof Promise)) return made.json;
    return made.json.then((json) => {
      if (this.#kept.get(name) === made) this.#keep(name, { ...made, json });
      return json;
    });
  }

  #keep(name: string, made: Kept): void {
    this.#kept.delete(name);
    if (made.json instanceof ReadyJson) made.bytes = made.json.bytes.length;
    this.#kept.set(name, made);
    let bytes = 0;
    for (const one of this.#kept.values()) bytes += one.bytes;
    for (const [oldest, { bytes: its }] of this.#kept) {
      if (oldest === name) return;
      if (bytes <= KEPT_BYTES_MAX && this.#kept.size <= KEPT_MAX) return;
      this.#kept.delete(oldest);
      bytes -= its;
    }
  }

  #write(instruments: readonly Instrument[], now: Instant): ReadyJson | Promise<ReadyJson> {
    const left = instruments.filter((one) => this.#known(one, now) === undefined);
    for (const one of left.slice(0, IN_A_ROW)) this.#writeOne(one, now);
    if (left.length <= IN_A_ROW) return this.#joined(instruments, now);
    return this.#writeRest(left.slice(IN_A_ROW), now).then(() => this.#joined(instruments, now));
  }

  async #writeRest(left: readonly Instrument[], now: Instant): Promise<void> {
    for (let at = 0; at < left.length; at += IN_A_ROW) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      for (const one of left.slice(at, at + IN_A_ROW)) this.#writeOne(one, now);
    }
  }

  #joined(instruments: readonly Instrument[], now: Instant): ReadyJson {
    const texts = instruments.map((one) => this.#known(one, now) ?? this.#writeOne(one, now));
    return new ReadyJson(Buffer.from(`[${texts.join(',')}]`));
  }

  #known(instrument: Instrument, now: Instant): string | undefined {
    const written = this.#written.get(instrument);
    return written?.active === isActive(instrument, now) ? written.json : undefined;
  }

  #writeOne(instrument: Instrument, now: Instant): string {
    const json = JSON.stringify(this.#viewOf(instrument, now));
    this.#written.set(instrument, { active: isActive(instrument, now), json });
    return json;
  }
}

const isActive = ({ expiresAt }: Instrument, now: Instant): boolean =>
  expiresAt === undefined || expiresAt > now;

function validUntil(instruments: readonly Instrument[], now: Instant): number {
  let until = Number.POSITIVE_INFINITY;
  for (const { expiresAt } of instruments) {
    if (expiresAt !== undefined && expiresAt > now && expiresAt < until) until = expiresAt;
  }
  return until;
}

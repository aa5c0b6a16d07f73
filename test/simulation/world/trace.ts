// A hash over everything that happened in a run: two runs with the same hash had the same trace.
import type { Turn } from '../../../src/ports/ledger.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';

const PRIME = 0x01000193;

/** The events of one turn. */
export interface WrittenText {
  readonly text: string;
  /** Events in it. */
  readonly count: number;
}

export class Trace {
  #low = 1;
  #high = 2;
  readonly #keeps: boolean;
  readonly lines: string[] = [];
  readonly #texts = new Map<PortfolioId, WrittenText[]>();

  /** `keeps`: also keeps the lines themselves, for debugging. */
  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  add(atMs: number, what: string, detail: unknown): void {
    this.#line(atMs, what, JSON.stringify(detail) ?? '');
  }

  /** A turn that is durable now; `daemon` decided it. */
  written(atMs: number, daemon: number, { portfolio, events }: Turn): void {
    const text = JSON.stringify(events);
    this.#line(atMs, `written ${daemon} ${portfolio}`, text);
    const known = this.#texts.get(portfolio);
    const written = { text, count: events.length };
    if (known === undefined) this.#texts.set(portfolio, [written]);
    else known.push(written);
  }

  /** The events of each durable turn of a portfolio, as the text they were in that moment. */
  textsOf(portfolio: PortfolioId): readonly WrittenText[] {
    return this.#texts.get(portfolio) ?? [];
  }

  #line(atMs: number, what: string, detail: string): void {
    const line = `${atMs} ${what} ${detail}`;
    this.#take(line);
    if (this.#keeps) this.lines.push(line);
  }

  /** 16 hex digits over the lines in their order. */
  get hash(): string {
    return [this.#low, this.#high]
      .map((half) => mixed(half).toString(16).padStart(8, '0'))
      .join('');
  }

  /** FNV-1a twice in one pass, from two beginnings; the second half takes each unit turned around. */
  #take(line: string): void {
    let [low, high] = [this.#low, this.#high];
    for (let i = 0; i < line.length; i += 1) {
      const unit = line.charCodeAt(i);
      low = Math.imul(low ^ unit, PRIME);
      high = Math.imul(high ^ (unit + i), PRIME);
    }
    this.#low = Math.imul(low ^ line.length, PRIME);
    this.#high = Math.imul(high ^ (high >>> 15), PRIME);
  }
}

/** Every bit of what was taken in touches every bit of what is shown. */
function mixed(half: number): number {
  let hash = half ^ (half >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

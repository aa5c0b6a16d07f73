// The trades of one instrument that were recorded last, so that one that is published twice is recorded once, and the
// venue's own count of its trades shows how many were never published to us.
import type { PublicTrade } from '../ports/market-history.ts';

/** More than a venue repeats after a reconnect. */
export const KNOWN_TRADES_MAX = 1_000;

export type Judged =
  | { readonly kind: 'new'; readonly missed: number }
  /** Recorded before. */
  | { readonly kind: 'double' };

export class KnownTrades {
  readonly #lines = new Set<string>();
  #lastSeq: number | undefined;

  /** `lines` are the last recorded ones, oldest first. */
  constructor(lines: readonly string[] = []) {
    for (const line of lines) this.#remember(identityOf(line));
  }

  /** `line` as it would be recorded. An id alone is not enough: a paper exchange counts again after a restart. */
  judge({ tradeSeq }: Pick<PublicTrade, 'tradeSeq'>, line: string): Judged {
    const identity = identityOf(line);
    if (this.#lines.has(identity)) return { kind: 'double' };
    this.#remember(identity);
    const expected = (this.#lastSeq ?? tradeSeq - 1) + 1;
    this.#lastSeq = tradeSeq;
    return { kind: 'new', missed: Math.max(0, tradeSeq - expected) };
  }

  #remember(identity: string): void {
    this.#lines.add(identity);
    if (this.#lines.size <= KNOWN_TRADES_MAX) return;
    const [oldest] = this.#lines;
    if (oldest !== undefined) this.#lines.delete(oldest);
  }
}

/** A line without its arrival, which is the fourth field. */
const identityOf = (line: string): string => line.replace(/^((?:[^,]*,){3})\d+,/, '$1');

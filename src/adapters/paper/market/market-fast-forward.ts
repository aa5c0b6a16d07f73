// Decides when a market may pass over its rows: while nobody could notice any of them. That is looked up once after each
// change, because most rows change nothing of it.
import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarketCommand } from '../../../exchange/exchange-command.ts';
import type { MarketSource, PassingMarket } from '../../../exchange/market/market-source.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { earliest, type Instant } from '../../../values/instant.ts';
import type { SessionClock } from '../journal/session-clock.ts';
import type { BooksInUse } from './books-in-use.ts';
import type { ComboBooks } from './combo-books.ts';
import type { MarketTape } from './market-tape.ts';
import type { OpenPositions } from './open-positions.ts';

export interface MarketFastForwardParts {
  readonly exchange: Exchange;
  readonly market: MarketSource;
  readonly books: BooksInUse;
  readonly tape: MarketTape;
  readonly combos: ComboBooks;
  readonly held: OpenPositions;
  readonly session: SessionClock;
  /** Books that the market updates. */
  readonly started: ReadonlySet<InstrumentName>;
  /** Books that wait for the end of a pause. */
  readonly awaited: ReadonlySet<InstrumentName>;
}

export class MarketFastForward {
  readonly #parts: MarketFastForwardParts;
  readonly #passing: PassingMarket | undefined;
  #isCalm: boolean | undefined;

  constructor(parts: MarketFastForwardParts) {
    this.#parts = parts;
    this.#passing = parts.market.passing;
  }

  /** To be called after each change of what the answer depends on. */
  changed(): void {
    this.#isCalm = undefined;
  }

  get isBehind(): boolean {
    return this.#passing?.isBehind === true;
  }

  /** What the exchange has to receive of the rows that were passed over. */
  overdue(): readonly MarketCommand[] {
    return this.#passing?.overdue() ?? [];
  }

  /** Passes over what is due at `now` and before `before`; false if the exchange has to see it. */
  pass(now: Instant, before: Instant): boolean {
    if (this.#passing === undefined) return false;
    const { dueAt } = this.#parts.session;
    if (now >= dueAt || this.#parts.session.isPaused(now)) return false;
    this.#isCalm ??= this.#looksCalm();
    return this.#isCalm && this.#passing.pass(now, earliest(before, dueAt));
  }

  #looksCalm(): boolean {
    const { exchange, books, tape, combos, held, started, awaited } = this.#parts;
    if (awaited.size > 0 || exchange.rfqs.dueAt() !== undefined) return false;
    if ([...combos.names()].length > 0 || exchange.liquidationBooks().size > 0) return false;
    for (const name of held.names()) if (!started.has(name)) return false;
    for (const name of started) {
      if (!books.isWatchedOnly(name) || tape.isFollowed(name) || !exchange.isPlain(name)) {
        return false;
      }
    }
    return true;
  }
}

// A recorded market: rows are fed in ahead of time and become commands when they are due. It never guesses
// what was not recorded; if a book has no rows for longer than `holeMs`, it is withdrawn until the next row.
import type { Price } from '../../values/amounts.ts';
import { assert, must } from '../../values/assert.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { type Instant, instant, later } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import type {
  MarketCommand,
  SetReferenceCommand,
  WithdrawBookCommand,
} from '../exchange-command.ts';
import type { QueueModel } from '../model/queue-model.ts';
import type { MarketSource, UserTrade } from './market-source.ts';
import type { ImpactModel } from './own-impact.ts';
import { type RecordedInstrument, RecordedSymbol, type SymbolModels } from './recorded-symbol.ts';

export interface RecordedMarketSettings {
  readonly instruments: readonly RecordedInstrument[];
  /** The longest gap for which the latest row of a book is still shown. */
  readonly holeMs: number;
  /** Default `arrival`. */
  readonly queue?: QueueModel | undefined;
  /** What orders that take do to the prices of following rows. Default: nothing. */
  readonly impact?: ImpactModel | undefined;
}

/** Rows are dropped from the front of the queue in batches of this size. */
const COMPACT_ABOVE = 8_192;

export class RecordedMarket implements MarketSource {
  readonly #symbols: Map<string, RecordedSymbol>;
  #instruments: readonly Instrument[];
  readonly #holeMs: number;
  readonly #models: SymbolModels;
  #rows: RecordedEvent[] = [];
  #next = 0;
  #isComplete = false;
  #startedCount = 0;
  #lastNow = instant(0);

  constructor({ instruments, holeMs, queue, impact }: RecordedMarketSettings) {
    this.#models = { queue, impact };
    this.#symbols = new Map(
      instruments.map((each) => [
        each.instrument.name as string,
        new RecordedSymbol(each, this.#models),
      ]),
    );
    this.#instruments = instruments.map(({ instrument }) => instrument);
    this.#holeMs = holeMs;
  }

  /** Adds an instrument, unless it is known. */
  add(each: RecordedInstrument): void {
    const { instrument } = each;
    if (this.#symbols.has(instrument.name)) return;
    this.#symbols.set(instrument.name, new RecordedSymbol(each, this.#models));
    this.#instruments = [...this.#instruments, instrument];
  }

  /** Rows that are not due yet. */
  get waiting(): number {
    return this.#rows.length - this.#next;
  }

  /** Adds rows in chronological order, after all rows fed before. */
  feed(rows: readonly RecordedEvent[]): void {
    if (this.#next > COMPACT_ABOVE) {
      this.#rows = this.#rows.slice(this.#next);
      this.#next = 0;
    }
    for (const row of rows) this.#rows.push(row);
  }

  /** Declares that no more rows will be fed. */
  complete(): void {
    this.#isComplete = true;
  }

  /** Processes the rows before `now`, to free their memory; call before anything is started. */
  catchUp(now: Instant): void {
    assert(this.#startedCount === 0, 'an instrument has already been started');
    this.#drain(now);
  }

  instruments(now: Instant): readonly Instrument[] {
    const isOver = ({ expiresAt }: Instrument): boolean =>
      expiresAt !== undefined && expiresAt <= now;
    return this.#instruments.some(isOver)
      ? this.#instruments.filter((instrument) => !isOver(instrument))
      : this.#instruments;
  }

  instrument(name: InstrumentName, now: Instant): Instrument | undefined {
    const instrument = this.#symbols.get(name)?.instrument;
    const { expiresAt } = instrument ?? {};
    return expiresAt !== undefined && expiresAt <= now ? undefined : instrument;
  }

  start(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const commands = this.#drain(now);
    const symbol = must(this.#symbols.get(name), `${name} is not recorded`);
    assert(!symbol.isStarted, `${name} has already been started`);
    symbol.isStarted = true;
    this.#startedCount += 1;
    commands.push({ kind: 'list_instrument', now, instrument: symbol.instrument });
    const { rowAt } = symbol;
    if (rowAt === undefined) return commands;
    if (now - rowAt > this.#holeMs) symbol.isSilent = true;
    else commands.push(...symbol.bookCommands(now));
    return commands;
  }

  step(now: Instant): readonly MarketCommand[] {
    const commands = this.#drain(now);
    for (const symbol of this.#symbols.values()) {
      const silence = this.#silence(symbol, now);
      if (silence !== undefined) commands.push(silence);
    }
    return commands;
  }

  stop(name: InstrumentName, now: Instant): readonly MarketCommand[] {
    const symbol = this.#symbols.get(name);
    if (symbol === undefined || !symbol.isStarted) return [];
    symbol.isStarted = false;
    this.#startedCount -= 1;
    return [{ kind: 'withdraw_book', now, instrument: name }];
  }

  reference(name: InstrumentName, now: Instant): SetReferenceCommand | undefined {
    return this.#symbols.get(name)?.referenceCommand(now);
  }

  nextStepAt(now: Instant): Instant | undefined {
    if (this.#startedCount === 0) return undefined;
    const row = this.#rows[this.#next];
    // More rows are being read: poll again at once.
    if (row === undefined && !this.#isComplete) return now;
    let next: number = row?.at ?? Number.POSITIVE_INFINITY;
    for (const symbol of this.#symbols.values()) {
      if (!symbol.isStarted || symbol.isSilent || symbol.rowAt === undefined) continue;
      next = Math.min(next, symbol.rowAt + this.#holeMs + 1);
    }
    return Number.isFinite(next) ? instant(next) : undefined;
  }

  noteUserTrade(name: InstrumentName, trade: UserTrade): void {
    if (trade.liquidity === 'taker') this.#symbols.get(name)?.noteTaken(trade);
  }

  deliveryPrice(instrument: Instrument): Price {
    const symbol = must(this.#symbols.get(instrument.name), `${instrument.name} is not recorded`);
    return must(
      symbol.deliveryPrice(this.#lastNow),
      `${instrument.name} expires without a price in the recording`,
    );
  }

  /** Processes all rows up to `now`, in order. */
  #drain(now: Instant): MarketCommand[] {
    this.#lastNow = now;
    const commands: MarketCommand[] = [];
    for (let row = this.#rows[this.#next]; row && row.at <= now; row = this.#rows[this.#next]) {
      this.#next += 1;
      const symbol = this.#symbols.get(row.symbol);
      if (symbol !== undefined) this.#take(symbol, row, { now, commands });
    }
    return commands;
  }

  #take(
    symbol: RecordedSymbol,
    row: RecordedEvent,
    { now, commands }: { readonly now: Instant; readonly commands: MarketCommand[] },
  ): void {
    const isHeard = symbol.isStarted && this.instrument(symbol.instrument.name, now) !== undefined;
    switch (row.kind) {
      case 'book':
        symbol.takeBook(row);
        if (isHeard) commands.push(...symbol.bookCommands(now));
        return;
      case 'trade': {
        const command = symbol.tradeCommand(row, now);
        if (isHeard && command !== undefined) commands.push(command);
        return;
      }
      case 'ticker': {
        symbol.takeTicker(row);
        // A mark price without a book would make an old quote look current.
        const isShown = isHeard && symbol.rowAt !== undefined && !symbol.isSilent;
        const command = isShown ? symbol.referenceCommand(now) : undefined;
        if (command !== undefined) commands.push(command, ...symbol.bookCommands(now));
        return;
      }
    }
  }

  #silence(symbol: RecordedSymbol, now: Instant): WithdrawBookCommand | undefined {
    const { rowAt, isStarted, isSilent } = symbol;
    if (!isStarted || isSilent || rowAt === undefined) return undefined;
    if (now <= later(rowAt, this.#holeMs)) return undefined;
    symbol.isSilent = true;
    return { kind: 'withdraw_book', now, instrument: symbol.instrument.name };
  }
}

// A recorded market: rows are fed in ahead of time and become commands when they are due. It never guesses
// what was not recorded; if a book has no rows for longer than `holeMs`, it is withdrawn until the next row.
import type { Price } from '../../values/amounts.ts';
import { assert, must } from '../../values/assert.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { type Instant, instant, later } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { BOOK, RecordedBlock, TICKER } from '../../values/recorded/recorded-block.ts';
import { EventRows, type RecordedRows } from '../../values/recorded/row-batch.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import type {
  MarketCommand,
  SetReferenceCommand,
  WithdrawBookCommand,
} from '../exchange-command.ts';
import type { QueueModel } from '../model/queue-model.ts';
import type { MarketSource, PassingMarket, UserTrade } from './market-source.ts';
import type { ImpactModel } from './own-impact.ts';
import { type RecordedInstrument, RecordedSymbol, type SymbolModels } from './recorded-symbol.ts';

export interface RecordedMarketSettings {
  /** The legs of a combo before it. */
  readonly instruments: readonly RecordedInstrument[];
  /** The longest gap for which the latest row of a book is still shown. */
  readonly holeMs: number;
  /** Default `arrival`. */
  readonly queue?: QueueModel | undefined;
  /** What orders that take do to the prices of following rows. Default: nothing. */
  readonly impact?: ImpactModel | undefined;
  /** Rows that concern no order may be passed over. Default: each is shown to the exchange in its time. */
  readonly mayPass?: boolean | undefined;
}

type Symbols = (RecordedSymbol | null | undefined)[];

/** The rows of one step. */
interface Taking {
  readonly now: Instant;
  readonly commands: MarketCommand[];
}

export class RecordedMarket implements MarketSource, PassingMarket {
  readonly #symbols: Map<string, RecordedSymbol>;
  #instruments: readonly Instrument[];
  readonly #holeMs: number;
  readonly #models: SymbolModels;
  readonly passing: PassingMarket | undefined;
  /** Batches of rows that are not due yet, and the next row of the first of them. */
  #rows: RecordedRows[] = [];
  #next = 0;
  /** Of all batches together. */
  #waiting = 0;
  /** By the names of a batch in columns: those of one recording are one array. */
  readonly #numbered = new Map<readonly string[], Symbols>();
  /** The time of the latest row that was passed over since the exchange was shown everything. */
  #passedAt: Instant | undefined;
  /** No book is silent before this. */
  #silentAt = 0;
  #isComplete = false;
  #startedCount = 0;
  #lastNow = instant(0);

  constructor({ instruments, holeMs, queue, impact, mayPass }: RecordedMarketSettings) {
    this.passing = mayPass === true ? this : undefined;
    this.#models = { queue, impact };
    this.#symbols = new Map();
    for (const each of instruments) this.#symbols.set(each.instrument.name, this.#symbolOf(each));
    this.#instruments = instruments.map(({ instrument }) => instrument);
    this.#holeMs = holeMs;
  }

  /** Adds an instrument, unless it is known. */
  add(each: RecordedInstrument): void {
    const { instrument } = each;
    if (this.#symbols.has(instrument.name)) return;
    this.#symbols.set(instrument.name, this.#symbolOf(each));
    this.#instruments = [...this.#instruments, instrument];
  }

  #symbolOf(each: RecordedInstrument): RecordedSymbol {
    const legs = each.instrument.legs?.map(({ instrument, ratio }) => ({
      ratio,
      symbol: must(this.#symbols.get(instrument), () => `${instrument} is a leg and recorded`),
    }));
    return new RecordedSymbol(each, this.#models, legs);
  }

  /** Rows that are not due yet. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Adds rows in chronological order, after all rows fed before. */
  feed(rows: readonly RecordedEvent[]): void {
    this.feedRows(new EventRows(rows));
  }

  /** {@link feed} of a batch. */
  feedRows(rows: RecordedRows): void {
    if (rows.count === 0) return;
    this.#rows.push(rows);
    this.#waiting += rows.count;
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
    this.#silentAt = 0;
    this.#startedCount += 1;
    commands.push({ kind: 'list_instrument', now, instrument: symbol.instrument });
    const { rowAt } = symbol;
    if (rowAt === undefined) return commands;
    if (now - rowAt > this.#holeMs) symbol.isSilent = true;
    else commands.push(...symbol.bookCommands(now));
    return commands;
  }

  pass(now: Instant, before: Instant): boolean {
    for (const symbol of this.#symbols.values()) if (!symbol.canPass(now)) return false;
    for (let rows = this.#rows[0]; rows !== undefined; rows = this.#rows[0]) {
      if (rows instanceof RecordedBlock) {
        if (!this.#passIn(rows, now, before)) break;
      } else if (rows.at(this.#next) <= now) return false;
      else break;
    }
    return now < this.#nextSilence(now + 1);
  }

  get isBehind(): boolean {
    return this.#passedAt !== undefined;
  }

  overdue(): readonly MarketCommand[] {
    const now = this.#passedAt;
    if (now === undefined) return [];
    this.#passedAt = undefined;
    return [...this.#symbols.values()].flatMap((symbol) => symbol.overdue(now));
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
    const rows = this.#rows[0];
    // More rows are being read: poll again at once.
    if (rows === undefined && !this.#isComplete) return now;
    const rowAt: number = rows?.at(this.#next) ?? Number.POSITIVE_INFINITY;
    // Silences are seldom due before the next row: then they need not be looked up.
    const next = rowAt <= this.#silentAt ? rowAt : Math.min(rowAt, this.#nextSilence());
    return Number.isFinite(next) ? instant(next) : undefined;
  }

  noteUserTrade(name: InstrumentName, trade: UserTrade): void {
    if (trade.liquidity === 'taker') this.#symbols.get(name)?.noteTaken(trade);
  }

  deliveryPrice(instrument: Instrument): Price | undefined {
    const symbol = must(this.#symbols.get(instrument.name), `${instrument.name} is not recorded`);
    return symbol.deliveryPrice(this.#lastNow);
  }

  /** Passes over rows of the batch; true if it is used up. */
  #passIn(block: RecordedBlock, now: Instant, before: Instant): boolean {
    const symbols = this.#symbolsOf(block);
    const { count } = block;
    const from = this.#next;
    let row = from;
    let at = 0;
    for (; row < count; row += 1) {
      const rowAt = block.at(row);
      if (rowAt > now && (rowAt >= before || rowAt > this.#nextSilence(rowAt))) break;
      at = rowAt;
      this.#symbolIn(block, row, symbols)?.pass(block, row);
    }
    if (row > from) this.#passedAt = instant(Math.max(now, at));
    this.#waiting -= row - from;
    this.#next = row;
    if (row < count) return false;
    this.#dropFirst();
    return true;
  }

  #dropFirst(): void {
    this.#rows.shift();
    this.#next = 0;
  }

  #symbolsOf({ columns: { names } }: RecordedBlock): Symbols {
    const known = this.#numbered.get(names);
    if (known !== undefined) return known;
    const symbols: Symbols = [];
    this.#numbered.set(names, symbols);
    return symbols;
  }

  #symbolIn({ columns }: RecordedBlock, row: number, symbols: Symbols): RecordedSymbol | undefined {
    const number = columns.symbols[row] ?? 0;
    const known = symbols[number];
    if (known !== undefined) return known ?? undefined;
    const symbol = this.#symbols.get(columns.names[number] ?? '');
    symbols[number] = symbol ?? null;
    return symbol;
  }

  /** When the first of the shown books is silent for too long; looked up only if that may be before `at`. */
  #nextSilence(at = Number.POSITIVE_INFINITY): number {
    if (at <= this.#silentAt) return this.#silentAt;
    let next = Number.POSITIVE_INFINITY;
    for (const symbol of this.#symbols.values()) {
      if (!symbol.isStarted || symbol.isSilent || symbol.rowAt === undefined) continue;
      next = Math.min(next, symbol.rowAt + this.#holeMs + 1);
    }
    this.#silentAt = Number.isFinite(next) ? next : 0;
    return next;
  }

  /** What is overdue, and all rows up to `now`, in order. */
  #drain(now: Instant): MarketCommand[] {
    this.#lastNow = now;
    const commands: MarketCommand[] = [...this.overdue()];
    for (let rows = this.#rows[0]; rows !== undefined; rows = this.#rows[0]) {
      const from = this.#next;
      while (this.#next < rows.count && rows.at(this.#next) <= now) {
        this.#takeFrom(rows, { now, commands });
        this.#next += 1;
      }
      this.#waiting -= this.#next - from;
      if (this.#next < rows.count) break;
      this.#dropFirst();
    }
    return commands;
  }

  #takeFrom(rows: RecordedRows, taking: Taking): void {
    const row = this.#next;
    if (rows instanceof RecordedBlock) {
      const symbol = this.#symbolIn(rows, row, this.#symbolsOf(rows));
      if (symbol !== undefined) this.#takeOf(symbol, { block: rows, row }, taking);
      return;
    }
    const event = rows.event(row);
    const symbol = this.#symbols.get(event.symbol);
    if (symbol !== undefined) this.#take(symbol, event, taking);
  }

  #takeOf(
    symbol: RecordedSymbol,
    { block, row }: { readonly block: RecordedBlock; readonly row: number },
    taking: Taking,
  ): void {
    const kind = block.columns.kinds[row];
    if (kind === TICKER) return this.#take(symbol, block.event(row), taking);
    const { now, commands } = taking;
    const isHeard = this.#isHeard(symbol, now);
    if (kind === BOOK) {
      symbol.takeBookOf(block, row);
      if (isHeard) commands.push(...symbol.bookCommands(now));
      return;
    }
    const command = symbol.tradeCommandOf(block, row, now);
    if (isHeard && command !== undefined) commands.push(command);
  }

  #isHeard({ isStarted, instrument }: RecordedSymbol, now: Instant): boolean {
    return isStarted && this.instrument(instrument.name, now) !== undefined;
  }

  #take(symbol: RecordedSymbol, row: RecordedEvent, { now, commands }: Taking): void {
    const isHeard = this.#isHeard(symbol, now);
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

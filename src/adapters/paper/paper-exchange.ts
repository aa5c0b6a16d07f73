// The exchange with its market source and its journal, one synchronous step at a time: the effects of a
// command or of the market are written before a call returns, and delivered once.

import type { Exchange } from '../../exchange/exchange.ts';
import type {
  AnswerOf,
  HoldMarginsCommand,
  MarketCommand,
  UserCommand,
} from '../../exchange/exchange-command.ts';
import type { AccountEvent } from '../../exchange/exchange-event.ts';
import {
  RfqMakers,
  type RfqMakersSettings,
  type RfqScene,
} from '../../exchange/market/block-makers/rfq-makers.ts';
import type { MarketSource } from '../../exchange/market/market-source.ts';
import type { ReleasedOrder } from '../../exchange/model/speed-bumps.ts';
import type { SeatRfqMakersCommand } from '../../exchange/rfq/rfq-command.ts';
import { TapeMemory } from '../../exchange/tape/tape-memory.ts';
import type { MarketNews } from '../../ports/market-reads.ts';
import type { QuoteChanged } from '../../ports/venue.ts';
import { assert, must } from '../../values/assert.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import { earliest, type Instant, later, latest, MINUTE_MS } from '../../values/instant.ts';
import { type Instrument, isCombo } from '../../values/instrument.ts';
import { futureNameOf } from '../../values/instrument-names.ts';
import type { Quote } from '../../values/quote.ts';
import type { PaperJournal } from './journal/paper-journal.ts';
import { SessionClock, type SessionStep } from './journal/session-clock.ts';
import { BooksInUse } from './market/books-in-use.ts';
import { ComboBooks } from './market/combo-books.ts';
import { MarketFastForward } from './market/market-fast-forward.ts';
import { MarketTape } from './market/market-tape.ts';
import { OpenPositions } from './market/open-positions.ts';
import { paperQuote } from './market/paper-quote.ts';
import { rfqScene } from './rfq/rfq-scene.ts';

/** How often positions in books that are not in use are revalued. */
const MARK_MS = MINUTE_MS;

export interface PaperExchangeOptions {
  readonly exchange: Exchange;
  readonly market: MarketSource;
  readonly journal: PaperJournal | undefined;
  /** The time of the exchange's last activity: settlements missed since then are made up. */
  readonly lastAt: Instant;
  readonly openOrders: ConstructorParameters<typeof BooksInUse>[0];
  readonly positions: ConstructorParameters<typeof OpenPositions>[0];
  /** How long books pause at the daily settlement. */
  readonly settlementPauseMs: number;
  /** Accounts whose own orders are excluded from quotes. */
  readonly quotesWithout: ReadonlySet<AccountId>;
  /** Bots that quote Block RFQs. Absent: only users quote. */
  readonly rfqMakers?: RfqMakersSettings | undefined;
}

export class PaperExchange {
  /** The public tape of all instruments, as far as it is retained. */
  readonly tape = new TapeMemory();
  readonly #exchange: Exchange;
  readonly #market: MarketSource;
  readonly #journal: PaperJournal | undefined;
  readonly #books: BooksInUse;
  readonly #tape: MarketTape;
  readonly #combos: ComboBooks;
  readonly #quotesWithout: ReadonlySet<AccountId>;
  readonly #started = new Set<InstrumentName>();
  /** When the market source last updated an instrument. */
  readonly #seenAt = new Map<InstrumentName, Instant>();
  #quotes = new Map<InstrumentName, Quote | undefined>();
  readonly #held: OpenPositions;
  readonly #session: SessionClock;
  readonly #passed: MarketFastForward;
  readonly #rfqMakers: RfqMakers | undefined;
  readonly #rfqScene: RfqScene;
  /** Books requested during a pause: they are started when it ends. */
  readonly #awaited = new Set<InstrumentName>();
  /** When positions in books that are not in use are revalued next. */
  #marksAt: Instant;
  #events: AccountEvent[] = [];

  constructor(parts: PaperExchangeOptions) {
    const { exchange, market, journal, lastAt } = parts;
    this.#exchange = exchange;
    this.#market = market;
    this.#journal = journal;
    this.#books = new BooksInUse(parts.openOrders);
    this.#tape = new MarketTape(exchange, this.tape);
    this.#quotesWithout = parts.quotesWithout;
    this.#held = new OpenPositions(parts.positions);
    this.#marksAt = lastAt;
    const { pausedUntil } = exchange;
    this.#session = new SessionClock({
      lastAt,
      pauseMs: parts.settlementPauseMs,
      pausedUntil,
      isResumed: exchange.now === lastAt,
    });
    // A combo ends with its first leg.
    const expiring = exchange.instruments().filter((instrument) => !isCombo(instrument));
    for (const instrument of expiring) this.#session.noteExpiry(instrument);
    this.#rfqMakers = parts.rfqMakers && new RfqMakers(parts.rfqMakers);
    this.#rfqScene = rfqScene(exchange, market);
    this.#combos = new ComboBooks(exchange, (name) => this.#rfqScene.outlook(name));
    const inUse = { books: this.#books, tape: this.#tape, combos: this.#combos, held: this.#held };
    const waiting = { session: this.#session, started: this.#started, awaited: this.#awaited };
    this.#passed = new MarketFastForward({ exchange, market, ...inUse, ...waiting });
    if (this.#rfqMakers !== undefined) exchange.handle(this.#rfqMakers.seats(lastAt));
  }

  /** Shows the exchange what the market passed over. Call before anything is read or decided. */
  catchUp(): void {
    if (this.#passed.isBehind) this.#show(this.#passed.overdue());
  }

  /** Starts the book of the instrument if needed, then has the exchange decide. */
  request<C extends UserCommand>(command: C): AnswerOf<C> {
    this.settle(command.now);
    for (const name of booksOf(command)) this.touch(name, command.now);
    const answer = this.#exchange.handle(command);
    this.#publish();
    return answer;
  }

  /** Adds and removes makers of Block RFQs. */
  seat(command: SeatRfqMakersCommand): void {
    this.settle(command.now);
    this.#exchange.handle(command);
    this.#publish();
  }

  /** Their books are started, so that their indexes have a price. */
  holdMargins(command: HoldMarginsCommand): void {
    this.settle(command.now);
    for (const { instrument } of command.holds) this.touch(instrument, command.now);
    this.#apply([command]);
  }

  /** Adds a watcher; on return the quote is available, if the instrument is listed. `onChange` must not throw. */
  watch(name: InstrumentName, now: Instant, onChange?: QuoteChanged): () => void {
    const release = this.#books.watch(name);
    const leave = onChange && this.#tape.watch(name, onChange);
    this.#passed.changed();
    this.settle(now);
    this.touch(name, now);
    return () => {
      release();
      leave?.();
      this.#passed.changed();
    };
  }

  /** Watches `name` and collects the changes of its market for `takeMarket`. */
  follow(name: InstrumentName, now: Instant): () => void {
    const unwatch = this.watch(name, now);
    const unfollow = this.#tape.follow(name);
    this.#passed.changed();
    return () => {
      unwatch();
      unfollow();
    };
  }

  /** Starts every book with an open order. */
  resume(now: Instant): void {
    // Unknown only to journals from before options settled into futures.
    for (const name of this.#held.names()) this.#listFuture(name, this.#exchange.now);
    // Orders that leave their speed bump now trade before their books are started.
    const traded = [...this.#books.names()].flatMap(
      (name) => this.#exchange.combo(name)?.instrument.legs?.map((leg) => leg.instrument) ?? name,
    );
    this.#apply(this.#references(traded, this.#exchange.now));
    this.settle(now);
    for (const name of this.#books.names()) this.touch(name, now);
    for (const name of this.#exchange.rfqs.booksInUse()) this.touch(name, now);
    this.#touchReduced(now);
  }

  /** Updates the books in use up to `now` and stops the others. Nothing but the market happens before `quietUntil`. */
  step(now: Instant, quietUntil = now): void {
    const marksAt = now >= this.#marksAt ? later(now, MARK_MS) : this.#marksAt;
    const until = this.#held.isEmpty ? quietUntil : earliest(quietUntil, marksAt);
    if (this.#passed.pass(now, until)) {
      // Every position is in a book in use: there is nothing to revalue.
      this.#marksAt = marksAt;
      return;
    }
    this.catchUp();
    this.settle(now);
    const asked = this.#exchange.rfqs.booksInUse();
    const reduced = this.#exchange.liquidationBooks();
    const isAsked = (name: InstrumentName): boolean =>
      this.#books.has(name) || asked.has(name) || reduced.has(name);
    for (const name of this.#combos.inUse()) if (!isAsked(name)) this.#stop(name, now);
    const legs = this.#combos.legs();
    const isInUse = (name: InstrumentName): boolean => isAsked(name) || legs.has(name);
    for (const name of this.#started) if (!isInUse(name)) this.#stop(name, now);
    if (this.#session.isPaused(now)) return;
    for (const name of this.#awaited) if (isInUse(name)) this.touch(name, now);
    this.#awaited.clear();
    this.#show(this.#market.step(now));
    this.#show(this.#combos.step(now));
    this.#answerRfqs(now);
    if (now >= this.#marksAt) this.mark(now);
    this.#touchReduced(now);
  }

  /** Positions can be reduced only where somebody quotes. */
  #touchReduced(now: Instant): void {
    for (const name of this.#exchange.liquidationBooks()) this.touch(name, now);
  }

  /** `undefined` while no book is in use, no account has a position, no order waits and no RFQ is live. */
  nextStepAt(now: Instant): Instant | undefined {
    const stepsAt = earlierOf(this.#marketStepAt(now), this.#exchange.releasesAt());
    const endsAt = this.#exchange.rfqs.dueAt();
    if (endsAt === undefined) return stepsAt;
    const isPaused = this.#session.isPaused(now);
    const looksAt = isPaused ? undefined : this.#rfqMakers?.nextLookAt(this.#rfqScene);
    return [stepsAt, endsAt, looksAt].reduce(earlierOf);
  }

  #marketStepAt(now: Instant): Instant | undefined {
    const isIdle = this.#started.size === 0 && this.#awaited.size === 0;
    if (isIdle && this.#held.isEmpty) return undefined;
    if (this.#session.isPaused(now)) return this.#session.pausedUntil;
    const { settlesAt } = this.#session;
    const marksAt = this.#held.isEmpty
      ? settlesAt
      : earliest(latest(this.#marksAt, now), settlesAt);
    const stepsAt = this.#started.size === 0 ? undefined : this.#market.nextStepAt(now);
    return stepsAt === undefined ? marksAt : earliest(stepsAt, marksAt);
  }

  /**
   * Updates the mark prices of positions in books that are not in use, for margins, funding and account
   * reads.
   */
  mark(now: Instant): void {
    this.#marksAt = later(now, MARK_MS);
    const isAtRest = (name: InstrumentName): boolean => !this.#started.has(name);
    this.#apply(this.#references([...this.#held.names()].filter(isAtRest), now));
  }

  /** The quote of a book in use; `undefined` for any other. */
  quote(name: InstrumentName): Quote | undefined {
    this.catchUp();
    const seenAt = this.#seenAt.get(name);
    if (seenAt === undefined || !this.#started.has(name)) return undefined;
    let quote = this.#quotes.get(name);
    if (quote === undefined) {
      quote = paperQuote(this.#exchange, name, { seenAt, without: this.#quotesWithout });
      this.#quotes.set(name, quote);
    }
    return quote;
  }

  /** Applies daily settlements, expiries, releases of orders and ends of RFQs up to `now`, each time one has become due. */
  settle(now: Instant): void {
    for (let step = this.#session.next(now); step; step = this.#session.next(now)) {
      this.#release(step.at);
      if (step.kind === 'deliver') this.#expire(step.name, step.at);
      else this.#settleDaily(step);
    }
    this.#release(now);
    const due = this.#exchange.rfqs.dueAt();
    if (due === undefined || due > now) return;
    this.#exchange.handle({ kind: 'advance_rfqs', now });
    this.#publish();
  }

  /** Releases what waits no longer, each order at its own instant. */
  #release(until: Instant): void {
    for (;;) {
      const due = this.#exchange.releasesAt();
      if (due === undefined || due > until) return;
      this.#exchange.handle({ kind: 'release_orders', now: latest(due, this.#exchange.now) });
      this.#publish();
    }
  }

  touch(name: InstrumentName, now: Instant): void {
    if (this.#started.has(name)) return;
    const instrument = this.#market.instrument(name, now);
    const combo = this.#exchange.combo(name);
    if (instrument === undefined) {
      if (combo?.state === 'active') this.#touchCombo(combo.instrument, now);
      return;
    }
    if (combo?.isEnded === true) return;
    for (const leg of instrument.legs ?? []) this.touch(leg.instrument, now);
    // Makers that enter a paused book would trade with the orders resting there.
    if (this.#session.isPaused(now) && this.#exchange.instrument(name) !== undefined) {
      this.#awaited.add(name);
      return;
    }
    this.#started.add(name);
    this.#passed.changed();
    this.tape.opened(name, now);
    if (isCombo(instrument)) this.#combos.noteQuoted(name);
    else this.#session.noteExpiry(instrument);
    this.#listFuture(name, now);
    this.#show(this.#market.start(name, now));
  }

  /** Lists the future that the option settles into, whose book need not be in use. */
  #listFuture(option: InstrumentName, now: Instant): void {
    const name = futureNameOf(option);
    if (name === option || this.#exchange.instrument(name) !== undefined) return;
    const instrument = this.#market.instrument(name, now);
    if (instrument?.kind !== 'future') return;
    this.#session.noteExpiry(instrument);
    this.#apply([{ kind: 'list_instrument', now, instrument }]);
  }

  /** The books of its legs are started with it. */
  #touchCombo({ name, legs = [] }: Instrument, now: Instant): void {
    for (const { instrument } of legs) this.touch(instrument, now);
    if (this.#session.isPaused(now)) {
      this.#awaited.add(name);
      return;
    }
    this.#started.add(name);
    this.tape.opened(name, now);
    this.#show(this.#combos.start(name, now));
  }

  /** The events of users' accounts since the last call. */
  takeEvents(): readonly AccountEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The orders released from their speed bump since the last call. */
  takeReleased(): readonly ReleasedOrder[] {
    return this.#exchange.drainReleased();
  }

  /** The changes of subscribed markets since the last call. */
  takeMarket(): readonly MarketNews[] {
    return this.#tape.take();
  }

  /** A refused quote is not retried; the maker re-evaluates soon. */
  #answerRfqs(now: Instant): void {
    if (this.#rfqMakers === undefined || this.#exchange.rfqs.dueAt() === undefined) return;
    for (const command of this.#rfqMakers.answers(now, this.#rfqScene)) {
      this.#exchange.handle(command);
    }
    this.#publish();
  }

  #stop(name: InstrumentName, now: Instant): void {
    this.#passed.changed();
    this.#started.delete(name);
    this.tape.closed(name, now);
    this.#apply([...this.#combos.stop(name, now), ...this.#market.stop(name, now)]);
  }

  /** Every known book is marked as of that instant, for profit and funding. */
  #settleDaily({ at, pausedUntil }: Extract<SessionStep, { kind: 'settle' }>): void {
    this.#show(this.#market.step(at));
    const names = this.#exchange.instruments().map(({ name }) => name);
    this.#apply(this.#references(names, at));
    this.#apply([{ kind: 'settle_day', now: at, pausedUntil }]);
    this.tape.forget(at, (name) => this.#exchange.instrument(name) !== undefined);
  }

  #references(names: Iterable<InstrumentName>, now: Instant): readonly MarketCommand[] {
    const references: MarketCommand[] = [];
    for (const name of names) {
      const reference = this.#market.reference(name, now);
      if (reference !== undefined) references.push(reference);
    }
    return references;
  }

  #expire(name: InstrumentName, now: Instant): void {
    // The exchange empties the book itself; any output of the market source would be too late.
    if (this.#started.delete(name)) {
      this.tape.closed(name, now);
      this.#market.stop(name, now);
    }
    const instrument = must(
      this.#exchange.instrument(name),
      () => `${name} expires and is unknown`,
    );
    const deliveryPrice = this.#market.deliveryPrice(instrument);
    this.#apply([{ kind: 'expire_instrument', now, instrument: name, deliveryPrice }]);
    for (const combo of this.#combos.inUse()) {
      if (this.#exchange.combo(combo)?.isEnded !== true) continue;
      this.#started.delete(combo);
      this.tape.closed(combo, now);
      this.#combos.stop(combo, now);
      this.#market.stop(combo, now);
    }
  }

  /** Applies the makers' commands; the quotes now have this time. */
  #show(commands: readonly MarketCommand[]): void {
    for (const command of commands) {
      if (command.kind === 'set_reference' || command.kind === 'make_quotes') {
        this.#seenAt.set(command.instrument, command.now);
      } else if (command.kind === 'show_book') {
        this.#seenAt.set(command.instrument, command.seenAt);
      }
    }
    this.#apply(commands);
  }

  #apply(commands: readonly MarketCommand[]): void {
    if (commands.length === 0) return;
    for (const command of commands) {
      const answer = this.#exchange.handle(command);
      assert(
        answer.kind !== 'refused',
        () => `a market command was refused: ${JSON.stringify(answer)}`,
      );
      if ('instrument' in command && typeof command.instrument === 'string') {
        this.#tape.noteMoved(command.instrument);
      } else this.#tape.noteAllMoved();
    }
    this.#publish();
  }

  #publish(): void {
    this.#passed.changed();
    if (this.#quotes.size > 0) this.#quotes = new Map();
    const events: AccountEvent[] = [];
    const happened = this.#exchange.drainEvents();
    this.#tape.note(happened);
    for (const event of happened) {
      if (event.kind !== 'print') events.push(event);
      if (event.kind === 'trade') this.#market.noteUserTrade?.(event.trade.instrument, event.trade);
    }
    if (events.length > 0) this.#record(events);
    this.#tape.callWatchers();
  }

  #record(events: readonly AccountEvent[]): void {
    this.#books.note(events);
    this.#held.note(events);
    this.#journal?.append(events);
    this.#events.push(...events);
    this.#rotate(events);
  }

  #rotate(events: readonly AccountEvent[]): void {
    const at = events.at(-1)?.at;
    if (at !== undefined && this.#journal?.isFull) {
      this.#journal.rotate(at, this.#exchange.snapshotPieces());
    }
  }
}

const earlierOf = (a: Instant | undefined, b: Instant | undefined): Instant | undefined =>
  a === undefined ? b : b === undefined ? a : earliest(a, b);

/** The books that a command of a user needs: they have to be started before the exchange decides it. */
function booksOf(command: UserCommand): readonly InstrumentName[] {
  if ('instrument' in command && command.instrument !== undefined) return [command.instrument];
  if (command.kind === 'create_combo') return command.trades.map(({ instrument }) => instrument);
  if (command.kind !== 'create_rfq') return [];
  const names = command.legs.map(({ instrument }) => instrument);
  return command.hedge === undefined ? names : [...names, command.hedge.instrument];
}

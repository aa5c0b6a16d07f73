// The paper exchange behind the venue port, in process. Requests pass one at a time and are answered
// after what they did is written; the market moves on the clock's timers while a book is in use.
import type { Exchange } from '../../exchange/exchange.ts';
import type { MarketSource } from '../../exchange/market/market-source.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type {
  Balance,
  CancelRequest,
  EditRequest,
  LabelAnswer,
  OpenOrdersAnswer,
  OrderAnswer,
  OrderRequest,
  Position,
  TradesAnswer,
  Unknown,
  Venue,
  VenueNotice,
} from '../../ports/venue.ts';
import { isZero, text } from '../../values/amounts.ts';
import type { AccountId, ChildLabel, InstrumentName, VenueName } from '../../values/ids.ts';
import { type Instant, later, latest } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { cancelCommand, editCommand, placeCommand } from './commands.ts';
import { NoticeBoard } from './notice-board.ts';
import { noticesOf } from './notices.ts';
import type { PaperExchange } from './paper-exchange.ts';
import type { PaperJournal } from './paper-journal.ts';
import { orderAnswer, refusal, venueOrder, venuePosition, venueTrade } from './venue-shapes.ts';

export interface PaperVenueParts {
  readonly name: VenueName;
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly market: MarketSource;
  readonly paper: PaperExchange;
  readonly journal: PaperJournal | undefined;
  /** From request to answer; half of it before the exchange decides. */
  readonly latencyMs: number;
  /** The exchange's time so far: it does not go back behind it, whatever the clock says. */
  readonly lastAt: Instant;
  /** Hears of a journal that can no longer be written, and of listeners that throw. */
  readonly onFault: (error: unknown) => void;
}

interface Query {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly label: ChildLabel;
}

export class PaperVenue implements Venue {
  readonly name: VenueName;
  /** Net positions on cross margin, like the venue it stands for. */
  readonly features: Venue['features'] = {
    hidden: false,
    tradeModes: ['cross', 'cash'],
    positionSides: ['net'],
  };
  readonly #clock: Clock;
  readonly #exchange: Exchange;
  readonly #market: MarketSource;
  readonly #paper: PaperExchange;
  readonly #journal: PaperJournal | undefined;
  readonly #board: NoticeBoard;
  readonly #inboundMs: number;
  readonly #outboundMs: number;
  readonly #onFault: (error: unknown) => void;
  #timer: { readonly dueAt: Instant; readonly stop: StopTimer } | undefined;
  #lastNow: Instant;
  /** Why nothing is answered any more. */
  #dead: string | undefined;

  constructor(parts: PaperVenueParts) {
    this.name = parts.name;
    this.#clock = parts.clock;
    this.#exchange = parts.exchange;
    this.#market = parts.market;
    this.#paper = parts.paper;
    this.#journal = parts.journal;
    this.#inboundMs = Math.floor(parts.latencyMs / 2);
    this.#outboundMs = parts.latencyMs - this.#inboundMs;
    this.#onFault = parts.onFault;
    this.#board = new NoticeBoard(parts.clock, {
      delayMs: this.#outboundMs,
      onFault: parts.onFault,
    });
    this.#lastNow = parts.lastAt;
    this.#guarded(() => this.#paper.resume(this.#now()));
    this.#arm();
  }

  instruments(): readonly Instrument[] {
    return this.#market.instruments(this.#now());
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#market.instrument(name, this.#now());
  }

  quote(name: InstrumentName): Quote | undefined {
    return this.#paper.quote(name);
  }

  watch(name: InstrumentName): () => void {
    const release = this.#guarded(() => this.#paper.watch(name, this.#now()));
    this.#board.pin(noticesOf(this.#paper.takeEvents()));
    this.#arm();
    return release ?? (() => undefined);
  }

  venueNow(): Instant {
    return this.#now();
  }

  place(order: OrderRequest): Promise<OrderAnswer> {
    return this.#ask((now) => orderAnswer(this.#paper.request(placeCommand(order, now))));
  }

  editByLabel(edit: EditRequest): Promise<OrderAnswer> {
    return this.#ask((now) => orderAnswer(this.#paper.request(editCommand(edit, now))));
  }

  cancel(request: CancelRequest): Promise<OrderAnswer> {
    return this.#ask((now) => {
      this.#paper.settle(now);
      const command = cancelCommand(request, this.#labelled(request), now);
      return 'code' in command
        ? refusal(command.code, command.message)
        : orderAnswer(this.#paper.request(command));
    });
  }

  ordersByLabel(query: Query): Promise<LabelAnswer> {
    return this.#ask((now): LabelAnswer => {
      this.#paper.settle(now);
      const orders = this.#labelled(query);
      if (orders.length === 0) return { kind: 'absent' };
      const trades = orders.flatMap((order) =>
        this.#exchange.tradesByOrder(query.account, order.orderId),
      );
      return { kind: 'found', orders: orders.map(venueOrder), trades: trades.map(venueTrade) };
    });
  }

  openOrders(account: AccountId, prefix: string): Promise<OpenOrdersAnswer> {
    return this.#ask((now): OpenOrdersAnswer => {
      this.#paper.settle(now);
      const orders = this.#exchange.openOrders({ account, labelPrefix: prefix });
      return { kind: 'orders', orders: orders.map(venueOrder) };
    });
  }

  tradesSince(account: AccountId, from: Instant): Promise<TradesAnswer> {
    return this.#ask((now): TradesAnswer => {
      this.#paper.settle(now);
      const trades = this.#exchange.tradesSince(account, from);
      return { kind: 'trades', trades: trades.map(venueTrade) };
    });
  }

  /** Open positions only. Rejects when the venue was closed. */
  positions(account: AccountId): Promise<readonly Position[]> {
    return this.#tell((now) => {
      this.#paper.settle(now);
      const positions = this.#exchange.positions(account);
      return positions.filter(({ quantity }) => !isZero(quantity)).map(venuePosition);
    });
  }

  /** Rejects when the venue was closed. */
  balances(account: AccountId): Promise<readonly Balance[]> {
    return this.#tell((now) => {
      this.#paper.settle(now);
      return this.#exchange
        .balances(account)
        .map(({ currency, amount }) => ({ currency, amount: text(amount) }));
    });
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    return this.#board.subscribe(listener);
  }

  close(): Promise<void> {
    if (this.#dead === undefined) this.#die('the paper exchange is closed');
    return Promise.resolve();
  }

  /** Orders of every state with the label on the instrument, oldest first. */
  #labelled({ account, instrument, label }: Query | CancelRequest) {
    return this.#exchange
      .ordersByLabel(account, label)
      .filter((order) => order.instrument === instrument);
  }

  /** The request reaches the exchange, is decided, written, answered; then others hear of it. */
  async #ask<T>(decide: (now: Instant) => T): Promise<T | Unknown> {
    if (this.#inboundMs > 0) await this.#after(this.#inboundMs);
    if (this.#dead !== undefined) return { kind: 'unknown', reason: this.#dead };
    const decided = this.#guarded(() => ({ value: decide(this.#now()) }));
    if (decided === undefined) return { kind: 'unknown', reason: String(this.#dead) };
    const notices = noticesOf(this.#paper.takeEvents());
    this.#arm();
    const durable = this.#journal?.durable();
    if (durable !== undefined && !(await this.#isDurable(durable))) {
      return { kind: 'unknown', reason: String(this.#dead) };
    }
    const answered = this.#outboundMs > 0 ? this.#after(this.#outboundMs) : undefined;
    this.#board.pin(notices);
    if (answered !== undefined) await answered;
    return decided.value;
  }

  async #tell<T>(look: (now: Instant) => readonly T[]): Promise<readonly T[]> {
    const found = await this.#ask(look);
    if (Array.isArray(found)) return found;
    throw new Error(`no answer from ${this.name}: ${(found as Unknown).reason}`);
  }

  async #isDurable(durable: Promise<void>): Promise<boolean> {
    try {
      await durable;
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  /** `undefined` when it failed, and then for good: what is not written must not be built upon. */
  #guarded<T>(act: () => T): T | undefined {
    if (this.#dead !== undefined) return undefined;
    try {
      return act();
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    if (this.#dead !== undefined) return;
    this.#die(`the paper exchange stopped: ${error instanceof Error ? error.message : error}`);
    this.#onFault(error);
  }

  #die(reason: string): void {
    this.#dead = reason;
    this.#timer?.stop();
    this.#timer = undefined;
    this.#board.close();
    this.#journal?.close();
  }

  /** Sets the timer of the market's next step, or none while nothing is in use. */
  #arm(): void {
    if (this.#dead !== undefined) return;
    const dueAt = this.#paper.nextStepAt(this.#now());
    if (dueAt === undefined || (this.#timer !== undefined && this.#timer.dueAt <= dueAt)) return;
    this.#timer?.stop();
    this.#timer = { dueAt, stop: this.#clock.at(dueAt, () => this.#step()) };
  }

  #step(): void {
    this.#timer = undefined;
    this.#guarded(() => this.#paper.step(this.#now()));
    const notices = noticesOf(this.#paper.takeEvents());
    const durable = this.#journal?.durable();
    if (durable === undefined) this.#board.pin(notices);
    else void this.#pinWhen(durable, notices);
    this.#arm();
  }

  async #pinWhen(durable: Promise<void>, notices: readonly VenueNotice[]): Promise<void> {
    if (await this.#isDurable(durable)) this.#board.pin(notices);
  }

  #after(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.at(later(this.#clock.now(), delayMs), resolve);
    });
  }

  /** The clock, held still where it steps back: the exchange's time never does. */
  #now(): Instant {
    this.#lastNow = latest(this.#lastNow, this.#clock.now());
    return this.#lastNow;
  }
}

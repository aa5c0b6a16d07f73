// The paper exchange: one door for commands, reads beside it. Pure and synchronous; the same commands
// in the same order give the same answers, events and state on every machine.
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, Side } from '../values/instrument.ts';
import type { Greeks, PriceLevel } from '../values/quote.ts';
import type { ExchangeAnswer, ExchangeCommand } from './command.ts';
import type { AccountEvent, ExchangeBalance, ExchangeEvent, ExchangePosition } from './event.ts';
import type { Grid } from './grid.ts';
import type { ExchangeOrder, ExchangeTrade, TickDirection } from './order.ts';
import type { ExchangeSnapshot, JournalRecord } from './plain.ts';

export interface ExchangeOptions {
  readonly instruments: readonly Instrument[];
  readonly accounts: readonly {
    readonly account: AccountId;
    readonly balances: ReadonlyMap<Currency, Money>;
  }[];
  /** How long closed orders and trades stay in memory. Default 30 min and 24 h. */
  readonly retention?: { readonly ordersMs: number; readonly tradesMs: number } | undefined;
  /** Default false, as the venue: options take limit orders only. */
  readonly marketOrdersOnOptions?: boolean | undefined;
}

/** Filters combine; absent ones do not filter. */
export interface OpenOrdersQuery {
  readonly account: AccountId;
  readonly instrument?: InstrumentName | undefined;
  /** Settlement currency. */
  readonly currency?: Currency | undefined;
  readonly label?: string | undefined;
  readonly labelPrefix?: string | undefined;
}

export interface Depth {
  /** Best first. */
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

export interface Reference {
  readonly at: Instant;
  readonly index: Price;
  readonly mark: Price;
  readonly underlying?: Price | undefined;
  readonly markIv?: number | undefined;
  readonly greeks?: Greeks | undefined;
  readonly minPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
}

export interface LastTrade {
  readonly price: Price;
  readonly quantity: Quantity;
  readonly side: Side;
  readonly tickDirection: TickDirection;
  readonly tradeSeq: number;
  readonly at: Instant;
}

export declare class Exchange {
  constructor(options: ExchangeOptions);
  /** Rebuilds the users' side from a snapshot; the books are otherwise empty. */
  static restore(snapshot: ExchangeSnapshot, options: ExchangeOptions): Exchange;
  /** Only after `restore` and before the first command, in the order of writing. */
  applyJournal(record: JournalRecord): void;
  handle(command: ExchangeCommand): ExchangeAnswer;
  /** What happened since the last call. `journalRecord(event)` of `plain.ts` gives its JSON. */
  drainEvents(): ExchangeEvent[];
  snapshot(): ExchangeSnapshot;
  /** 16 hex digits over everything of the users: orders with places, positions, balances, counters. */
  stateHash(): string;
  /** 16 hex digits over the whole book of one instrument, bots included. */
  bookHash(name: InstrumentName): string;

  instruments(): readonly Instrument[];
  instrument(name: InstrumentName): Instrument | undefined;
  grid(name: InstrumentName): Grid | undefined;
  order(account: AccountId, orderId: OrderId): ExchangeOrder | undefined;
  /** Open and remembered closed orders, oldest first. */
  ordersByLabel(account: AccountId, label: string): readonly ExchangeOrder[];
  openOrders(query: OpenOrdersQuery): readonly ExchangeOrder[];
  /** Remembered closed orders, oldest first by the time they closed. */
  closedOrders(account: AccountId): readonly ExchangeOrder[];
  tradesByOrder(account: AccountId, orderId: OrderId): readonly ExchangeTrade[];
  tradesSince(account: AccountId, from: Instant): readonly ExchangeTrade[];
  positions(account: AccountId): readonly ExchangePosition[];
  balances(account: AccountId): readonly ExchangeBalance[];
  depth(name: InstrumentName, levels: number): Depth;
  best(name: InstrumentName): { readonly bid?: PriceLevel; readonly ask?: PriceLevel };
  /** In ticks and lots, for the bots: no decimals made. */
  bestTicks(name: InstrumentName, side: Side): { priceTicks: number; lots: number } | undefined;
  reference(name: InstrumentName): Reference | undefined;
  lastTrade(name: InstrumentName): LastTrade | undefined;
  /** A bot's signed position in lots. */
  inventory(bot: AccountId, name: InstrumentName): number;
}

export type { AccountEvent };

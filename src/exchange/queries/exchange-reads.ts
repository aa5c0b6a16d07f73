// Read-only queries. Every answer is a new value.

import type { AccountSummary, OpenPosition } from '../../values/account-report.ts';
import { isZero, type Money, manySteps, notional, type Quantity } from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { holdsPosition, type Instrument, type Side } from '../../values/instrument.ts';
import type { PriceLevel } from '../../values/quote.ts';
import { availableFunds } from '../accounting/margin.ts';
import type { BookSide } from '../book/book-side.ts';
import type { Grid } from '../book/grid.ts';
import type { QuoteLevel } from '../exchange-command.ts';
import type { ExchangeBalance, ExchangePosition } from '../exchange-event.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { bookHash, stateHash } from '../journal/state-hash.ts';
import { positionsIn } from '../liquidation/account-margins.ts';
import type { ComboRecord } from '../model/combo-registry.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { type LiveOrder, viewOf } from '../model/live-order.ts';
import type { Depth, LastTrade, Reference, Touch } from '../model/market-view.ts';
import type { Refusal } from '../model/refusal.ts';
import type { ExchangeOrder, ExchangeTrade } from '../order.ts';
import { RfqReads } from '../rfq/queries/rfq-reads.ts';
import {
  type LegPrices,
  type LegPricesQuery,
  structureLegPrices,
} from '../rfq/queries/structure-leg-prices.ts';
import { accountSummary } from './account-summary.ts';
import { type MarketFacts, marketFacts } from './market-facts.ts';
import { type OrderHistoryPage, type OrderHistoryQuery, orderHistory } from './order-history.ts';
import {
  type NeedsQuery,
  type OrderMargin,
  type OrderNeeds,
  orderMargins,
  orderNeeds,
} from './order-needs.ts';
import { positionView, sessionRealised } from './position-view.ts';
import { type TradeHistoryPage, type TradeHistoryQuery, tradeHistory } from './trade-history.ts';
import {
  type TransactionLogPage,
  type TransactionLogQuery,
  transactionLog,
} from './transaction-log.ts';

/** Filters combine; absent ones match everything. */
export interface OpenOrdersQuery {
  readonly account: AccountId;
  readonly instrument?: InstrumentName | undefined;
  /** Settlement currency. */
  readonly currency?: Currency | undefined;
  readonly label?: string | undefined;
  readonly labelPrefix?: string | undefined;
}

export class ExchangeReads {
  readonly rfqs: RfqReads;
  readonly #state: ExchangeState;

  constructor(state: ExchangeState) {
    this.#state = state;
    this.rfqs = new RfqReads(state);
  }

  /** Every listed instrument, except permanently closed ones. */
  instruments(): readonly Instrument[] {
    const open = [...this.#state.listings.values()].filter(({ state }) => state !== 'closed');
    return open.map(({ instrument }) => instrument);
  }

  /** Instruments that were permanently closed while the exchange ran. */
  closedInstruments(): readonly Instrument[] {
    const closed = [...this.#state.listings.values()].filter(({ state }) => state === 'closed');
    return closed.map(({ instrument }) => instrument);
  }

  /** All combos, in order of creation; those with an expired leg for as long as it is known. */
  combos(): readonly ComboRecord[] {
    return [...this.#state.combos.all()];
  }

  combo(name: InstrumentName): ComboRecord | undefined {
    return this.#state.combos.get(name);
  }

  /** The instruments of positions of accounts in liquidation, which have to be traded; each once. */
  liquidationBooks(): ReadonlySet<InstrumentName> {
    const names = new Set<InstrumentName>();
    for (const account of this.#state.accounts.values()) {
      for (const currency of account.liquidating) {
        for (const { listing } of positionsIn(account, currency))
          names.add(listing.instrument.name);
      }
    }
    return names;
  }

  /** The currencies in which the account is being liquidated. */
  liquidating(account: AccountId): readonly Currency[] {
    return [...(this.#state.accounts.get(account)?.liquidating ?? [])];
  }

  /** Increases with each change of a combo. */
  get combosVersion(): number {
    return this.#state.combos.version;
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#state.listings.get(name)?.instrument;
  }

  grid(name: InstrumentName): Grid | undefined {
    return this.#state.listings.get(name)?.grid;
  }

  /** `undefined` also for another account's order. */
  order(account: AccountId, id: OrderId): ExchangeOrder | undefined {
    const order = this.#state.orders.byId(id);
    return order?.account === account ? viewOf(order) : undefined;
  }

  /** `undefined` for an unknown or dropped order. */
  ownerOf(id: OrderId): AccountId | undefined {
    return this.#state.orders.byId(id)?.account;
  }

  /** Open and retained closed orders, oldest first. */
  ordersByLabel(account: AccountId, label: string): readonly ExchangeOrder[] {
    return this.#state.orders.byLabel(account, label).map((order) => viewOf(order));
  }

  /** Includes untriggered and dormant orders; oldest first. */
  openOrders(query: OpenOrdersQuery): readonly ExchangeOrder[] {
    const exposures = [...(this.#state.accounts.get(query.account)?.exposures() ?? [])];
    return exposures
      .filter(({ listing }) => isWanted(listing, query))
      .flatMap(({ openOrders, dormantOrders }) => [...openOrders, ...dormantOrders])
      .filter((order) => hasLabel(order, query))
      .sort((a, b) => a.createdAt - b.createdAt || a.rank - b.rank)
      .map((order) => viewOf(order));
  }

  /** Retained closed orders, oldest first by closing time. */
  closedOrders(account: AccountId): readonly ExchangeOrder[] {
    const closed = [...this.#state.orders.closed()];
    return closed.filter((order) => order.account === account).map((order) => viewOf(order));
  }

  /** Oldest first; empty for another account's order. */
  tradesByOrder(account: AccountId, id: OrderId): readonly ExchangeTrade[] {
    return this.#state.trades.byOrder(id).filter((trade) => trade.account === account);
  }

  /** Oldest first, including trades of closed orders. */
  tradesSince(account: AccountId, from: Instant): readonly ExchangeTrade[] {
    return this.#state.trades.since(account, from);
  }

  /** The instant of the last command. */
  get now(): Instant {
    return this.#state.now;
  }

  /** When the next order is released from its speed bump; `undefined` if none waits in a book that trades. */
  releasesAt(): Instant | undefined {
    return this.#state.bumps.nextAt();
  }

  /** End of the pause of the last settlement; in the past while books trade. */
  get pausedUntil(): Instant {
    return this.#state.pausedUntil;
  }

  /** `undefined` if the continuation was not issued by this exchange. */
  orderHistory(query: OrderHistoryQuery): OrderHistoryPage | undefined {
    return orderHistory(this.#state, query);
  }

  tradeHistory(query: TradeHistoryQuery): TradeHistoryPage {
    return tradeHistory(this.#state, query);
  }

  transactionLog(query: TransactionLogQuery): TransactionLogPage {
    return transactionLog(this.#state, query);
  }

  hasAccount(account: AccountId): boolean {
    return this.#state.accounts.has(account);
  }

  /** `undefined` for an unknown account. */
  summary(account: AccountId, currency: Currency): AccountSummary | undefined {
    const known = this.#state.accounts.get(account);
    return known && accountSummary(known, currency);
  }

  /** `undefined` for an unknown instrument. */
  orderNeeds(query: NeedsQuery): OrderNeeds | Refusal | undefined {
    return orderNeeds(this.#state, query);
  }

  /** Of the account's open orders among `orderIds`. */
  orderMargins(account: AccountId, orderIds: readonly OrderId[]): readonly OrderMargin[] {
    return orderMargins(this.#state, account, orderIds);
  }

  legPrices(query: LegPricesQuery): LegPrices | Refusal {
    return structureLegPrices(this.#state, query);
  }

  /**
   * Positions that are not flat, those with open orders, and in the instrument `named` one that was closed since the last
   * settlement; spot and combos have none.
   */
  openPositions(account: AccountId, named?: InstrumentName): readonly OpenPosition[] {
    const exposures = [...(this.#state.accounts.get(account)?.exposures() ?? [])];
    return exposures
      .filter((exposure) => {
        const { listing, lots, openOrders } = exposure;
        if (!holdsPosition(listing.instrument)) return false;
        const isClosed = (): boolean =>
          listing.instrument.name === named && !isZero(sessionRealised(exposure));
        return lots !== 0 || openOrders.size > 0 || isClosed();
      })
      .map(positionView);
  }

  /** `undefined` for an unknown instrument. */
  market(name: InstrumentName, now: Instant): MarketFacts | undefined {
    const listing = this.#state.listings.get(name);
    return listing && marketFacts(this.#state, listing, now);
  }

  /** Positions that are not flat. */
  positions(account: AccountId): readonly ExchangePosition[] {
    const exposures = [...(this.#state.accounts.get(account)?.exposures() ?? [])];
    return exposures.filter(({ lots }) => lots !== 0).map((exposure) => exposure.view());
  }

  balances(account: AccountId): readonly ExchangeBalance[] {
    return this.#state.accounts.get(account)?.views() ?? [];
  }

  /** Available for new orders: see the margin rules. */
  availableFunds(account: AccountId, currency: Currency): Money | undefined {
    const known = this.#state.accounts.get(account);
    return known && availableFunds(known, currency);
  }

  /** At most `levelsMax` levels of each side. */
  depth(name: InstrumentName, levelsMax: number): Depth {
    const listing = this.#state.listings.get(name);
    if (listing === undefined) return { bids: [], asks: [] };
    const { bids, asks } = listing.book;
    return { bids: topOf(listing, bids, levelsMax), asks: topOf(listing, asks, levelsMax) };
  }

  best(name: InstrumentName): Touch {
    const { bids, asks } = this.depth(name, 1);
    return { bid: bids[0], ask: asks[0] };
  }

  /** The best levels without the orders of `accounts`. */
  bestWithout(name: InstrumentName, accounts: ReadonlySet<AccountId>): Touch {
    const listing = this.#state.listings.get(name);
    if (listing === undefined) return {};
    const owners = new Set<object>();
    for (const id of accounts) {
      const account = this.#state.accounts.get(id);
      if (account !== undefined) owners.add(account);
    }
    const { bids, asks } = listing.book;
    return {
      bid: firstWithout(listing, bids, owners),
      ask: firstWithout(listing, asks, owners),
    };
  }

  /** The best level of `side` in ticks and lots, without creating decimals. */
  bestTicks(name: InstrumentName, side: Side): QuoteLevel | undefined {
    const level = this.#state.listings.get(name)?.book.best(side);
    return level && { priceTicks: level.ticks, lots: level.lots };
  }

  reference(name: InstrumentName): Reference | undefined {
    return this.#state.listings.get(name)?.reference;
  }

  lastTrade(name: InstrumentName): LastTrade | undefined {
    const listing = this.#state.listings.get(name);
    if (listing?.last === undefined) return undefined;
    const { grid } = listing;
    const { ticks, lots, side, tickDirection, tradeSeq, at } = listing.last;
    // Each quote has it, and copying the rest of an object takes a microsecond.
    return {
      price: grid.priceOf(ticks),
      quantity: grid.quantityOf(lots),
      side,
      tickDirection,
      tradeSeq,
      at,
    };
  }

  /** Total traded since this exchange started or was restored; never decreases. Unknown of a routed pair. */
  traded(name: InstrumentName): Quantity | undefined {
    const listing = this.#state.listings.get(name);
    if (listing?.instrument.isRouted === true) return undefined;
    return listing?.grid.quantityOf(listing.day.allLots);
  }

  /** Σ price × quantity of what is traded, counted as {@link traded} is. */
  tradedValue(name: InstrumentName): Money | undefined {
    const listing = this.#state.listings.get(name);
    if (listing === undefined) return undefined;
    const { grid, day } = listing;
    return manySteps(notional(grid.tick, grid.lot), day.allValue);
  }

  /** True if the book stands as the latest row of a recording shows it. Only for books without an order of a user. */
  isPlain(name: InstrumentName): boolean {
    const shown = this.#state.shown.get(name);
    return shown === undefined || (shown.buy.isPlain && shown.sell.isPlain);
  }

  /** A bot's signed position in lots. */
  inventory(bot: AccountId, name: InstrumentName): number {
    return this.#state.bots.get(bot)?.inventory(name) ?? 0;
  }

  /** 16 hex digits over all user state: see `state-hash.ts`. */
  stateHash(): string {
    return stateHash(this.#state);
  }

  /** 16 hex digits over one whole book, including bots; empty for an unknown instrument. */
  bookHash(name: InstrumentName): string {
    const listing = this.#state.listings.get(name);
    return listing === undefined ? '' : bookHash(listing);
  }
}

const isWanted = ({ instrument }: Listing, query: OpenOrdersQuery): boolean =>
  (query.instrument === undefined || instrument.name === query.instrument) &&
  (query.currency === undefined || instrument.settlement === query.currency);

const hasLabel = (order: LiveOrder, { label, labelPrefix }: OpenOrdersQuery): boolean =>
  (label === undefined || order.label === label) &&
  (labelPrefix === undefined || order.label.startsWith(labelPrefix));

function topOf({ grid }: Listing, side: BookSide, levelsMax: number): PriceLevel[] {
  const levels: PriceLevel[] = [];
  for (const { ticks, lots } of side.levels()) {
    if (levels.length >= levelsMax) break;
    levels.push({ price: grid.priceOf(ticks), quantity: grid.quantityOf(lots) });
  }
  return levels;
}

function firstWithout(
  { grid }: Listing,
  side: BookSide,
  owners: ReadonlySet<object>,
): PriceLevel | undefined {
  for (const level of side.levels()) {
    let lots = 0;
    for (let entry = level.head; entry !== undefined; entry = entry.next) {
      if (!owners.has(entry.owner)) lots += entry.lots;
    }
    if (lots > 0) return { price: grid.priceOf(level.ticks), quantity: grid.quantityOf(lots) };
  }
  return undefined;
}

// Listens to a venue's notices about accounts under protection: counts flagged trades and records flagged orders.
// After an interruption, and when a protection is new in this process, both are read from the venue.

import { type CountTrade, mmpTradeName } from '../../core/mmp/mmp-command.ts';
import type { MmpKind } from '../../core/mmp/mmp-config.ts';
import { coinsOf, type ExposedTrade, exposureOf } from '../../core/mmp/mmp-exposure.ts';
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type { RfqNews, RfqReads } from '../../ports/block-rfq.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import { COMBO_KINDS, isLegOfCombo, tradesSince } from '../../ports/trades-since.ts';
import type { Venue } from '../../ports/venue.ts';
import { minus } from '../../values/amounts.ts';
import type { BlockTrade } from '../../values/block-rfq-record.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import { earliest, type Instant, later } from '../../values/instant.ts';
import type { InstrumentKind } from '../../values/instrument.ts';
import { type FlaggedOrder, isOpenOrder, type MmpBook } from './mmp-book.ts';
import type { MmpGroups } from './mmp-groups.ts';

export interface MmpTradeListenerOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly book: MmpBook;
  readonly groups: MmpGroups;
  readonly protects: (account: AccountId, kind: MmpKind) => boolean;
  /** Finds out which of these trades have been counted already. */
  readonly learn: (account: AccountId, kind: MmpKind, trades: readonly string[]) => Promise<void>;
  readonly count: (account: AccountId, kind: MmpKind, trade: CountTrade) => void;
  /** Called with each open flagged order that was reported. */
  readonly seen: (order: FlaggedOrder) => void;
  /** Called when open quotes of the account were reported. */
  readonly seenQuotes: (account: AccountId) => void;
  /** Called when the venue's stream was interrupted. */
  readonly onGap: (venue: Venue) => void;
}

/** Where the block trades of an account are read from. */
interface BlocksOf {
  readonly rfqs: RfqReads;
  readonly venue: Venue;
  readonly account: AccountId;
}

const BLOCKS_PER_PAGE = 100;

const blockName = ({ id }: BlockTrade): string => `block/${id}`;

export class MmpTradeListener {
  readonly #parts: MmpTradeListenerOptions;
  readonly #silence = new Map<Venue, () => void>();

  constructor(parts: MmpTradeListenerOptions) {
    this.#parts = parts;
  }

  /** Listens at these venues only: an unprotected account costs nothing. */
  listenAt(venues: ReadonlySet<Venue>): void {
    for (const [venue, silence] of this.#silence) {
      if (venues.has(venue)) continue;
      silence();
      this.#silence.delete(venue);
    }
    for (const venue of venues) {
      if (!this.#silence.has(venue)) this.#silence.set(venue, this.#listen(venue));
    }
  }

  /** Reads the open orders, and the trades since `from`. Rejects if the venue cannot be queried. */
  async readUp(venue: Venue, account: AccountId, from: Instant): Promise<void> {
    await this.#readOrders(venue, account);
    const flagged = await this.#flaggedSince(venue, account, from);
    const combos = flagged.some(isLegOfCombo)
      ? await this.#flaggedSince(venue, account, from, COMBO_KINDS)
      : [];
    const trades = [...flagged.filter((trade) => !isLegOfCombo(trade)), ...combos];
    if (trades.length === 0) return;
    const names = trades.map((trade) => nameOf(venue, trade));
    await this.#parts.learn(account, 'order', names);
    for (const trade of trades) this.#recordTrade(venue, trade);
  }

  /** All kinds, that is the legs of combos, unless `kinds` requests combos. */
  async #flaggedSince(
    venue: Venue,
    account: AccountId,
    from: Instant,
    kinds?: readonly InstrumentKind[],
  ): Promise<readonly TradeRecord[]> {
    const told = await tradesSince(venue, account, from, kinds);
    if (told.kind !== 'done') throw new Error(`trades of ${account} cannot be read`);
    return told.value.filter(({ mmp }) => mmp);
  }

  /** Does the same for block trades, of which it reads the latest page. */
  async readUpBlocks({ rfqs, venue, account }: BlocksOf, from: Instant): Promise<void> {
    const page = await rfqs.blockTrades({ account, count: BLOCKS_PER_PAGE });
    if (page.kind !== 'done') throw new Error(`block trades of ${account} cannot be read`);
    const trades = page.value.trades.filter(({ at }) => at >= from).toSorted((a, b) => a.at - b.at);
    if (trades.length === 0) return;
    await this.#parts.learn(account, 'blockRfq', trades.map(blockName));
    for (const trade of trades) this.#recordBlock(venue, account, trade);
  }

  /** Handles an order that the venue reported, in a reply or in a notice. */
  recordOrder(venue: Venue, order: OrderRecord): void {
    if (!order.mmp || !this.#parts.protects(order.account, 'order')) return;
    const { account, orderId } = order;
    if (!isOpenOrder(order)) return this.#parts.book.close(account, orderId);
    const { instrument: name, side, price, quantity, filledQuantity } = order;
    const instrument = venue.market.instrument(name);
    if (instrument === undefined) return;
    const { indexName: index } = instrument;
    const left = minus(quantity, filledQuantity);
    const coins = price === undefined ? left : coinsOf(instrument, { quantity: left, price });
    this.#withGroup(order.label, (group) => {
      const flagged = { account, orderId, index, group, instrument: name, side, coins };
      this.#parts.book.note(flagged);
      this.#parts.seen(flagged);
    });
  }

  #listen(venue: Venue): () => void {
    const leaveVenue = venue.subscribe((news) => {
      if (news.kind === 'order') this.recordOrder(venue, news.order);
      else if (news.kind === 'trade') this.#recordTrade(venue, news.trade);
      else if (news.kind === 'reconnected') this.#parts.onGap(venue);
    });
    const leaveRfqs = venue.rfqs?.listen((news) => {
      if (news.kind === 'block_trade') this.#recordBlock(venue, news.account, news.trade);
      else if (news.kind === 'quotes') this.#recordQuotes(news);
      else if (news.kind === 'reconnected') this.#parts.onGap(venue);
    });
    return () => {
      leaveVenue();
      leaveRfqs?.();
    };
  }

  #recordTrade(venue: Venue, trade: TradeRecord): void {
    const { account, instrument: name, label } = trade;
    if (!trade.mmp || isLegOfCombo(trade) || !this.#parts.protects(account, 'order')) return;
    if (venue.market.instrument(name) === undefined) return this.#unknown(name);
    // A combo exposes the account in its legs.
    const parts = (trade.legs ?? [trade]).flatMap((part) => this.#exposure(venue, part));
    const tradeId = nameOf(venue, trade);
    const now = this.#parts.clock.now();
    const tradedAt = this.#ourTime(venue, trade.at);
    this.#withGroup(label, (group) => {
      this.#parts.count(account, 'order', { kind: 'count', now, tradeId, tradedAt, group, parts });
    });
  }

  #exposure(venue: Venue, trade: TradeRecord): CountTrade['parts'] {
    const instrument = venue.market.instrument(trade.instrument);
    if (instrument === undefined) {
      this.#unknown(trade.instrument);
      return [];
    }
    const exposed = { ...trade, mark: trade.markPrice, underlying: trade.underlyingPrice };
    return [exposureOf(instrument, exposed, venue.quote(trade.instrument))];
  }

  #recordQuotes({ account, quotes }: Extract<RfqNews, { kind: 'quotes' }>): void {
    if (!this.#parts.protects(account, 'blockRfq')) return;
    if (quotes.some(({ status }) => status === 'open')) this.#parts.seenQuotes(account);
  }

  /** Counts block trades in which the account was the maker; as a taker it has no protection. */
  #recordBlock(venue: Venue, account: AccountId, trade: BlockTrade): void {
    if (!this.#parts.protects(account, 'blockRfq')) return;
    if (!trade.rows.some(({ liquidity }) => liquidity === 'maker')) return;
    const parts = trade.rows.flatMap((row) => {
      const instrument = venue.market.instrument(row.instrument);
      if (instrument === undefined) {
        this.#unknown(row.instrument);
        return [];
      }
      const exposed: ExposedTrade = { ...row, mark: row.markPrice, at: trade.at };
      return [exposureOf(instrument, exposed, venue.quote(row.instrument))];
    });
    const now = this.#parts.clock.now();
    const when = { now, tradedAt: this.#ourTime(venue, trade.at) };
    const { mmpGroup: group = '' } = trade;
    const tradeId = blockName(trade);
    this.#parts.count(account, 'blockRfq', { kind: 'count', ...when, tradeId, group, parts });
  }

  async #readOrders(venue: Venue, account: AccountId): Promise<void> {
    const open = await venue.openOrders({ account });
    if (open.kind !== 'done') throw new Error(`open orders of ${account} cannot be read`);
    this.#parts.book.forget(account);
    for (const order of open.value) this.recordOrder(venue, order);
  }

  #withGroup(label: string, then: (group: string) => void): void {
    const group = this.#parts.groups.of(label);
    if (!(group instanceof Promise)) return then(group);
    group.then(then, (error: unknown) =>
      this.#parts.observer.observe({ event: 'failed', where: 'mmp.group', error }),
    );
  }

  /** Converts a venue time to our clock, never later than now. */
  #ourTime(venue: Venue, at: Instant): Instant {
    const now = this.#parts.clock.now();
    return earliest(later(at, now - venue.venueNow()), now);
  }

  #unknown(name: InstrumentName): void {
    const error = new Error(`a trade of ${name}, which the venue does not list, was not counted`);
    this.#parts.observer.observe({ event: 'failed', where: 'mmp.count', error });
  }
}

/** @see mmpTradeName */
const nameOf = ({ market }: Venue, trade: TradeRecord): string =>
  mmpTradeName(market.instrument(trade.instrument)?.settlement ?? '', trade);

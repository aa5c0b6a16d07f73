// The transaction log of an account in one currency, newest first: what its trades, settlements and deliveries moved.
//
// Decisions: a spot trade is one entry in the log of either of its currencies, with its fee in that of the quote currency. A number is the
// millisecond of the entry times four thousand, plus its position within the millisecond. Of a millisecond the entries are in the order
// in which they were made: orders that were released or met in the instant of a settlement traded before it.
import type { AccountTransaction } from '../../values/account-report.ts';
import {
  absolute,
  isLess,
  isZero,
  type Money,
  minus,
  negated,
  notional,
  plus,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../values/amounts.ts';
import type { AccountId, Currency } from '../../values/ids.ts';
import { earliest, type Instant, instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { PositionSettlement } from '../model/settlement-log.ts';
import type { ExchangeTrade } from '../order.ts';

/** Numbers of the entries of one millisecond. */
const PER_MS = 4_000;

export interface TransactionLogQuery {
  readonly account: AccountId;
  readonly currency: Currency;
  /** Both ends are included. */
  readonly from: Instant;
  readonly until: Instant;
  readonly count: number;
  /** Only entries with smaller numbers. */
  readonly before?: number | undefined;
}

export interface TransactionLogPage {
  readonly transactions: readonly AccountTransaction[];
  readonly hasMore: boolean;
}

type Unnumbered = Omit<AccountTransaction, 'seq'>;

export function transactionLog(
  state: ExchangeState,
  {
    account,
    currency,
    from,
    count,
    before = Number.POSITIVE_INFINITY,
    ...query
  }: TransactionLogQuery,
): TransactionLogPage {
  const until = earliest(query.until, instant(Math.floor((before - 1) / PER_MS)));
  const found: AccountTransaction[] = [];
  for (const moment of moments(entriesOf(state, { account, currency, from, until }))) {
    for (const [place, entry] of moment.entries()) {
      const seq = entry.at * PER_MS + Math.min(moment.length - 1 - place, PER_MS - 1);
      if (seq >= before) continue;
      if (found.length === count) return { transactions: found, hasMore: true };
      found.push({ ...entry, seq });
    }
  }
  return { transactions: found, hasMore: false };
}

type EntriesQuery = Pick<TransactionLogQuery, 'account' | 'currency' | 'from' | 'until'>;

/** Newest first. */
function* entriesOf(
  state: ExchangeState,
  { account, currency, from, until }: EntriesQuery,
): IterableIterator<Unnumbered> {
  const span = { from, until };
  const settled = [...state.settlements.between(account, span, 'desc')];
  let next = 0;
  /** `place`: which trade of its millisecond it is, the first has 1. */
  const settlementsAfter = function* (at: number, place = 1): IterableIterator<Unnumbered> {
    const isAfter = (one: PositionSettlement): boolean =>
      one.at > at || (one.at === at && (one.tradesBefore ?? 0) >= place);
    for (let one = settled[next]; one !== undefined && isAfter(one); one = settled[next]) {
      next += 1;
      if (one.currency === currency) yield settlementEntry(one);
    }
  };
  let [at, place]: [number, number] = [Number.NaN, 0];
  for (const trade of state.trades.between(account, span, 'desc')) {
    const isSame = trade.at === at;
    at = trade.at;
    place = isSame ? place - 1 : placeOfLast(state, account, { at: trade.at, settled, next });
    yield* settlementsAfter(trade.at, place);
    const instrument = state.listings.get(trade.instrument)?.instrument;
    if (instrument === undefined || trade.legs !== undefined) continue;
    if (isMoved(trade, instrument, currency)) yield tradeEntry(trade, instrument, currency);
  }
  yield* settlementsAfter(Number.NEGATIVE_INFINITY);
}

/** How many trades the account made in the millisecond; needed only where one of its settlements may be among them. */
function placeOfLast(
  { trades }: Pick<ExchangeState, 'trades'>,
  account: AccountId,
  {
    at,
    settled,
    next,
  }: {
    readonly at: Instant;
    readonly settled: readonly PositionSettlement[];
    readonly next: number;
  },
): number {
  const isAmong = settled.slice(next).some((one) => one.at === at);
  return isAmong ? [...trades.between(account, { from: at, until: at }, 'asc')].length : 1;
}

/** The entries of each millisecond together. */
function* moments(entries: Iterable<Unnumbered>): IterableIterator<readonly Unnumbered[]> {
  let moment: Unnumbered[] = [];
  for (const entry of entries) {
    if (moment[0] !== undefined && moment[0].at !== entry.at) {
      yield moment;
      moment = [];
    }
    moment.push(entry);
  }
  if (moment.length > 0) yield moment;
}

const isMoved = (trade: ExchangeTrade, { kind, base }: Instrument, currency: Currency): boolean =>
  trade.feeCurrency === currency || (kind === 'spot' && base === currency);

function cashflowOf(trade: ExchangeTrade, { kind, base }: Instrument, currency: Currency): Money {
  const { side, quantity, price, profitLoss } = trade;
  const isBought = side === 'buy';
  if (kind === 'spot' && base === currency) {
    const coins = quantity as unknown as Money;
    return isBought ? coins : negated(coins);
  }
  if (kind !== 'spot' && kind !== 'option') return profitLoss;
  const value = notional(price, quantity);
  return isBought ? negated(value) : value;
}

function tradeEntry(trade: ExchangeTrade, instrument: Instrument, currency: Currency): Unnumbered {
  const isOfFee = trade.feeCurrency === currency;
  const fee = isOfFee ? trade.fee : ZERO_MONEY;
  const cashflow = cashflowOf(trade, instrument, currency);
  return {
    type: 'trade',
    account: trade.account,
    currency,
    instrument: trade.instrument,
    side: trade.side,
    quantity: trade.quantity,
    price: trade.price,
    tradeId: trade.tradeId,
    orderId: trade.orderId,
    liquidity: trade.liquidity,
    fee,
    cashflow,
    change: minus(cashflow, fee),
    balance: isOfFee ? trade.balanceAfter : trade.baseAfter,
    position: trade.positionAfter,
    markPrice: trade.markPrice,
    indexPrice: trade.indexPrice,
    blockRfqId: trade.block?.rfqId,
    at: trade.at,
  };
}

function settlementEntry(settled: PositionSettlement): Unnumbered {
  const { type, account, currency, instrument, quantity, price, change, fundingPaid, at } = settled;
  const fee = settled.fee ?? ZERO_MONEY;
  return {
    type,
    account,
    currency,
    instrument,
    price,
    fee,
    cashflow: plus(change, fee),
    change,
    at,
    quantity: absolute(quantity),
    ...(!isZero(quantity) && { side: isLess(quantity, ZERO_QUANTITY) ? 'sell' : 'buy' }),
    ...(fundingPaid && { funding: fundingPaid }),
    balance: settled.balanceAfter,
    position: settled.positionAfter,
  };
}

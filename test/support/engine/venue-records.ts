// Records and replies for test venues: an order, a trade and a position with nothing in them but what a test gives,
// order methods that refuse everything, and a desk over a venue without a gate.
import { type Refused, refusal } from '../../../src/core/order/answer-class.ts';
import type { OrderRecord, TradeRecord } from '../../../src/core/order/order-record.ts';
import { deskOver } from '../../../src/engine/order-entry/order-desk.ts';
import type { MarketReads } from '../../../src/ports/market-reads.ts';
import type {
  NewOrder,
  OrderChange,
  OrderKey,
  OrderReads,
  Reply,
  TradingDesk,
  Worked,
} from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import type { OpenPosition } from '../../../src/values/account-report.ts';
import {
  price,
  type Quantity,
  ratio,
  text,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import {
  type AccountId,
  accountId,
  currency,
  type InstrumentName,
  instrumentName,
  orderId,
  tradeId,
} from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';

export const done = <T>(value: T): Promise<Reply<T>> => Promise.resolve({ kind: 'done', value });

const NO: Refused = refusal(-32601);
const refuse = (): Promise<Reply<never>> => Promise.resolve(NO);
const nothing = (): Promise<undefined> => Promise.resolve(undefined);

export const REFUSING_READS: OrderReads = {
  cancel: refuse,
  cancelAll: refuse,
  order: refuse,
  ordersLabelled: refuse,
  openOrders: refuse,
  orderHistory: refuse,
  trades: refuse,
  positions: refuse,
  summary: refuse,
  transactions: refuse,
  subscribe: () => () => undefined,
};

export const NO_MARKET: MarketReads = {
  listed: () => [],
  instrument: () => undefined,
  ticker: nothing,
  book: nothing,
  index: nothing,
  history: nothing,
  indexNames: () => [],
  follow: () => () => undefined,
};

export const REFUSING_DESK: TradingDesk = {
  ...REFUSING_READS,
  ...NO_MARKET,
  place: refuse,
  edit: refuse,
};

export interface OpenVenue extends Omit<Venue, 'place' | 'edit'> {
  readonly place: (order: NewOrder) => Promise<Reply<Worked>>;
  readonly edit: (change: OrderChange) => Promise<Reply<Worked>>;
}

/** The venue as if every request were cleared; the gate is tested elsewhere. */
export const openVenue = (venue: Venue): OpenVenue => venue as unknown as OpenVenue;

export const ungated = (venue: Venue): TradingDesk => deskOver(venue, openVenue(venue));

export const orderRecord = (given: Partial<OrderRecord>): OrderRecord => ({
  orderId: orderId('1'),
  account: accountId('10001'),
  instrument: instrumentName('BTC-PERPETUAL'),
  side: 'buy',
  type: 'limit',
  state: 'open',
  quantity: ZERO_QUANTITY,
  filledQuantity: ZERO_QUANTITY,
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: '',
  createdAt: instant(0),
  updatedAt: instant(0),
  replaced: false,
  mmp: false,
  ...given,
});

export const tradeRecord = (given: Partial<TradeRecord>): TradeRecord => ({
  tradeId: tradeId('1'),
  tradeSeq: 1,
  account: accountId('10001'),
  orderId: orderId('1'),
  orderType: 'limit',
  label: '',
  instrument: instrumentName('BTC-PERPETUAL'),
  side: 'buy',
  state: 'open',
  price: price('1'),
  quantity: ZERO_QUANTITY,
  liquidity: 'taker',
  fee: ZERO_MONEY,
  feeCurrency: currency('BTC'),
  tickDirection: 0,
  postOnly: false,
  reduceOnly: false,
  mmp: false,
  at: instant(0),
  ...given,
});

export const openPosition = (
  account: AccountId,
  instrument: InstrumentName,
  quantity: Quantity,
): OpenPosition => ({
  account,
  instrument,
  kind: 'perpetual',
  quantity,
  averagePrice: price('1'),
  floatingProfitLoss: ZERO_MONEY,
  realizedProfitLoss: ZERO_MONEY,
  delta: ratio('0'),
  initialMargin: ZERO_MONEY,
  maintenanceMargin: ZERO_MONEY,
  openOrdersMargin: ZERO_MONEY,
});

/** What the venue says the account has of each currency. */
export async function balancesOf(
  venue: Venue,
  account: AccountId,
): Promise<Record<string, string>> {
  const balances: Record<string, string> = {};
  for (const code of ['BTC', 'ETH', 'USDC']) {
    const reply = await venue.summary(account, currency(code));
    if (reply.kind === 'done') balances[code] = text(reply.value.balance);
  }
  return balances;
}

/** The order by its label. */
export const keyOf = ({ label, instrument }: NewOrder): OrderKey => ({ label, instrument });

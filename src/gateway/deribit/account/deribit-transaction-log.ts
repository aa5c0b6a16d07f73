// The transaction log: what the trades of an account moved in one currency, newest first.
//
// Decisions: the log has trades and nothing else, because the exchange keeps no record of an account's settlements, funding
// and deposits; between two entries `balance` may therefore change by more than `change`. It is absent for trades from
// journals of versions that did not keep it, and so is `equity` always. `cashflow` is the premium of an option, the realised profit of a future and
// the amount of the asked currency that a spot trade moved; `change` is `cashflow` less `commission`. A spot trade is one
// entry in the log of either currency, the commission is in that of the quote currency. A trade with a profit or loss
// closes, any other opens. `user_seq` and `id` are the millisecond of the trade times four thousand, plus its
// position within the millisecond: they increase within the log of a currency. `continuation` is the `user_seq` of the last
// entry: the next page goes on before it. A log is of one currency, never `any`.
import type { TradeRecord } from '../../../core/order/order-record.ts';
import type { Reply, TradesQuery, TradingDesk } from '../../../ports/trading-desk.ts';
import {
  isZero,
  type Money,
  minus,
  negated,
  notional,
  ZERO_MONEY,
} from '../../../values/amounts.ts';
import type { AccountId, Currency } from '../../../values/ids.ts';
import { earliest, type Instant, instant } from '../../../values/instant.ts';
import { nameTerms } from '../../../values/instrument-names.ts';
import { done } from '../../order-api/method.ts';
import { invalidParam } from '../../order-api/refusals.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { privateMethod } from '../method/deribit-method.ts';
import { instantParam, wholeParam } from '../method/deribit-params.ts';
import { currencyParam } from '../method/instrument-params.ts';
import { decimalNumber, integerOfText } from '../method/json-number.ts';
import { asSubaccount, countParam, subaccountParam } from '../method/private-params.ts';
import { idJson } from '../trades/deribit-trade-json.ts';

/** What one query reads at most. */
const READ_MAX = 1_000;
/** Numbers of the entries of one millisecond. */
const PER_MS = 4_000;

interface LogQuery {
  readonly account: AccountId;
  readonly currency: Currency;
  readonly from: Instant;
  readonly until: Instant;
  readonly count: number;
  readonly continuation: number | undefined;
  readonly word: string | undefined;
}

interface Entry {
  readonly seq: number;
  readonly trade: TradeRecord;
}

/** What the trade moved in the currency, before the commission. */
function cashflowOf(trade: TradeRecord, currency: Currency): Money {
  const { side, quantity, price } = trade;
  const isBought = side === 'buy';
  const terms = nameTerms(trade.instrument);
  if (terms?.kind === 'spot' && terms.base === currency) {
    const coins = quantity as unknown as Money;
    return isBought ? coins : negated(coins);
  }
  if (terms?.kind === 'spot' || terms?.kind === 'option') {
    const value = notional(price, quantity);
    return isBought ? negated(value) : value;
  }
  return trade.profitLoss ?? ZERO_MONEY;
}

/** Of spot, one of its two currencies. */
const balanceAfter = (trade: TradeRecord, currency: Currency): Money | undefined =>
  trade.feeCurrency === currency ? trade.balanceAfter : trade.baseAfter;

function entryJson({ seq, trade }: Entry, currency: Currency) {
  const cashflow = cashflowOf(trade, currency);
  const commission = trade.feeCurrency === currency ? trade.fee : ZERO_MONEY;
  const balance = balanceAfter(trade, currency);
  return {
    id: seq,
    type: 'trade',
    currency,
    timestamp: trade.at,
    user_id: integerOfText(trade.account),
    username: `account_${trade.account}`,
    user_seq: seq,
    instrument_name: trade.instrument,
    side: `${isZero(trade.profitLoss ?? ZERO_MONEY) ? 'open' : 'close'} ${trade.side}`,
    amount: decimalNumber(trade.quantity),
    contracts: trade.contracts && decimalNumber(trade.contracts),
    price: decimalNumber(trade.price),
    trade_id: trade.tradeId,
    order_id: trade.orderId,
    user_role: trade.liquidity,
    fee_role: trade.liquidity,
    commission: decimalNumber(commission),
    cashflow: decimalNumber(cashflow),
    change: decimalNumber(minus(cashflow, commission)),
    balance: balance && decimalNumber(balance),
    mark_price: trade.markPrice && decimalNumber(trade.markPrice),
    index_price: trade.indexPrice && decimalNumber(trade.indexPrice),
    block_rfq_id: trade.blockRfqId === undefined ? undefined : idJson(trade.blockRfqId),
    profit_as_cashflow: false,
    info: {},
  };
}

/** Whose trades move the currency: those settled or quoted in it, and spot of which it is the base. */
function marketsOf(desk: TradingDesk, currency: Currency) {
  const spots = desk
    .listed({ expired: false })
    .filter(({ kind, base }) => kind === 'spot' && base === currency)
    .map(({ name }) => ({ instrument: name }));
  return [{ currency }, ...spots];
}

interface Read {
  /** Newest first. */
  readonly trades: readonly TradeRecord[];
  /** All trades from this time on were read; absent if all were. */
  readonly since?: Instant | undefined;
}

/** The newest trades, those of the last millisecond complete. */
async function readNewest(desk: TradingDesk, query: TradesQuery): Promise<Reply<Read>> {
  const reply = await desk.trades(query);
  if (reply.kind !== 'done') return reply;
  const { trades, hasMore } = reply.value;
  const since = trades.at(-1)?.at;
  if (!hasMore || since === undefined) return done({ trades });
  const ofLast = await desk.trades({ ...query, from: since, until: since, count: READ_MAX });
  if (ofLast.kind !== 'done') return ofLast;
  return done({
    trades: [...trades.filter(({ at }) => at > since), ...ofLast.value.trades],
    since,
  });
}

/** Newest first; entries of one millisecond are numbered from its oldest. */
function numbered(reads: readonly Read[], since: number): Entry[] {
  const oldestFirst = reads
    .flatMap(({ trades }) => trades.toReversed())
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at);
  let first = 0;
  return oldestFirst
    .map((trade, index) => {
      if (trade.at !== oldestFirst[first]?.at) first = index;
      return { seq: trade.at * PER_MS + Math.min(index - first, PER_MS - 1), trade };
    })
    .reverse();
}

/** A page may be short although more follow. */
async function transactions(desk: TradingDesk, query: LogQuery): Promise<Reply<unknown>> {
  const { account, currency, from, count, word = '' } = query;
  const before = query.continuation ?? Number.POSITIVE_INFINITY;
  const until = earliest(query.until, instant(Math.floor((before - 1) / PER_MS)));
  const window = { account, from, until, count };
  const reads: Read[] = [];
  for (const market of marketsOf(desk, currency)) {
    const read = await readNewest(desk, { ...window, ...market, sorting: 'desc' });
    if (read.kind !== 'done') return read;
    reads.push(read.value);
  }
  const since = Math.max(...reads.map((read) => read.since ?? 0));
  const entries = numbered(reads, since).filter(({ seq }) => seq < before);
  const shown = entries.slice(0, count);
  const end = entries.length > count ? shown.at(-1)?.seq : since * PER_MS;
  return done({
    logs: shown
      .map((entry) => entryJson(entry, currency))
      .filter((entry) => JSON.stringify(entry).includes(word)),
    continuation: end === undefined || end === 0 ? null : end,
  });
}

export const TRANSACTION_LOG = privateMethod({
  scope: 'account:read',
  name: 'private/get_transaction_log',
  pool: 'transaction_log',
  params: {
    currency: currencyParam,
    start_timestamp: instantParam('From this time on'),
    end_timestamp: instantParam('Up to this time'),
    query: optional(textField({ max: 64, description: 'Text that an entry must contain' })),
    count: countParam(100),
    continuation: optional(
      wholeParam({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Of an earlier answer' }),
    ),
    subaccount_id: subaccountParam,
  },
  run: (call, { currency: { code: currency }, subaccount_id: id, ...params }) =>
    currency === undefined
      ? invalidParam('currency', 'is any; accepted: one currency such as BTC')
      : asSubaccount(call, id, ({ account, desk }) => {
          const { start_timestamp: from, end_timestamp: until } = params;
          const { count, continuation, query: word } = params;
          return transactions(desk, {
            ...{ account, currency, from, until },
            ...{ count, continuation, word },
          });
        }),
});

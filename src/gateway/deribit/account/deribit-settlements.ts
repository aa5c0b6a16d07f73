// The settlement history of an account: the settlements and deliveries of its transaction log, newest first; not the entries by which
// options end in their future or out of the money, which have no type here.
//
// Decisions: `session_profit_loss` is what the session moved with its funding, `profit_loss` the same without the funding; `position` is the
// one that was settled. The log has one price of a settlement: `mark_price`, which at a delivery is also the index. `continuation` is
// the `user_seq` of the log after which the next page continues, or `none` after the last. A history is of one currency, never `any`.

import { decimalNumber } from '../../../ports/deribit-wire/json-number.ts';
import type { Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { AccountTransaction } from '../../../values/account-report.ts';
import { minus, negated, ZERO_MONEY } from '../../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName } from '../../../values/ids.ts';
import { type Instant, instant } from '../../../values/instant.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { ifListed } from '../../order-api/find-instrument.ts';
import { done } from '../../order-api/method.ts';
import { invalidParam } from '../../order-api/refusals.ts';
import { type Continuation, continuationText } from '../method/continuation-param.ts';
import { type DeribitMethod, type PrivateCall, privateMethod } from '../method/deribit-method.ts';
import { currencyParam, instrumentParam } from '../method/instrument-params.ts';
import { SETTLEMENT_PARAMS } from '../method/settlement-params.ts';

interface Asked {
  readonly account: AccountId;
  readonly currency: Currency;
  readonly instrument?: InstrumentName | undefined;
  readonly type?: string | undefined;
  readonly until: Instant;
  readonly count: number;
  readonly continuation?: Continuation | undefined;
}

/** Settlements are few among trades: so many entries of the log are read at a time, and so many times for one answer. */
const LOG_PAGE = 1_000;
const LOG_PAGES_MAX = 40;
const TYPES: ReadonlySet<string> = new Set(['settlement', 'delivery', 'bankruptcy']);

/** A page may be short although more follow. */
async function settlements(desk: TradingDesk, asked: Asked): Promise<Reply<unknown>> {
  const { account, currency, instrument, type, until, count, continuation } = asked;
  const found: AccountTransaction[] = [];
  const answer = (next: number | undefined): Reply<unknown> =>
    done({
      settlements: found.map(settlementJson),
      continuation: continuationText(next),
    });
  if (continuation !== undefined && continuation.at === undefined) return answer(undefined);
  let before = continuation?.at;
  for (let page = 0; page < LOG_PAGES_MAX; page += 1) {
    const query = { account, currency, from: instant(0), until, count: LOG_PAGE };
    const reply = await desk.transactions({ ...query, continuation: before });
    if (reply.kind !== 'done') return reply;
    for (const entry of reply.value.transactions) {
      if (!TYPES.has(entry.type) || (type ?? entry.type) !== entry.type) continue;
      if ((instrument ?? entry.instrument) !== entry.instrument) continue;
      if (found.length === count) return answer(found.at(-1)?.seq);
      found.push(entry);
    }
    before = reply.value.continuation;
    if (before === undefined) return answer(undefined);
  }
  return answer(before);
}

function settlementJson(entry: AccountTransaction) {
  const { type, at, instrument, side, quantity, price, cashflow, funding = ZERO_MONEY } = entry;
  const position = quantity && (side === 'sell' ? negated(quantity) : quantity);
  return {
    type,
    timestamp: at,
    instrument_name: instrument,
    position: position && decimalNumber(position),
    mark_price: price && decimalNumber(price),
    index_price: type === 'delivery' && price ? decimalNumber(price) : undefined,
    session_profit_loss: decimalNumber(cashflow),
    profit_loss: decimalNumber(minus(cashflow, funding)),
    funding: decimalNumber(funding),
  };
}

type Page = Pick<Asked, 'type' | 'count' | 'continuation'> & {
  readonly search_start_timestamp?: Instant | undefined;
};

const answered = (
  { desk, account, now }: PrivateCall,
  of: Pick<Asked, 'currency' | 'instrument'>,
  { search_start_timestamp: until = now(), ...page }: Page,
): Promise<Reply<unknown>> => settlements(desk, { ...page, ...of, account, until });

const settlementsByInstrument = privateMethod({
  row: ROWS.getSettlementHistoryByInstrument,
  params: { instrumentName: instrumentParam, ...SETTLEMENT_PARAMS },
  run: (call, { instrumentName: instrument, ...page }) =>
    ifListed(call, instrument, ({ settlement: currency }) =>
      answered(call, { currency, instrument }, page),
    ),
});

const settlementsByCurrency = privateMethod({
  row: ROWS.getSettlementHistoryByCurrency,
  params: { currency: currencyParam, ...SETTLEMENT_PARAMS },
  run: (call, { currency: { code: currency }, ...page }) =>
    currency === undefined
      ? invalidParam('currency', 'is any; accepted: one currency such as BTC')
      : answered(call, { currency }, page),
});

export const DERIBIT_SETTLEMENTS: readonly DeribitMethod[] = [
  settlementsByInstrument,
  settlementsByCurrency,
];

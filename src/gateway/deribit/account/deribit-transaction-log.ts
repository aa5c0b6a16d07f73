// The transaction log: what the trades, settlements and deliveries of an account moved in one currency, newest first.
//
// Decisions: nothing was ever deposited or withdrawn. `balance` and `position` are absent for trades from journals of versions that did not keep
// them, and `equity` always is. `cashflow` is the premium of an option, the realised profit of a future and the amount of the asked currency
// that a spot trade moved, session profit with funding at a settlement (of which `interest_pl` is the funding), the payment at a delivery, what
// netting realised where an option settles into its future;
// `change` is `cashflow` less `commission`. A spot trade is one entry in the log of either currency, the commission is in that of the quote
// currency. `user_seq` and `id` increase within the log of a currency.
// `continuation` is the `user_seq` of the last entry: the next page continues before it. A log is of one currency, never `any`.

import { transactionJson } from '../../../ports/deribit-wire/transaction-rows.ts';
import type { Reply, TradingDesk, TransactionsQuery } from '../../../ports/trading-desk.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { done } from '../../order-api/method.ts';
import { invalidParam } from '../../order-api/refusals.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { privateMethod } from '../method/deribit-method.ts';
import { instantParam, wholeParam } from '../method/deribit-params.ts';
import { currencyParam } from '../method/instrument-params.ts';
import { asSubaccount, countParam, subaccountParam } from '../method/private-params.ts';

/** A page may be short although more follow. */
async function transactions(
  desk: TradingDesk,
  query: TransactionsQuery,
  word = '',
): Promise<Reply<unknown>> {
  const reply = await desk.transactions(query);
  if (reply.kind !== 'done') return reply;
  const { transactions: entries, continuation } = reply.value;
  return done({
    logs: entries
      .map((entry) => transactionJson(entry, (name) => desk.instrument(name)))
      .filter((entry) => JSON.stringify(entry).includes(word)),
    continuation: continuation ?? null,
  });
}

export const TRANSACTION_LOG = privateMethod({
  row: ROWS.getTransactionLog,
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
          const window = { from, until, count, continuation };
          return transactions(desk, { account, currency, ...window }, word);
        }),
});

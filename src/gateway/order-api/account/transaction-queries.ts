// The order method that reads an account's transaction log.

import { z } from 'zod';
import type { AccountTransaction } from '../../../values/account-report.ts';
import { text as decimalText } from '../../../values/amounts.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { instantField, wholeField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { accountMethod, answered, type Method } from '../method.ts';
import { countField } from '../param-fields.ts';
import { decimal, instant, text, whole } from '../result-fields.ts';
import { oneCurrencyField } from './one-currency-field.ts';

const transactionSchema = z
  .object({
    seq: whole('Increases within the log of a currency'),
    type: text('trade, settlement, delivery, deposit, transfer or another word of the exchange'),
    timestamp: instant('When it was entered'),
    currency: text('What was moved'),
    instrumentName: text('Of the trade, or of the settled position').optional(),
    side: z.enum(['buy', 'sell']).describe('Own side').optional(),
    quantity: decimal('Traded, or settled').optional(),
    price: decimal('Of the trade, or of the settlement').optional(),
    tradeId: text('Trade id').optional(),
    orderId: text('Order id').optional(),
    fee: decimal('Negative for a rebate'),
    cashflow: decimal('Moved before the fee'),
    funding: decimal('The part of the cash flow that is funding').optional(),
    change: decimal('Cash flow less fee'),
    balance: decimal('Right after it').optional(),
    position: decimal('Signed, in the instrument, right after it').optional(),
  })
  .describe('An entry of the transaction log');

export type TransactionView = z.infer<typeof transactionSchema>;

const transactionView = (entry: AccountTransaction): TransactionView => ({
  seq: entry.seq,
  type: entry.type,
  timestamp: entry.at,
  currency: entry.currency,
  instrumentName: entry.instrument,
  side: entry.side,
  quantity: entry.quantity && decimalText(entry.quantity),
  price: entry.price && decimalText(entry.price),
  tradeId: entry.tradeId,
  orderId: entry.orderId,
  fee: decimalText(entry.fee),
  cashflow: decimalText(entry.cashflow),
  funding: entry.funding && decimalText(entry.funding),
  change: decimalText(entry.change),
  balance: entry.balance && decimalText(entry.balance),
  position: entry.position && decimalText(entry.position),
});

const log = accountMethod({
  row: ROWS.getTransactionLog,
  summary: 'What trades, settlements and deliveries moved in one currency, newest first',
  params: {
    currency: oneCurrencyField,
    startTimestamp: instantField('From this time on, Unix milliseconds'),
    endTimestamp: instantField('Up to this time, Unix milliseconds'),
    count: countField(100),
    continuation: optional(
      wholeField({ min: 0, max: Number.MAX_SAFE_INTEGER, description: 'Of an earlier answer' }),
    ),
  },
  result: z.object({
    transactions: z.array(transactionSchema),
    continuation: whole('For the next page; absent at the end').optional(),
  }),
  example: { currency: 'BTC', startTimestamp: 1_764_000_000_000, endTimestamp: 1_764_086_400_000 },
  run: ({ account, desk }, { currency, startTimestamp: from, endTimestamp: until, ...page }) =>
    answered(
      desk.transactions({ account, currency, from, until, ...page }),
      ({ transactions, continuation }) => ({
        transactions: transactions.map(transactionView),
        continuation,
      }),
    ),
});

export const TRANSACTION_QUERIES = [log] as const satisfies readonly Method[];

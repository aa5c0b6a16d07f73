// An entry of the transaction log of an account on Deribit's wire. Entries without an instrument are deposits, transfers and the
// like.
//
// Decisions: a trade that leaves a smaller position closes, any other opens; the other entries have the side alone. `user_seq` and
// `id` are the same number. Profit is never paid as cash flow.
import type { AccountTransaction } from '../../values/account-report.ts';
import { absolute, isLess, minus, negated, type Quantity } from '../../values/amounts.ts';
import { type AccountId, currency, tradeId } from '../../values/ids.ts';
import type { Side, TermsOf } from '../../values/instrument.ts';
import {
  INSTANT,
  INSTRUMENT_IF,
  idIfOf,
  idOf,
  MONEY,
  MONEY_IF,
  MONEY_OR_ZERO,
  NUMBER_ID_IF,
  ORDER_ID_IF,
  PRICE_IF,
  QUANTITY_IF,
  TEXT,
  WHOLE,
  wordIfOf,
} from './field-forms.ts';
import { decimalNumber, integerOfText } from './json-number.ts';
import type { Fields } from './message-fields.ts';
import { type JsonObject, recordTable } from './record-table.ts';

const { field, written, derived, writer, reader } = recordTable<
  AccountTransaction,
  TermsOf,
  { readonly account: AccountId }
>();

const ROWS = [
  derived('account', (_, { account }) => account),
  written('id', ({ seq }) => seq),
  field('type', 'type', TEXT),
  field('currency', 'currency', idOf(currency)),
  field('timestamp', 'at', INSTANT),
  written('user_id', ({ account }) => integerOfText(account)),
  written('username', ({ account }) => `account_${account}`),
  field('user_seq', 'seq', WHOLE),
  field('instrument_name', 'instrument', INSTRUMENT_IF),
  field('side', 'side', {
    write: (_, entry) => sideWords(entry),
    read: (of, name) => sideOfWords(of.textIf(name)),
  }),
  field('amount', 'quantity', QUANTITY_IF),
  written('contracts', ({ instrument, quantity }, termsOf) => {
    const terms = instrument && termsOf(instrument);
    return terms && quantity && decimalNumber(quantity.div(terms.contractSize) as Quantity);
  }),
  field('price', 'price', PRICE_IF),
  field('trade_id', 'tradeId', idIfOf(tradeId)),
  field('order_id', 'orderId', ORDER_ID_IF),
  field('user_role', 'liquidity', wordIfOf(['maker', 'taker'] as const)),
  written('fee_role', ({ liquidity }) => liquidity),
  field('commission', 'fee', MONEY_OR_ZERO),
  field('cashflow', 'cashflow', MONEY_OR_ZERO),
  field('interest_pl', 'funding', MONEY_IF),
  field('change', 'change', MONEY),
  field('balance', 'balance', MONEY_IF),
  field('position', 'position', QUANTITY_IF),
  field('mark_price', 'markPrice', PRICE_IF),
  field('index_price', 'indexPrice', PRICE_IF),
  field('block_rfq_id', 'blockRfqId', NUMBER_ID_IF),
  written('profit_as_cashflow', () => false),
  written('info', () => ({})),
];

export const transactionJson: (entry: AccountTransaction, termsOf: TermsOf) => JsonObject =
  writer(ROWS);

const read = reader(ROWS);

/** @throws MalformedMessage */
export const transactionIn = (of: Fields, account: AccountId): AccountTransaction =>
  read(of, { account });

function sideWords({ type, side, quantity, position }: AccountTransaction): string | undefined {
  if (type !== 'trade') return side;
  if (side === undefined || quantity === undefined) return undefined;
  const moved = side === 'buy' ? quantity : negated(quantity);
  const isClosing =
    position !== undefined && isLess(absolute(position), absolute(minus(position, moved)));
  return `${isClosing ? 'close' : 'open'} ${side}`;
}

/** `open buy`, `close sell`, `buy`; `-` where nothing was traded. */
const sideOfWords = (words: string | undefined): Side | undefined =>
  (['buy', 'sell'] as const).find((side) => words?.endsWith(side));

// A trade of the public tape on Deribit's wire: its `direction` is the taker's.
//
// Decisions: amounts in contracts are left out where the terms of the instrument are not known; a mark or an index that is not
// known is written as 0.
import { inverseNotional, type Price } from '../../values/amounts.ts';
import { tradeId } from '../../values/ids.ts';
import type { TermsOf } from '../../values/instrument.ts';
import type { PublicTrade } from '../market-history.ts';
import {
  INSTANT,
  INSTRUMENT,
  INSTRUMENT_IF,
  idIfOf,
  idOf,
  LIQUIDATED_IF,
  PRICE,
  PRICE_IF,
  QUANTITY,
  SEQUENCE,
  SIDE,
  TICK_DIRECTION,
} from './field-forms.ts';
import { decimalNumber, modelNumber, orZero } from './json-number.ts';
import type { Fields } from './message-fields.ts';
import { type JsonObject, recordTable } from './record-table.ts';

/** Trades of a block are printed, but were never open to others in the book. */
export interface PrintedTrade extends PublicTrade {
  readonly isBlock: boolean;
}

const { field, written, writer, reader } = recordTable<PublicTrade, TermsOf>();

const ROWS = [
  field('trade_id', 'tradeId', idOf(tradeId)),
  field('trade_seq', 'tradeSeq', SEQUENCE),
  field('instrument_name', 'instrument', INSTRUMENT),
  field('timestamp', 'at', INSTANT),
  field('direction', 'side', SIDE),
  field('tick_direction', 'tickDirection', TICK_DIRECTION),
  field('price', 'price', PRICE),
  field('amount', 'quantity', QUANTITY),
  written('contracts', ({ instrument, quantity }, termsOf) => {
    const size = termsOf(instrument)?.contractSize;
    return size && decimalNumber(inverseNotional(size as unknown as Price, quantity));
  }),
  field('mark_price', 'mark', { write: orZero, read: PRICE_IF.read }),
  field('index_price', 'index', { write: orZero, read: PRICE_IF.read }),
  field('liquidation', 'liquidation', LIQUIDATED_IF),
  field('iv', 'iv', {
    write: (iv) => (iv === undefined ? undefined : modelNumber(iv * 100, 2)),
    read: (of, name) => {
      const percent = of.floatIf(name);
      return percent === undefined ? undefined : percent / 100;
    },
  }),
  field('combo_id', 'comboId', INSTRUMENT_IF),
  field('combo_trade_id', 'comboTradeId', idIfOf(tradeId)),
  field('legs', 'legs', {
    write: (legs, _, termsOf) => legs && publicTradesJson(legs, termsOf),
    read: (of, name) => (of.has(name) ? of.each(name).map(publicTradeIn) : undefined),
  }),
];

const write = writer(ROWS);
const read = reader(ROWS);

/** Trades of instruments that are not known any more are left out. */
export function publicTradesJson(
  trades: readonly PublicTrade[],
  termsOf: TermsOf,
): readonly JsonObject[] {
  const known = trades.filter(({ instrument }) => termsOf(instrument) !== undefined);
  return known.map((trade) => write(trade, termsOf));
}

/** @throws MalformedMessage */
export function publicTradeIn(of: Fields): PrintedTrade {
  const isBlock = of.has('block_trade_id') || of.has('block_rfq_id');
  return { ...read(of, undefined), isBlock };
}

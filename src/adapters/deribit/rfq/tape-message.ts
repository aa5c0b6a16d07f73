// Block trades on the public tape: without names, fees and ids of either side. Decided where the documents are silent: all
// directions are those of the taker.

import {
  type CurrencyOf,
  FILLS,
  hedgeIn,
  PRICED_LEGS,
} from '../../../ports/deribit-wire/block-rfq-rows.ts';
import { sideIn } from '../../../ports/deribit-wire/field-forms.ts';
import type { Fields } from '../../../ports/deribit-wire/message-fields.ts';
import {
  distance,
  type Price,
  price,
  scaled,
  share,
  shifted,
  ZERO_MONEY,
} from '../../../values/amounts.ts';
import type { BlockTrade, BlockTradeRow, RfqHedge } from '../../../values/block-rfq-record.ts';
import type { Currency } from '../../../values/ids.ts';
import type { Side } from '../../../values/instrument.ts';

/** @throws MalformedMessage */
export function tapeTradeIn(of: Fields, currencyOf: CurrencyOf): BlockTrade {
  const side = sideIn(of);
  const quantity = of.quantity('amount');
  const legs = PRICED_LEGS.read(of, 'legs', undefined);
  const [fill] = FILLS.readOrEmpty(of, 'trades', undefined);
  const currency = currencyOf(legs);
  const row = unnamed(currency);
  const hedge = hedgeIn(of, 'hedge');
  return {
    id: of.text('id'),
    rfqId: '',
    comboId: of.textIf('combo_id') || undefined,
    currency,
    at: of.instant('timestamp'),
    side,
    price: fill?.price ?? structurePrice(side, legs),
    quantity,
    rows: [
      ...legs.map((leg) => ({ ...leg, quantity: share(quantity, leg.ratio) })),
      ...(hedge === undefined ? [] : [{ ...hedge, isHedge: true }]),
    ].map(row),
  };
}

const unnamed =
  (feeCurrency: Currency) =>
  ({ instrument, side, quantity, price: at, isHedge = false }: Priced): BlockTradeRow => ({
    tradeId: '',
    instrument,
    side,
    quantity,
    price: at,
    fee: ZERO_MONEY,
    feeCurrency,
    liquidity: 'taker',
    isHedge,
    allocations: [],
  });

interface Priced extends RfqHedge {
  readonly isHedge?: boolean;
}

interface StructureLeg {
  readonly side: Side;
  readonly ratio: Parameters<typeof scaled>[1];
  readonly price: Price;
}

/** The sum over the legs; those on the other side than the structure count below zero. */
export const structurePrice = (side: Side, legs: readonly StructureLeg[]): Price =>
  legs.reduce((sum, leg) => {
    const part = scaled(leg.price, leg.ratio);
    return leg.side === side ? shifted(sum, part) : distance(part, sum);
  }, price('0'));

// Block trades on the public tape: without names, fees and ids of either side. Decided where the documents are silent: all
// directions are those of the taker.
import {
  distance,
  type Price,
  price,
  ratio,
  scaled,
  share,
  shifted,
  ZERO_MONEY,
} from '../../../values/amounts.ts';
import type { BlockTrade, BlockTradeRow, RfqHedge } from '../../../values/block-rfq-record.ts';
import { type Currency, instrumentName } from '../../../values/ids.ts';
import type { Side } from '../../../values/instrument.ts';
import { sideIn } from '../orders/order-message.ts';
import type { Fields } from '../wire/message-fields.ts';
import { fillIn, hedgeIn } from './block-rfq-message.ts';
import type { CurrencyOf } from './structure-currency.ts';

/** @throws MalformedMessage */
export function tapeTradeIn(of: Fields, currencyOf: CurrencyOf): BlockTrade {
  const side = sideIn(of);
  const quantity = of.quantity('amount');
  const legs = of.each('legs').map((leg) => ({
    instrument: instrumentName(leg.text('instrument_name')),
    side: sideIn(leg),
    ratio: ratio(leg.digitsIf('ratio') ?? '1'),
    price: leg.price('price'),
  }));
  const [fill] = of.has('trades') ? of.each('trades').map(fillIn) : [];
  const currency = currencyOf(legs);
  const row = unnamed(currency);
  const hedge = hedgeIn(of);
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

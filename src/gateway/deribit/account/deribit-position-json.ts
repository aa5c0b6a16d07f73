// A position as Deribit's wire shows it.
//
// Decisions: `size` is negative for shorts; a price that is not known is 0, because clients require the field;
// `leverage` is the value of the position over its margin; `estimated_liquidation_price` is always null, which the
// documents allow: it is not estimated; `size_currency` is in coins for linear futures too.
import type { AccountSummary, OpenPosition } from '../../../values/account-report.ts';
import {
  compare,
  fraction,
  isZero,
  type Price,
  plus,
  price,
  type Ratio,
  ratio,
  scaled,
  text,
  toNumber,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { kindName } from '../../order-api/market/instrument-view.ts';
import { averageText, greekText } from '../../order-api/result-fields.ts';
import { decimalNumber, type JsonNumber, numberOfText } from '../method/json-number.ts';

const ZERO_PRICE = price('0');
export const ZERO = numberOfText('0');

/** A number of the market's model, with the places that mean something. */
export const modelText = (value: Ratio): JsonNumber => numberOfText(greekText(value));

const averageNumber = (average: Price): JsonNumber => numberOfText(averageText(average));

function directionOf({ quantity }: OpenPosition): 'buy' | 'sell' | 'zero' {
  const sign = compare(quantity, ZERO_QUANTITY);
  if (sign === 0) return 'zero';
  return sign > 0 ? 'buy' : 'sell';
}

/** `instrument` is absent for one that has left the list. */
export function positionJson(position: OpenPosition, instrument: Instrument | undefined) {
  const { floatingProfitLoss: floating, realizedProfitLoss: realised } = position;
  const { markPrice = ZERO_PRICE, indexPrice = ZERO_PRICE, averagePrice } = position;
  return {
    instrument_name: position.instrument,
    kind: kindName(position.kind),
    direction: directionOf(position),
    size: decimalNumber(position.quantity),
    average_price: averageNumber(averagePrice),
    mark_price: decimalNumber(markPrice),
    index_price: decimalNumber(indexPrice),
    settlement_price: decimalNumber(position.settlementPrice ?? ZERO_PRICE),
    floating_profit_loss: decimalNumber(floating),
    realized_profit_loss: decimalNumber(realised),
    total_profit_loss: decimalNumber(plus(floating, realised)),
    delta: modelText(position.delta),
    initial_margin: decimalNumber(position.initialMargin),
    maintenance_margin: decimalNumber(position.maintenanceMargin),
    open_orders_margin: decimalNumber(position.openOrdersMargin),
    estimated_liquidation_price: null,
    ...(position.kind === 'option'
      ? {
          gamma: ofModel(position.gamma),
          vega: ofModel(position.vega),
          theta: ofModel(position.theta),
          ...(instrument?.marginKind === 'inverse' && {
            average_price_usd: averageNumber(scaled(averagePrice, asRatio(indexPrice))),
            floating_profit_loss_usd: averageNumber(scaled(asPrice(floating), asRatio(indexPrice))),
          }),
        }
      : { size_currency: modelText(position.delta), leverage: leverageOf(position, instrument) }),
    ...(position.kind === 'perpetual' && {
      realized_funding: position.realizedFunding ? decimalNumber(position.realizedFunding) : ZERO,
      interest_value: ZERO,
    }),
  };
}

const ofModel = (greek: Ratio | undefined): JsonNumber => (greek ? modelText(greek) : ZERO);
const asRatio = (value: Price): Ratio => ratio(text(value));
const asPrice = (value: AccountSummary['balance']): Price => price(text(value));

/** Absent without a margin to compare with. */
function leverageOf(
  { delta, initialMargin, markPrice }: OpenPosition,
  instrument: Instrument | undefined,
): number | undefined {
  if (isZero(initialMargin) || markPrice === undefined) return undefined;
  const coins = Math.abs(fraction(delta, ratio(text(initialMargin))));
  return Math.round(instrument?.marginKind === 'linear' ? coins * toNumber(markPrice) : coins);
}

/** What `get_position` answers for an instrument without a position. */
export const noPosition = (
  { name, kind }: Instrument,
  prices: Pick<OpenPosition, 'markPrice' | 'indexPrice' | 'settlementPrice'>,
) => ({
  instrument_name: name,
  kind: kindName(kind),
  direction: 'zero',
  size: ZERO,
  average_price: ZERO,
  mark_price: decimalNumber(prices.markPrice ?? ZERO_PRICE),
  index_price: decimalNumber(prices.indexPrice ?? ZERO_PRICE),
  settlement_price: decimalNumber(prices.settlementPrice ?? ZERO_PRICE),
  floating_profit_loss: ZERO,
  realized_profit_loss: ZERO,
  total_profit_loss: ZERO,
  delta: ZERO,
  initial_margin: ZERO,
  maintenance_margin: ZERO,
  open_orders_margin: ZERO,
  estimated_liquidation_price: null,
});

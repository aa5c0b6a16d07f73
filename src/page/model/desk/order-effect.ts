// What an order would do, in sentences, by the book and the ticker that are shown: said before it is sent. The figures are
// estimates; the gate and the exchange decide on what they find.

import { exactSum } from '../exact-sum.ts';
import { significant } from '../formatting.ts';
import type { Instrument, Ticker } from '../instruments/option-chain.ts';
import { averageOf, type BookRecord } from './book.ts';

export interface RequestedOrder {
  readonly account: string;
  readonly instrumentName: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
  /** Limit orders only. */
  readonly price: string | undefined;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
}

export interface Market {
  readonly listed: Instrument | undefined;
  readonly book: BookRecord | undefined;
  readonly ticker: Ticker | undefined;
  /** Net position in the instrument, signed; absent: not known. */
  readonly position: string | undefined;
}

export const orderText = (
  { side, quantity, instrumentName, price }: RequestedOrder,
  unit = '',
): string =>
  `${side === 'buy' ? 'Buy' : 'Sell'} ${quantity} ${unit} ${instrumentName} ${price === undefined ? 'at market' : `at ${price}`}`.replace(
    '  ',
    ' ',
  );

export function orderEffects(wish: RequestedOrder, market: Market): readonly string[] {
  const { listed, position } = market;
  const unit = listed?.quantityUnit ?? '';
  const sentences = [
    `${orderText(wish, unit)} for account ${wish.account}.`,
    takingText(wish, market),
    notionalText(wish, market),
    positionText(wish, position, unit),
    wish.reduceOnly ? 'It only reduces the position.' : undefined,
    'Limits, switches and the margin are checked when it is sent.',
  ];
  return sentences.filter((one) => one !== undefined);
}

/** Whether it trades at once, and at what price. */
function takingText(wish: RequestedOrder, { book }: Market): string {
  const { side, price, quantity, postOnly } = wish;
  if (book === undefined) return 'The book is not known: it may trade at once.';
  const levels = side === 'buy' ? book.asks : book.bids;
  const [touch] = levels[0] ?? [];
  const opposite = side === 'buy' ? 'ask' : 'bid';
  if (touch === undefined) return `There is no ${opposite} to trade with.`;
  const reaches = (level: string): boolean =>
    price === undefined ||
    (side === 'buy' ? Number(level) <= Number(price) : Number(level) >= Number(price));
  if (!reaches(touch)) return `It rests in the book: the best ${opposite} is ${touch}.`;
  if (postOnly)
    return `It would reach the best ${opposite} of ${touch}: its price is moved so that it rests.`;
  const reached = levels.filter(([level]) => reaches(level));
  const average = averageOf(reached, Number(quantity));
  if (average === undefined && reached.length < levels.length)
    return `It trades at once from ${touch} on, as far as its price allows; the rest stays in the book.`;
  return average === undefined
    ? `It trades at once from ${touch} on, with more than the levels shown.`
    : `It trades at once, at about ${significant(average)} on average; the best ${opposite} is ${touch}.`;
}

/** Of inverse instruments the size is in USD already. */
function notionalText(
  { quantity, price, side }: RequestedOrder,
  { listed, book, ticker }: Market,
): string | undefined {
  if (listed === undefined) return undefined;
  const touch = (side === 'buy' ? book?.asks : book?.bids)?.[0]?.[0];
  const at = Number(price ?? touch ?? ticker?.markPrice);
  const size = Number(quantity);
  const isOption = listed.kind === 'option';
  const inUsd = listed.quantityUnit === 'USD';
  const value = inUsd ? size / at : size * at;
  if (!Number.isFinite(value)) return undefined;
  const currency = listed.settlementCurrency;
  // Of options the fee is a rate on the underlying: coins, or what they are worth.
  const coinWorth = currency === listed.baseCurrency ? 1 : Number(ticker?.indexPrice);
  const fee = (isOption ? size * coinWorth : value) * Number(listed.takerCommission);
  const name = isOption ? 'Premium' : 'Value';
  return `${name} about ${significant(value)} ${currency}; a taker's fee of at most about ${significant(fee)} ${currency}.`;
}

function positionText(
  { quantity, side }: RequestedOrder,
  position: string | undefined,
  unit: string,
): string | undefined {
  if (position === undefined) return undefined;
  const after = exactSum(position, side === 'buy' ? quantity : `-${quantity}`);
  if (after === undefined) return undefined;
  return `The position is ${position} ${unit}, and ${after} ${unit} once it is filled.`;
}

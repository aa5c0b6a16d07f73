// Books and book summaries as Deribit writes them.

import {
  decimalNumber,
  numberIf,
  orNull,
  orZero,
  percentIf,
  rateIf,
  ZERO,
} from '../../../ports/deribit-wire/json-number.ts';
import { shownMark, statsJson } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { BookView, Ticker } from '../../../ports/market-reads.ts';
import { midpoint } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { PriceLevel } from '../../../values/quote.ts';

const levelJson = ({ price, quantity }: PriceLevel) => [
  decimalNumber(price),
  decimalNumber(quantity),
];

/** The book fields that a ticker does not include. */
export const bookJson = ({ changeId, bids, asks }: BookView) => ({
  change_id: changeId,
  bids: bids.map(levelJson),
  asks: asks.map(levelJson),
});

/** One row of a book summary. */
export function summaryJson(instrument: Instrument, ticker: Ticker) {
  const { bid, ask } = ticker;
  const isOption = instrument.kind === 'option';
  const middle = bid && ask && midpoint(bid.price, ask.price);
  return {
    instrument_name: instrument.name,
    base_currency: instrument.base,
    quote_currency: instrument.quote,
    creation_timestamp: ticker.at,
    ...statsJson(instrument, ticker),
    bid_price: orNull(bid?.price),
    ask_price: orNull(ask?.price),
    mid_price: orNull(middle),
    mark_price: orNull(shownMark(instrument, ticker)),
    last: orNull(ticker.last),
    open_interest: orZero(ticker.openInterest),
    estimated_delivery_price: numberIf(ticker.estimatedDeliveryPrice ?? ticker.index),
    current_funding: rateIf(ticker.currentFunding),
    funding_8h: rateIf(ticker.funding8h),
    ...(isOption && {
      mark_iv: percentIf(ticker.markIv),
      interest_rate: ZERO,
      underlying_index: ticker.underlyingName,
      underlying_price: numberIf(ticker.underlying),
    }),
  };
}

// The columns of a market in the tables of the record for cost reports. Amounts are exact, as `numeric`.

import type { SeenMarket } from '../../../core/report/seen-market.ts';
import { price, quantity, text } from '../../../values/amounts.ts';
import type { PriceLevel } from '../../../values/quote.ts';

/** As the driver returns them: `numeric` as text. */
export interface MarketColumns {
  readonly bid: string | null;
  readonly bid_size: string | null;
  readonly ask: string | null;
  readonly ask_size: string | null;
  readonly last: string | null;
  readonly mark: string | null;
  readonly index: string | null;
  readonly underlying: string | null;
  readonly mark_iv: number | null;
  readonly delta: number | null;
  readonly gamma: number | null;
  readonly vega: number | null;
  readonly theta: number | null;
  readonly funding_rate: number | null;
  readonly age_ms: number | null;
}

/** In the order of the tables, with their types. */
export const MARKET_TYPES = `bid numeric, bid_size numeric, ask numeric, ask_size numeric, last numeric, mark numeric,
  index numeric, underlying numeric, mark_iv float8, delta float8, gamma float8, vega float8, theta float8,
  funding_rate float8, age_ms int4`;

export const MARKET_NAMES = MARKET_TYPES.replaceAll(/ (?:numeric|float8|int4)/g, '');

/**
 * The fields of a JSON object, each with a comma after it; unknown ones are left out. Concatenated directly: rows of every slice
 * are, and neither amounts nor numbers need quotes.
 */
export function marketJson(market: SeenMarket | undefined): string {
  if (market === undefined) return '';
  const { bid, ask, last, mark, index, underlying, markIv, greeks, fundingRate, ageMs } = market;
  let json = `"age_ms":${Math.round(ageMs)},`;
  if (bid !== undefined) json += `"bid":${text(bid.price)},"bid_size":${text(bid.quantity)},`;
  if (ask !== undefined) json += `"ask":${text(ask.price)},"ask_size":${text(ask.quantity)},`;
  if (last !== undefined) json += `"last":${text(last)},`;
  if (mark !== undefined) json += `"mark":${text(mark)},`;
  if (index !== undefined) json += `"index":${text(index)},`;
  if (underlying !== undefined) json += `"underlying":${text(underlying)},`;
  if (markIv !== undefined) json += `"mark_iv":${numberJson(markIv)},`;
  if (fundingRate !== undefined) json += `"funding_rate":${numberJson(fundingRate)},`;
  if (greeks === undefined) return json;
  const { delta, gamma, vega, theta } = greeks;
  return `${json}"delta":${numberJson(delta)},"gamma":${numberJson(gamma)},"vega":${numberJson(vega)},"theta":${numberJson(theta)},`;
}

/** What is not finite is unknown. */
export const numberJson = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null');

const priceIn = (column: string | null) => (column === null ? undefined : price(column));

function levelIn(at: string | null, size: string | null): PriceLevel | undefined {
  return at === null || size === null ? undefined : { price: price(at), quantity: quantity(size) };
}

export function marketIn(row: MarketColumns): SeenMarket | undefined {
  const { age_ms: ageMs, delta, gamma, vega, theta } = row;
  if (ageMs === null) return undefined;
  const hasGreeks = delta !== null && gamma !== null && vega !== null && theta !== null;
  return {
    bid: levelIn(row.bid, row.bid_size),
    ask: levelIn(row.ask, row.ask_size),
    last: priceIn(row.last),
    mark: priceIn(row.mark),
    index: priceIn(row.index),
    underlying: priceIn(row.underlying),
    markIv: row.mark_iv ?? undefined,
    fundingRate: row.funding_rate ?? undefined,
    greeks: hasGreeks ? { delta, gamma, vega, theta } : undefined,
    ageMs,
  };
}

// The columns of a market in the tables of the record for cost reports. Amounts are exact, as `numeric`.

import type { SeenMarket } from '../../../core/report/seen-market.ts';
import { text } from '../../../values/amounts.ts';

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
  if (delta !== undefined) json += `"delta":${numberJson(delta)},`;
  if (gamma !== undefined) json += `"gamma":${numberJson(gamma)},`;
  if (vega !== undefined) json += `"vega":${numberJson(vega)},`;
  if (theta !== undefined) json += `"theta":${numberJson(theta)},`;
  return json;
}

/** What is not finite is unknown. */
export const numberJson = (value: number): string => (Number.isFinite(value) ? `${value}` : 'null');

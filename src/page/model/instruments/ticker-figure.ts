// A figure of a ticker in a table: one that was not read yet is not one that there is not.
import { AWAITED, NO_FIGURE } from '../formatting.ts';
import type { Ticker } from './option-chain.ts';

/** `figure`: null and undefined where the ticker has none. `text`: how it is shown. */
export function tickerFigure(
  ticker: Ticker | undefined,
  figure: (ticker: Ticker) => string | null | undefined,
  text: (value: string) => string,
): string {
  if (ticker === undefined) return AWAITED;
  const value = figure(ticker);
  return value === undefined || value === null ? NO_FIGURE : text(value);
}

// The reference that a dynamic leg follows: MID, MARK, MODEL, BID or ASK as named, whatever the leg's side.
import { midpoint, type Price } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Quote } from '../../values/quote.ts';
import type { DynamicReference } from '../terms/spec.ts';

/** True while the quote is fresh enough to be used. */
export const isFresh = (quote: Quote, now: Instant, ageMaxMs: number): boolean =>
  now - quote.seenAt <= ageMaxMs;

/** The named price of a quote in the instrument's currency; MODEL falls back to MARK. */
export function referencePrice(quote: Quote, reference: DynamicReference): Price | undefined {
  switch (reference) {
    case 'mid':
      return quote.bid && quote.ask && midpoint(quote.bid.price, quote.ask.price);
    case 'mark':
      return quote.mark;
    case 'model':
      return quote.model ?? quote.mark;
    case 'bid':
      return quote.bid?.price;
    case 'ask':
      return quote.ask?.price;
  }
}

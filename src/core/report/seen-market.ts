// A market as it was seen at one instant, as kept for reports on execution costs.
import { midpoint, type Price } from '../../values/amounts.ts';
import { type Instant, MINUTE_MS } from '../../values/instant.ts';
import type { Greeks, Quote } from '../../values/quote.ts';

/** A market that the venue has not confirmed for longer is not known. */
export const STALE_MS = MINUTE_MS;

export interface SeenMarket
  extends Pick<
    Quote,
    'bid' | 'ask' | 'last' | 'mark' | 'index' | 'underlying' | 'markIv' | 'fundingRate'
  > {
  readonly greeks?: Omit<Greeks, 'rho'> | undefined;
  /** Time since the venue last confirmed it. */
  readonly ageMs: number;
}

export const seenMarket = (quote: Quote, now: Instant): SeenMarket => ({
  bid: quote.bid,
  ask: quote.ask,
  last: quote.last,
  mark: quote.mark,
  index: quote.index,
  underlying: quote.underlying,
  markIv: quote.markIv,
  greeks: quote.greeks,
  fundingRate: quote.fundingRate,
  ageMs: Math.max(0, now - quote.seenAt),
});

/** The mean of the best bid and ask; `undefined` if a side is empty or they cross. */
export const midOf = ({ bid, ask }: Pick<SeenMarket, 'bid' | 'ask'>): Price | undefined =>
  midBetween(bid?.price, ask?.price);

export function midBetween(bid: Price | undefined, ask: Price | undefined): Price | undefined {
  if (bid === undefined || ask === undefined || bid.gt(ask)) return undefined;
  return midpoint(bid, ask);
}

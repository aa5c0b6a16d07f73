// What a perpetual paid in funding while the portfolio was at work: the position that its fills built, at the recorded mark and
// rate of each moment. The venue books it for the whole position of the account, so no fill or event carries it. Floats: an estimate
// from samples, and no part of the shortfall.
import { toNumber } from '../../values/amounts.ts';
import { HOUR_MS, type Instant } from '../../values/instant.ts';
import { type Instrument, isPricedInversely, type Side, signOf } from '../../values/instrument.ts';
import type { MeasuredFill } from './fill-measures.ts';
import type { MarketSeries } from './market-series.ts';

/** Rates are fractions of the position's value in so long. */
const RATE_PERIOD_MS = 8 * HOUR_MS;

export interface FundingQuestion {
  readonly instrument: Instrument;
  readonly side: Side;
  /** In order of the venue's time. */
  readonly fills: readonly MeasuredFill[];
  readonly series: MarketSeries;
  readonly to: Instant;
}

export interface FundingPaid {
  /** Positive was paid; in coin for contracts sized in USD, else in the quote currency. */
  readonly paid: number;
  /** Share of the time with a position in which a rate was recorded. */
  readonly coverage: number;
}

/** `undefined` if no rate was recorded while there was a position. */
export function fundingPaid(question: FundingQuestion): FundingPaid | undefined {
  const { instrument, side, fills, series, to } = question;
  const isInverse = isPricedInversely(instrument);
  let [held, heldMs, knownMs, paid] = [0, 0, 0, 0];
  for (const [index, { fill }] of fills.entries()) {
    held += toNumber(fill.quantity);
    const until = fills[index + 1]?.fill.tradedAt ?? to;
    if (until <= fill.tradedAt) continue;
    heldMs += until - fill.tradedAt;
    for (const piece of series.pieces({ from: fill.tradedAt, to: until })) {
      const { mark, index: spot, fundingRate } = piece.market;
      const at = mark ?? spot;
      if (at === undefined || fundingRate === undefined) continue;
      const value = isInverse ? held / toNumber(at) : held * toNumber(at);
      const ms = piece.to - piece.from;
      knownMs += ms;
      paid += signOf(side) * value * fundingRate * (ms / RATE_PERIOD_MS);
    }
  }
  return knownMs === 0 ? undefined : { paid, coverage: knownMs / heldMs };
}

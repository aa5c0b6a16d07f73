// Volatilities of an option over time for charts: those that the touch and the fills imply at the forward of the same moment,
// and that of the mark. Fractions; a price at or below intrinsic value implies none.
import { impliedVolatility } from '../../quant/implied-volatility.ts';
import { yearFraction } from '../../quant/year-fraction.ts';
import { type Price, toNumber } from '../../values/amounts.ts';
import { type Instant, isoText } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { round } from './fill-costs.ts';
import type { MarketSeries } from './market-series.ts';
import type { LegCosts } from './report-shapes.ts';
import type { SeenMarket } from './seen-market.ts';

const PLACES = 6;

/** The volatility that a premium implies; `null` for other instruments, without a forward, and where none does. */
export function impliedAt(
  { option, expiresAt, marginKind }: Instrument,
  premium: Price | undefined,
  { market, at }: { readonly market: SeenMarket | undefined; readonly at: Instant },
): number | null {
  const forward = (market?.underlying ?? market?.index)?.toNumber();
  if (option === undefined || expiresAt === undefined) return null;
  if (premium === undefined || forward === undefined || forward <= 0 || at >= expiresAt)
    return null;
  const { type, strike } = option;
  const terms = { type, forward, strike: toNumber(strike), years: yearFraction(expiresAt - at) };
  const usd = toNumber(premium) * (marginKind === 'inverse' ? forward : 1);
  const implied = impliedVolatility(terms, usd);
  return implied.kind === 'found' ? round(implied.volatility, PLACES) : null;
}

interface CourseQuestion {
  readonly instrument: Instrument;
  readonly series: MarketSeries;
  readonly from: Instant;
  readonly to: Instant;
  readonly stepMs: number;
  /** Instants from which nothing is known. */
  readonly breaks: readonly Instant[];
}

/** Nothing for other instruments. */
export function impliedCourse(question: CourseQuestion): LegCosts['volatility'] {
  const { instrument, series, from, to, stepMs, breaks } = question;
  if (instrument.kind !== 'option') return [];
  const seen = series.points({ from, to }, stepMs).map(({ at, market }) => ({
    at,
    bid: impliedAt(instrument, market.bid?.price, { market, at }),
    ask: impliedAt(instrument, market.ask?.price, { market, at }),
    mark: market.markIv === undefined ? null : round(market.markIv, PLACES),
  }));
  return [...seen, ...breaks.map((at) => ({ at, bid: null, ask: null, mark: null }))]
    .sort((a, b) => a.at - b.at)
    .map((one) => ({ ...one, at: isoText(one.at) }));
}

// Rows of the record for cost reports as they are stored, in the database and in the archive: amounts and 64-bit numbers
// as text.
import { money, price, quantity } from '../../values/amounts.ts';
import { currency, instrumentName, portfolioId, venueName } from '../../values/ids.ts';
import { instant } from '../../values/instant.ts';
import type { PriceLevel } from '../../values/quote.ts';
import type { LegMoment, MarketInstant, MarketSecond } from './cost-rows.ts';
import type { SeenMarket } from './seen-market.ts';

/** NULL = unknown. */
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

export interface SecondColumns extends MarketColumns {
  readonly venue: string;
  readonly instrument: string;
  readonly second: string;
  readonly at: string;
  readonly volume: string | null;
}

export interface MomentColumns extends MarketColumns {
  readonly portfolio: string;
  readonly version: number;
  readonly leg: number;
  readonly at: string;
  readonly expected_bps: number | null;
  readonly expected_fee: string | null;
  readonly expected_fee_currency: string | null;
}

export interface InstantColumns {
  readonly venue: string;
  readonly instrument: string;
  readonly at: string;
  readonly bid: string | null;
  readonly ask: string | null;
  readonly counted_since: string | null;
  readonly volume: string | null;
  readonly value: string | null;
}

const priceIn = (column: string | null) => (column === null ? undefined : price(column));

function levelIn(at: string | null, size: string | null): PriceLevel | undefined {
  return at === null || size === null ? undefined : { price: price(at), quantity: quantity(size) };
}

function marketIn(row: MarketColumns): SeenMarket | undefined {
  const { age_ms: ageMs, delta, gamma, vega, theta } = row;
  if (ageMs === null) return undefined;
  const greeks = {
    ...(delta !== null && { delta }),
    ...(gamma !== null && { gamma }),
    ...(vega !== null && { vega }),
    ...(theta !== null && { theta }),
  };
  return {
    bid: levelIn(row.bid, row.bid_size),
    ask: levelIn(row.ask, row.ask_size),
    last: priceIn(row.last),
    mark: priceIn(row.mark),
    index: priceIn(row.index),
    underlying: priceIn(row.underlying),
    markIv: row.mark_iv ?? undefined,
    fundingRate: row.funding_rate ?? undefined,
    greeks: Object.keys(greeks).length === 0 ? undefined : greeks,
    ageMs,
  };
}

export function secondIn(row: SecondColumns): readonly MarketSecond[] {
  const market = marketIn(row);
  if (market === undefined) return [];
  return [
    {
      venue: venueName(row.venue),
      instrument: instrumentName(row.instrument),
      second: instant(Number(row.second)),
      at: instant(Number(row.at)),
      market,
      volume: row.volume === null ? undefined : quantity(row.volume),
    },
  ];
}

export function instantIn(row: InstantColumns): MarketInstant {
  const { counted_since: since, volume, value } = row;
  const isCounted = since !== null && volume !== null && value !== null;
  return {
    venue: venueName(row.venue),
    instrument: instrumentName(row.instrument),
    at: instant(Number(row.at)),
    bid: priceIn(row.bid),
    ask: priceIn(row.ask),
    count: isCounted
      ? { since: instant(Number(since)), volume: quantity(volume), value: money(value) }
      : undefined,
  };
}

export function momentIn(row: MomentColumns): LegMoment {
  const { expected_fee: fee, expected_fee_currency: feeCurrency } = row;
  return {
    portfolio: portfolioId(row.portfolio),
    version: row.version,
    leg: row.leg,
    at: instant(Number(row.at)),
    market: marketIn(row),
    expected:
      fee === null || feeCurrency === null
        ? undefined
        : {
            bps: row.expected_bps ?? undefined,
            fee: money(fee),
            feeCurrency: currency(feeCurrency),
          },
  };
}

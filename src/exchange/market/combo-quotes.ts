// How makers quote a combo: around the middle of its legs, as wide as its widest leg, with as much as the best levels of
// the legs allow. Narrower than trading the legs one by one, and never so far off that the legs could be traded against
// it at a profit. A function of the legs' markets alone.
import { type Price, ratioOf, scaled, shifted, toNumber } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import { accountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import type { Greeks } from '../../values/quote.ts';
import { Grid } from '../book/grid.ts';
import type { MakeQuotesCommand, QuoteLevel, SetReferenceCommand } from '../exchange-command.ts';
import type { Reference } from '../model/market-view.ts';
import type { LegOutlook } from './prices/leg-outlook.ts';

export const COMBO_MAKER: AccountId = accountId('combo-maker');

/** The market of one leg. */
export interface QuotedLeg {
  /** Units of the leg in one unit of the combo, negative if it is sold. */
  readonly ratio: number;
  readonly reference: Reference;
  readonly outlook: LegOutlook;
  /** What the best levels offer to the makers' hedge, in units of the leg; zero if there is none. */
  readonly bidSize: number;
  readonly askSize: number;
}

const LEVELS = 3;
/** Rounding noise of a float division that must not cost a whole tick. */
const NOISE = 1e-9;

/** What a combo needs of the reference data of its legs. */
type MarkedReference = Pick<
  Reference,
  'index' | 'mark' | 'underlying' | 'greeks' | 'minPrice' | 'maxPrice'
>;

interface MarkedLeg {
  readonly ratio: number;
  readonly reference: MarkedReference;
}

/** The sums of the reference data of its legs. `undefined` without legs. */
export function comboReference(
  { name }: Instrument,
  legs: readonly MarkedLeg[],
  now: Instant,
): SetReferenceCommand | undefined {
  const [first] = legs;
  if (first === undefined) return undefined;
  const { index, underlying } = first.reference;
  const isOneForward = legs.every(
    ({ reference }) => underlying !== undefined && reference.underlying?.eq(underlying),
  );
  const greeks = greeksOf(legs);
  return {
    kind: 'set_reference',
    now,
    instrument: name,
    index,
    mark: sumOf(legs, ({ reference }) => reference.mark) ?? first.reference.mark,
    ...(isOneForward && { underlying }),
    ...(greeks && { greeks }),
    minPrice: sumOf(legs, ({ ratio, reference }) =>
      ratio > 0 ? reference.minPrice : reference.maxPrice,
    ),
    maxPrice: sumOf(legs, ({ ratio, reference }) =>
      ratio > 0 ? reference.maxPrice : reference.minPrice,
    ),
  };
}

/** Σ ratio × price; `undefined` if a price is not known. */
function sumOf(
  legs: readonly MarkedLeg[],
  of: (leg: MarkedLeg) => Price | undefined,
): Price | undefined {
  let sum: Price | undefined;
  for (const leg of legs) {
    const price = of(leg);
    if (price === undefined) return undefined;
    const part = scaled(price, ratioOf(leg.ratio));
    sum = sum === undefined ? part : shifted(sum, part);
  }
  return sum;
}

/** A greek is known if it is of every leg. */
function greeksOf(legs: readonly MarkedLeg[]): Greeks | undefined {
  if (legs.some(({ reference }) => reference.greeks === undefined)) return undefined;
  const sum = (name: keyof Greeks): number | undefined => {
    let total = 0;
    for (const { ratio, reference } of legs) total += ratio * (reference.greeks?.[name] ?? NaN);
    return Number.isNaN(total) ? undefined : total;
  };
  return {
    delta: sum('delta'),
    gamma: sum('gamma'),
    vega: sum('vega'),
    theta: sum('theta'),
    rho: sum('rho'),
  };
}

/** No quotes while prices jump. */
export function comboQuotes(
  combo: Instrument,
  legs: readonly QuotedLeg[],
  now: Instant,
): MakeQuotesCommand {
  const grid = new Grid(combo);
  const { bid, ask } = touchOf(legs, { grid, tick: toNumber(combo.tickSize) });
  const isOpen = legs.length > 0 && legs.every(({ outlook }) => !outlook.isAlarmed);
  const lot = toNumber(combo.amountStep);
  const levels = (side: Side, best: number): readonly QuoteLevel[] => {
    const lots = Math.floor(sizeOf(legs, side) / lot + NOISE);
    if (!isOpen || lots < grid.minLots) return [];
    const step = Math.max(1, Math.round((ask - bid) / 2));
    return Array.from({ length: LEVELS }, (_, level) => ({
      priceTicks: side === 'buy' ? best - level * step : best + level * step,
      lots: lots * (level + 1),
    })).filter(({ priceTicks }) => priceTicks >= grid.lowestTicks);
  };
  const instrument = combo.name;
  const [bids, asks] = [levels('buy', bid), levels('sell', ask)];
  return { kind: 'make_quotes', now, account: COMBO_MAKER, instrument, bids, asks };
}

function touchOf(
  legs: readonly QuotedLeg[],
  { grid, tick }: { readonly grid: Grid; readonly tick: number },
): { readonly bid: number; readonly ask: number } {
  const middle = legs.reduce((sum, { ratio, outlook }) => sum + ratio * outlook.middle, 0);
  const half = Math.max(
    ...legs.map(({ ratio, outlook }) => Math.abs(ratio) * outlook.halfSpread),
    tick / 2,
  );
  const bid = Math.floor((middle - half) / tick + NOISE);
  const ask = Math.ceil((middle + half) / tick - NOISE);
  return { bid, ask: Math.max(ask, bid + 1, grid.lowestTicks) };
}

/** What the legs' best levels allow on this side of the combo, in its units: a bid is hedged by selling what it buys. */
const sizeOf = (legs: readonly QuotedLeg[], side: Side): number =>
  Math.min(
    ...legs.map(({ ratio, bidSize, askSize }) => {
      const isHedgedAtBid = ratio > 0 === (side === 'buy');
      return (isHedgedAtBid ? bidSize : askSize) / Math.abs(ratio);
    }),
  );

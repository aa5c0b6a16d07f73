// The perpetual that hedges the delta of a ticket, and its size: exact, from the deltas that the venue states.
import { exactProduct, exactSum, isGreater, nearestMultiple } from '../exact-sum.ts';
import { type Instrument, type Ticker, typeOf, underlyingOf } from '../instruments/option-chain.ts';

export interface HedgedLeg {
  readonly instrument: Instrument;
  /** `undefined` while its prices are not known. */
  readonly ticker: Ticker | undefined;
  /** As it is written. */
  readonly quantity: string;
  readonly side: 'BUY' | 'SELL';
}

export interface SizedHedge {
  readonly instrument: Instrument;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: string;
}

/** Options and spot: the delta of contracts sized in dollars is not exact in coins, and a perpetual is its own hedge. */
export const isHedgeable = ({ kind, quantityUnit, baseCurrency }: Instrument): boolean =>
  (kind === 'option' || kind === 'option_combo' || kind === 'spot') &&
  quantityUnit === baseCurrency;

/** The perpetual on the same coin, that of the same series if there is one. */
export function hedgeInstrument(
  all: readonly Instrument[],
  hedged: Instrument,
): Instrument | undefined {
  const perpetuals = all.filter(
    (one) => typeOf(one) === 'PERPETUAL' && one.baseCurrency === hedged.baseCurrency,
  );
  return (
    perpetuals.find((one) => underlyingOf(one) === underlyingOf(hedged)) ??
    perpetuals.find((one) => underlyingOf(one) === hedged.baseCurrency) ??
    perpetuals[0]
  );
}

/** Of all legs once they are filled, in coins; `undefined` if a figure is missing. */
export function netDelta(legs: readonly HedgedLeg[]): string | undefined {
  return legs.reduce<string | undefined>((sum, { instrument, ticker, quantity, side }) => {
    const isOption = instrument.kind === 'option' || ticker?.greeks !== undefined;
    const each = isOption ? ticker?.greeks?.delta : '1';
    const own = each === undefined ? undefined : exactProduct(quantity, each);
    const signed = own === undefined ? undefined : exactProduct(own, side === 'BUY' ? '1' : '-1');
    return sum === undefined || signed === undefined ? undefined : exactSum(sum, signed);
  }, '0');
}

/** Against a delta, to the nearest lot; `undefined` while the price is not known, or if that is less than may be traded. */
export function hedgeAgainst(
  delta: string,
  instrument: Instrument,
  ticker: Ticker | undefined,
): SizedHedge | undefined {
  const side = delta.startsWith('-') ? 'BUY' : 'SELL';
  const coins = delta.replace(/^-/, '');
  const each = instrument.quantityUnit === 'USD' ? ticker?.markPrice : '1';
  const exact = each === undefined ? undefined : exactProduct(coins, each);
  const quantity = exact && nearestMultiple(exact, instrument.qtyTickSize);
  if (quantity === undefined || isGreater(instrument.minTradeAmount, quantity) !== false) {
    return undefined;
  }
  return { instrument, side, quantity };
}

const FAR = '0.05';

/** Whether a hedge differs from what the delta calls for by more than prices move while one types. */
export function isFarFrom(
  written: { readonly side: string; readonly quantity: string },
  sized: SizedHedge,
): boolean {
  if (written.side !== sized.side) return true;
  const minus = exactProduct(sized.quantity, '-1') ?? '0';
  const gap = exactSum(written.quantity, minus)?.replace(/^-/, '');
  const far = exactProduct(sized.quantity, FAR);
  return gap === undefined || far === undefined || isGreater(gap, far) !== false;
}

// What a leg of options paid over a reference in the units of options: coin or USD of premium, basis points of the
// underlying, volatility points and vega money. Basis points of a premium mislead: one tick of a cheap option is
// thousands of them. The premium is summed up exactly; the other figures are measures: floats.
import type { Price } from '../../values/amounts.ts';
import { Decimal } from '../../values/decimal.ts';
import { type Instrument, type Side, signOf } from '../../values/instrument.ts';
import type { MeasuredFill } from './fill-measures.ts';

export interface OptionCosts {
  /** Σ s (price − reference) × quantity, in the currency of the price. */
  readonly premium: number;
  readonly usd: number;
  readonly bpsOfUnderlying: number;
  /** Of the premium; `null` where one tick is more than a twentieth of it. */
  readonly bpsOfPremium: number | null;
  /** USD over the gross vega of the fills: the net vega of a spread is nearly zero. `null` near expiry or without greeks. */
  readonly volPoints: number | null;
  /** Gross vega of the fills in USD per volatility point. */
  readonly vegaUsd: number | null;
  /** Value of the underlying of the measured fills, in USD. */
  readonly underlyingUsd: number;
  /** Share of the filled quantity that is measured. */
  readonly coverage: number;
}

const PREMIUM_TICKS_MIN = 20;
/** Deeper in or out of the money, volatility says nothing. */
const DELTA_MAX = 0.95;

/** `undefined` if no fill has a reference and a price of the underlying. */
export function optionCosts(
  fills: readonly MeasuredFill[],
  { instrument, side }: { readonly instrument: Instrument; readonly side: Side },
  referenceOf: (fill: MeasuredFill) => Price | undefined,
): OptionCosts | undefined {
  const isCoin = instrument.marginKind === 'inverse';
  const sign = signOf(side);
  let premium: Decimal = Decimal.zero;
  let [usd, underlying, underlyingUsd, base] = [0, 0, 0, 0];
  let [vega, units, all] = [0, 0, 0];
  let [hasVega, isDear] = [true, true];
  for (const one of fills) {
    const quantity = one.fill.quantity.toNumber();
    all += quantity;
    const reference = referenceOf(one);
    const forward = one.market?.underlying ?? one.market?.index;
    if (reference === undefined || forward === undefined) continue;
    const coin = forward.toNumber();
    const exact = one.fill.price.minus(reference).mul(one.fill.quantity).mul(sign);
    const over = exact.toNumber();
    units += quantity;
    premium = premium.plus(exact);
    usd += isCoin ? over * coin : over;
    underlying += quantity * (isCoin ? 1 : coin);
    underlyingUsd += quantity * coin;
    base += reference.toNumber() * quantity;
    if (reference.lt(instrument.tickSize.mul(PREMIUM_TICKS_MIN))) isDear = false;
    const { delta, vega: each } = one.market?.greeks ?? {};
    if (delta === undefined || each === undefined || Math.abs(delta) > DELTA_MAX) hasVega = false;
    else vega += Math.abs(each) * quantity;
  }
  if (units === 0) return undefined;
  const isMeasured = hasVega && vega > 0;
  const paid = premium.toNumber();
  return {
    premium: paid,
    usd,
    underlyingUsd,
    bpsOfUnderlying: (paid / underlying) * 10_000,
    bpsOfPremium: isDear && base > 0 ? (paid / base) * 10_000 : null,
    volPoints: isMeasured ? usd / vega : null,
    vegaUsd: isMeasured ? vega : null,
    coverage: units / all,
  };
}

// Recalculates a price requested in USD or in volatility as a price in the option's own currency.
import type { LegPricing } from '../../../src/core/terms/spec.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import { type OptionCase, optionUsd, volatilityAt, yearsFrom } from './option-value.ts';

/** What the formula needs of an option at one instant, with a forward that was shown. */
export function optionCase(
  { option, expiresAt }: Instrument,
  forward: number,
  at: number,
): OptionCase {
  const strike = option === undefined ? 0 : toNumber(option.strike);
  return {
    isCall: option?.type === 'call',
    forward,
    strike,
    years: yearsFrom((expiresAt ?? at) - at),
  };
}

export interface UnitCase {
  readonly pricing: Exclude<LegPricing, { type: 'market' }>;
  readonly instrument: Instrument;
  /** When it was decided. */
  readonly at: number;
  readonly touch: ShownTouch;
  /** Of a price that follows the market: what it follows may have been, in ticks. */
  readonly references: readonly number[];
}

/** What the rule can have given, in ticks. */
export function unitTicks({ pricing, instrument, at, touch, references }: UnitCase): number[] {
  const { forward, markIv } = touch;
  const tick = toNumber(instrument.tickSize);
  const of = optionCase(instrument, forward, at);
  const ticks = (usd: number): number => usd / forward / tick;
  if (pricing.type === 'limit') {
    const asked = toNumber(pricing.price);
    return [ticks(pricing.unit === 'iv' ? optionUsd(of, asked) : asked)];
  }
  const offset = toNumber(pricing.offset);
  return references.map((reference) => {
    const usd = reference * tick * forward;
    if (pricing.unit === 'usd') return ticks(usd + offset);
    const isMark = pricing.reference === 'mark' || pricing.reference === 'model';
    return ticks(optionUsd(of, (isMark ? markIv : volatilityAt(of, usd)) + offset));
  });
}

/** Ask − bid in points of volatility. */
export function volatilityPoints(instrument: Instrument, touch: ShownTouch, at: number): number {
  const { bid, ask, forward } = touch;
  if (bid === undefined || ask === undefined) return Number.POSITIVE_INFINITY;
  const tick = toNumber(instrument.tickSize);
  const of = optionCase(instrument, forward, at);
  const [low, high] = [bid, ask].map((ticks) => volatilityAt(of, ticks * tick * forward));
  return ((high ?? 0) - (low ?? 0)) * 100;
}

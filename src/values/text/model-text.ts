// Numbers of models and averages as text, without the decimal places that are noise.
import { type Price, type Ratio, rounded, text } from '../amounts.ts';

/** Averages rarely have a finite decimal expansion, and greeks come from a model. */
const PLACES = 8;

export const averageText = (average: Price): string => text(rounded(average, PLACES, 'half_even'));

export const greekText = (greek: Ratio): string => text(rounded(greek, PLACES, 'half_even'));

/** A model's float as text: at most `places` decimals, no exponent. */
export function floatText(value: number, places: number): string {
  const fixed = value.toFixed(places);
  const short = fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
  return short === '-0' ? '0' : short;
}

export const percentText = (fraction: number): string => floatText(fraction * 100, 4);

// Scales of figures, and how their values are written.
import { type ScaleLinear, scaleLinear, scaleUtc } from 'd3-scale';
import { grouped } from '../../values/text/written-figures.ts';
import { ACROSS, UPWARDS } from './svg-figure.ts';

export const msOf = (iso: string): number => Date.parse(iso);

/** A scale that holds zero and all values. */
export function heightOf(values: readonly number[]): ScaleLinear<number, number> {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  return scaleLinear()
    .domain(low === high ? [low, low + 1] : [low, high])
    .nice()
    .range(UPWARDS);
}

export const timeOf = (from: number, to: number) =>
  scaleUtc()
    .domain([from, Math.max(to, from + 1)])
    .range(ACROSS);

export const percent = (value: number): string => `${Math.round(value * 100)} %`;
/** Without an exponent. */
export const plain = (value: number): string =>
  Math.abs(value) < 1e-10 ? '0' : value.toFixed(10).replace(/\.?0+$/, '');
/** Six significant digits, with thousands in groups. */
export const short = (value: number): string => grouped(String(Number(value.toPrecision(6))));
/** To the cent. */
export const money = (value: number): string =>
  grouped(value.toFixed(2)).replace(/^-(?=0\.00$)/, '');
/** `2026-11-30 12:00:00`; text that is no instant stays as it is. */
export const clockText = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(iso) ? iso.slice(0, 19).replace('T', ' ') : iso;

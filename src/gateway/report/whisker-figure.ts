// Means with their errors, side by side.
import { heightOf, short } from './figure-scales.ts';
import {
  ACROSS,
  type Figure,
  labelAxis,
  lineOf,
  marksOf,
  type Point,
  ruleAt,
  svgText,
  upAxis,
} from './svg-figure.ts';

/** 95 of 100 intervals of so many errors hold the true mean, for many independent measurements. */
const ERRORS = 1.96;

export interface Whisker {
  readonly name: string;
  readonly mean: number;
  /** Standard error; 0: not known. */
  readonly error: number;
}

/** `undefined` without means. */
export function whiskerFigure(
  { title, legend }: { readonly title: string; readonly legend: string },
  whiskers: readonly Whisker[],
): Figure | undefined {
  if (whiskers.length === 0) return undefined;
  const y = heightOf(
    whiskers.flatMap(({ mean, error }) => [mean - ERRORS * error, mean + ERRORS * error]),
  );
  const step = (ACROSS[1] - ACROSS[0]) / whiskers.length;
  const xOf = (index: number): number => ACROSS[0] + step * (index + 0.5);
  const words = {
    title,
    says: whiskers
      .map(({ name, mean, error }) =>
        error === 0
          ? `${name}: ${short(mean)}`
          : `${name}: ${short(mean)} ± ${short(ERRORS * error)}`,
      )
      .join(', '),
  };
  const names = whiskers.map(({ name }) => name);
  return {
    ...words,
    svg: svgText(words, [
      upAxis(y, short),
      labelAxis(names, xOf),
      ruleAt(y(0)),
      ...whiskers.map(({ mean, error }, index) =>
        lineOf('own', [
          [xOf(index), y(mean - ERRORS * error)],
          [xOf(index), y(mean + ERRORS * error)],
        ]),
      ),
      marksOf(
        'maker',
        'round',
        whiskers.map(({ mean }, index): Point => [xOf(index), y(mean)]),
      ),
    ]),
    legend: [['own', legend]],
  };
}

// Sums up the runs of a sweep: means with their standard errors, and differences from a base on the same windows, so that
// what moved both runs cancels out. A pure function of the runs; their order does not matter.

import { must } from '../../../values/assert.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { round } from '../fill-costs.ts';
import { sampleFigures } from '../sample-figures.ts';
import {
  SWEEP_MEASURES,
  type SweepMeasure,
  type SweepTable,
  type SweptFigures,
  type SweptLeg,
  type SweptRun,
  type SweptRunLeg,
} from './sweep-shapes.ts';

export interface SweepOptions {
  /** Names of the variants, in order. */
  readonly variants: readonly string[];
  /** Index of the variant that the others are compared with. */
  readonly base: number;
  readonly windows: number;
  /** True if windows share time. */
  readonly isOverlapping: boolean;
  /** How more windows are had, for the warning about few of them. */
  readonly moreWindows: string;
  /** What else is to be said of all runs. */
  readonly notes: readonly string[];
}

/** Below this, an error of a mean is itself uncertain by a seventh or more. */
export const SMALL_SAMPLE = 30;

export function sweepTable(runs: readonly SweptRun[], options: SweepOptions): SweepTable {
  const { variants, base, windows } = options;
  const ordered = runs.toSorted((a, b) => a.variant - b.variant || a.window - b.window);
  const legs = Math.max(0, ...ordered.map((run) => run.legs?.length ?? 0));
  return {
    format: 'twapd.sweep/1',
    base: must(variants[base], 'the base is a variant'),
    variants: variants.map((name, variant) => {
      const own = ordered.filter((run) => run.variant === variant);
      const refused = own.filter((run) => run.legs === undefined).length;
      return { name, runs: own.length, refused };
    }),
    windows,
    legs: Array.from({ length: legs }, (_, leg) => legTable(ordered, leg, options)),
    notes: notesOf(ordered, options),
  };
}

function legTable(
  runs: readonly SweptRun[],
  leg: number,
  { variants, base }: SweepOptions,
): SweptLeg {
  const of = (variant: number): ReadonlyMap<number, SweptRunLeg> =>
    new Map(
      runs.flatMap((run) => {
        const one = run.variant === variant ? run.legs?.[leg] : undefined;
        return one === undefined ? [] : [[run.window, one] as const];
      }),
    );
  const first = of(base);
  const [some, ...others] = new Map(
    runs.flatMap((run) => {
      const one = run.legs?.[leg];
      return one === undefined ? [] : [[one.instrument, one]];
    }),
  ).values();
  // A choice may be met by another instrument in each run.
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return {
    leg,
    side: some?.side ?? '',
    instrument: some === undefined ? '' : `${some.instrument}${more}`,
    rows: variants.flatMap((name, variant) => {
      const own = of(variant);
      const against = variant === base ? new Map<number, SweptRunLeg>() : first;
      return SWEEP_MEASURES.map((measure) => ({
        variant: name,
        ...figuresOf(measure, own, against),
      }));
    }),
  };
}

type ByWindow = ReadonlyMap<number, SweptRunLeg>;

function figuresOf(
  measure: SweepMeasure,
  own: ByWindow,
  base: ByWindow,
): Omit<SweptFigures, 'variant'> {
  const known = [...own].flatMap(([window, leg]) => {
    const value = leg.measured[measure];
    return value === null ? [] : [[window, value] as const];
  });
  const { count, mean, standardError } = sampleFigures(known.map(([, value]) => value));
  const paired = sampleFigures(
    known.flatMap(([window, value]) => {
      const other = base.get(window)?.measured[measure] ?? null;
      return other === null ? [] : [value - other];
    }),
  );
  return {
    measure,
    count,
    mean: shown(mean),
    standardError: shown(standardError),
    pairs: paired.count,
    difference: shown(paired.mean),
    differenceError: shown(paired.standardError),
  };
}

const shown = (value: number | null): number | null => (value === null ? null : round(value));

function notesOf(
  runs: readonly SweptRun[],
  { variants, windows, isOverlapping, moreWindows, notes: others }: SweepOptions,
): readonly string[] {
  const notes = [
    'costs in basis points, positive is worse; ± is the standard error of a mean; differences are those of runs on the same window, setting minus base',
    ...others,
  ];
  if (windows < SMALL_SAMPLE) {
    const many = windows === 1 ? '1 window' : `${windows} windows`;
    const error = windows === 1 ? 'nothing can be said of the error' : 'errors are uncertain';
    notes.push(
      `warning: the sample is small: ${many}, and below ${SMALL_SAMPLE} ${error}; more windows: ${moreWindows}`,
    );
  }
  if (isOverlapping) {
    notes.push('warning: windows overlap and are not independent: true errors are larger');
  }
  if (variants.length > 2) {
    notes.push(
      `${variants.length - 1} settings are compared with the base: of twenty without any effect, one differs by two standard errors by chance`,
    );
  }
  notes.push(...refusalNotes(runs));
  return notes;
}

/** Reasons beyond these are only counted: those with a time in them may differ from run to run. */
const REASONS_SHOWN = 5;

/** How many runs were refused, and each reason with the number of runs that it stopped, the most frequent first. */
function refusalNotes(runs: readonly SweptRun[]): readonly string[] {
  const refused = runs.filter(({ legs }) => legs === undefined);
  if (refused.length === 0) return [];
  const [many, one] = [`${refused.length} runs were refused and are`, '1 run was refused and is'];
  const counts = new Map<string, number>();
  for (const reason of refused.flatMap(({ reasons = [] }) => [...new Set(reasons)])) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted(([, a], [, b]) => b - a);
  const more = ranked.length - REASONS_SHOWN;
  return [
    `warning: ${refused.length === 1 ? one : many} in no figure`,
    ...ranked
      .slice(0, REASONS_SHOWN)
      .map(([reason, count]) => `refused, ${counted(count, 'run')}: ${reason}`),
    ...(more > 0 ? [`refused: ${counted(more, 'more reason')}`] : []),
  ];
}

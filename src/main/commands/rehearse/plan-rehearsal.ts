// A rehearsal as a sweep: every combination of settings, on every day of the market of every seed.

import { DAY_MS, isoText, later } from '../../../values/instant.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { VERSION } from '../../version.ts';
import { formOf } from '../backtest/backtest-cells.ts';
import { withFields } from '../backtest/set-fields.ts';
import { lengthOf } from '../backtest/sweep-backtests.ts';
import { limitsKey, limitsNote } from '../deployment-limits.ts';
import type { SweepPlan } from '../sweep/run-sweep.ts';
import { baseOf, requireCells, variantsOf } from '../sweep/sweep-axes.ts';
import { CELL_FORMAT, digestOf, type SweepCell } from '../sweep/sweep-cells.ts';
import type { RehearsalWork } from './rehearsal-cells.ts';
import type { RehearsalSettings } from './rehearse-options.ts';

export interface RehearsalAsked {
  readonly body: unknown;
  readonly settings: RehearsalSettings;
  /** `--set`, each with one value or several. */
  readonly set: readonly string[];
  /** Number of the base among the variants, from 1. */
  readonly base: number;
}

/** @throws CommandFailure if a setting does not fit the file, or these are too many runs. */
export function planRehearsal({ body, settings, set, base }: RehearsalAsked): SweepPlan {
  const { bornAt, days, seeds, regime, latency, deployment } = settings;
  const variants = variantsOf(set);
  const windows = seeds.flatMap((seed) =>
    Array.from({ length: days }, (_, day) => ({ seed, startAt: later(bornAt, day * DAY_MS) })),
  );
  requireCells(variants.length, windows.length);
  const lengthMs = Math.max(...variants.map((one) => lengthOf(formOf(body, one.settings))));
  const cells = variants.flatMap((one, variant) => {
    const inputs = [
      VERSION,
      CELL_FORMAT,
      'paper',
      withFields(body, one.settings),
      regime,
      bornAt,
      latency,
      limitsKey(deployment),
    ];
    return windows.map(
      ({ seed, startAt }, window): SweepCell => ({
        key: digestOf([...inputs, seed, startAt]),
        variant,
        window,
        settings: one.settings,
        startAt,
        seed,
      }),
    );
  });
  const own = import.meta.url;
  return {
    cells,
    base: baseOf(base, variants),
    windows: windows.length,
    variants: variants.map(({ name }) => name),
    isOverlapping: days > 1 && lengthMs > DAY_MS,
    moreWindows: '--seeds or --days',
    notes: marketNotes(settings),
    file: new URL(own.endsWith('.ts') ? './rehearsal-worker.ts' : './rehearsal-worker.js', own),
    work: { body, settings } satisfies RehearsalWork,
  };
}

function marketNotes({
  bornAt,
  days,
  seeds,
  regime,
  deployment,
}: RehearsalSettings): readonly string[] {
  const from = isoText(bornAt);
  const [first, last] = [seeds[0], seeds.at(-1)];
  const notes = [
    `the paper market, regime ${regime}, seeds ${first} to ${last}, ${counted(days, 'day')} each from ${from}; the same runs again: --from ${from}`,
    limitsNote(deployment),
  ];
  if (days > 1) {
    notes.push(
      'days of one seed are one market that goes on, with spells of volatility that may outlast a day: seeds are independent of each other, its days not wholly',
    );
  }
  return notes;
}

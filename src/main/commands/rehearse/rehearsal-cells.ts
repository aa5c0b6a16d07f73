// One cell of a rehearsal: one setting on one day of the market of one seed.
import { must } from '../../../values/assert.ts';
import { instant } from '../../../values/instant.ts';
import { rehearse } from '../../../virtual/rehearsal/run-rehearsal.ts';
import { cellOutcome, formOf } from '../backtest/backtest-cells.ts';
import { settle } from '../backtest/backtest-run.ts';
import { courseLimits } from '../deployment-limits.ts';
import type { CellOutcome, SweepCell } from '../sweep/sweep-cells.ts';
import type { RehearsalSettings } from './rehearse-options.ts';

/** What the processes are sent. */
export interface RehearsalWork {
  /** As the file says it. */
  readonly body: unknown;
  readonly settings: RehearsalSettings;
}

export function rehearsalCells({
  body,
  settings: { bornAt, regime, latency, deployment },
}: RehearsalWork): (cell: SweepCell) => Promise<CellOutcome> {
  return async ({ settings, startAt, seed }) => {
    const outcome = await rehearse({
      form: formOf(body, settings),
      seed,
      regime,
      bornAt,
      settle,
      startAt: instant(must(startAt, 'a day of a rehearsal has a start')),
      latency: { ...latency, seed },
      limits: courseLimits(deployment),
    });
    return cellOutcome(outcome, []);
  };
}

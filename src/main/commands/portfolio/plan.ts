// `plan FILE`: shows every slice a submit would make, with its time, size and cost, and every objection to
// it; nothing is stored or sent.
import type { PlanRecord } from '../../../gateway/portfolios/plan-view.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { readSubmission } from '../submission-file.ts';
import { clockText, durationText, paint, paintedSide, timeText } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { verdictText } from './verdict-text.ts';

export const addPlan: AddCommand = (program, terminal) => {
  withConnection(program.command('plan'))
    .argument('<file>', 'strategy file or submit body, YAML or JSON')
    .option('--json', 'print the plan as JSON')
    .action(async (file: string, options: ConnectionOptions & { readonly json?: boolean }) => {
      const { body, faultOf } = readSubmission(file);
      const plan = valueOrFail(await reachDaemon(options).client.plan(body), faultOf);
      if (options.json) terminal.print(jsonText(plan));
      else print(plan, terminal);
    });
};

function print(plan: PlanRecord, terminal: Terminal): void {
  const start = Number(plan.startTimestamp);
  const lasts = durationText(Number(plan.endTimestamp) - start);
  terminal.print(
    `${paint.bold('start')} ${timeText(start)} UTC   ${paint.bold('end')} ${timeText(plan.endTimestamp)} UTC   ${paint.dim(`(${lasts})`)}\n`,
  );
  terminal.print(legsTable(plan));
  if (plan.slices.length > 0) terminal.print(`\n${slicesTable(plan, start)}`);
  if (plan.verdict !== undefined) terminal.print(`\n${verdictText(plan, plan.verdict)}`);
  terminal.print(paint.dim(`\n${plan.slices.length} slices; nothing was sent`));
}

function legsTable(plan: PlanRecord): string {
  const columns = [
    { head: 'leg', align: 'right' },
    { head: 'side' },
    { head: 'instrument' },
    { head: 'quantity', align: 'right' },
    { head: 'slices', align: 'right' },
    { head: '' },
  ] as const;
  const rows = plan.legs.map((leg, index) => [
    String(index + 1),
    paintedSide(leg.side),
    leg.instrument,
    leg.quantity,
    leg.hedge ? '–' : String(leg.slices),
    paint.dim(leg.note ?? ''),
  ]);
  return tableText(columns, rows);
}

/** One line per due time and leg, in the order in which they would be sent. */
function slicesTable(plan: PlanRecord, start: number): string {
  const columns = [
    { head: 'due (UTC)' },
    { head: 'after', align: 'right' },
    { head: 'leg', align: 'right' },
    { head: 'instrument' },
    { head: 'slice', align: 'right' },
    { head: 'size', align: 'right' },
    { head: 'total', align: 'right' },
  ] as const;
  const inTime = plan.slices.toSorted(
    (a, b) => Number(a.dueTimestamp) - Number(b.dueTimestamp) || a.slice - b.slice || a.leg - b.leg,
  );
  const rows = inTime.map((slice) => [
    clockText(slice.dueTimestamp),
    durationText(Number(slice.dueTimestamp) - start),
    String(slice.leg + 1),
    plan.legs[slice.leg]?.instrument ?? '',
    String(slice.slice + 1),
    slice.quantity,
    slice.cumulativeQuantity,
  ]);
  return tableText(columns, rows);
}

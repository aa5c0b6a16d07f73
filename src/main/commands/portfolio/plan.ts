// `plan FILE`: shows every slice a submit would make, with its time, size and cost, and every objection to
// it; nothing is stored or sent.

import type { PlanRecord } from '../../../gateway/portfolios/plan-view.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { type BlotterOptions, withBlotterOptions } from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { reachDaemon, valueOrFail } from '../daemon-client.ts';
import { readSubmission } from '../submission-file.ts';
import { durationText, paint, paintedSide } from '../terminal/paint.ts';
import { type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { type ZoneName, zonedClock, zonedText } from '../terminal/time-zone.ts';
import { wrapped } from '../terminal/wrapped-lines.ts';
import { verdictText } from './verdict-text.ts';

export const addPlan: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('plan'))
    .argument('<file>', 'strategy file or submit body, YAML or JSON')
    .action(async (file: string, options: BlotterOptions) => {
      const { body, faultOf } = readSubmission(file);
      const plan = valueOrFail(await reachDaemon(options).client.plan(body), faultOf);
      if (options.json) return terminal.print(jsonText(plan));
      if (options.csv)
        return terminal.print(sheetCsv(sliceColumns(plan, options.tz), inTime(plan)));
      print(plan, options.tz, terminal);
    });
};

function print(plan: PlanRecord, zone: ZoneName, terminal: Terminal): void {
  const width = terminal.columns();
  const [start, end] = [Number(plan.startTimestamp), Number(plan.endTimestamp)];
  const [from, to] = [start, end].map((at) => `${zonedText(at, zone)} ${zone}`);
  const lasts = paint.dim(`(${durationText(end - start)})`);
  const times = `${paint.bold('start')} ${from}   ${paint.bold('end')} ${to}   ${lasts}`;
  terminal.print(`${wrapped(times, width).join('\n')}\n`);
  terminal.print(sheetTable(legColumns(plan), plan.legs, width));
  if (plan.slices.length > 0) {
    terminal.print(`\n${sheetTable(sliceColumns(plan, zone), inTime(plan), width)}`);
  }
  if (plan.verdict !== undefined) {
    terminal.print(`\n${verdictText(plan, plan.verdict, width)}`);
  }
  terminal.print(paint.dim(`\n${counted(plan.slices.length, 'slice')}; nothing was sent`));
}

type Leg = PlanRecord['legs'][number];
type Slice = PlanRecord['slices'][number];

const legColumns = ({ legs }: PlanRecord): readonly SheetColumn<Leg>[] => [
  amountColumn(['leg', 'leg', 2], (leg) => String(legs.indexOf(leg) + 1)),
  {
    ...textColumn<Leg>(['side', 'side', 0], (leg) => (leg.side === 1 ? 'buy' : 'sell')),
    shown: (leg) => paintedSide(leg.side),
  },
  textColumn(['instrument', 'instrument', 0], (leg) => leg.instrument),
  amountColumn(['quantity', 'quantity', 0], (leg) => leg.quantity),
  amountColumn(['slices', 'slices', 1], (leg) => (leg.hedge ? undefined : String(leg.slices))),
  {
    ...textColumn(['note', 'note', 3], (leg) => leg.note),
    shown: ({ note }) => paint.dim(note ?? ''),
  },
];

/** One for each due time and leg, in the order in which they would be sent. */
const inTime = ({ slices }: PlanRecord): readonly Slice[] =>
  slices.toSorted(
    (a, b) => Number(a.dueTimestamp) - Number(b.dueTimestamp) || a.slice - b.slice || a.leg - b.leg,
  );

function sliceColumns(plan: PlanRecord, zone: ZoneName): readonly SheetColumn<Slice>[] {
  const start = Number(plan.startTimestamp);
  return [
    {
      ...timeColumn<Slice>(['due', 'due', 0], zone, (row) => Number(row.dueTimestamp)),
      shown: (row) => zonedClock(Number(row.dueTimestamp), zone),
    },
    amountColumn(['after', 'after', 2], (row) => durationText(Number(row.dueTimestamp) - start)),
    amountColumn(['leg', 'leg', 3], (row) => String(row.leg + 1)),
    textColumn(['instrument', 'instrument', 1], (row) => plan.legs[row.leg]?.instrument),
    amountColumn(['slice', 'slice', 4], (row) => String(row.slice + 1)),
    amountColumn(['quantity', 'size', 0], (row) => row.quantity),
    amountColumn(['total', 'total', 5], (row) => row.cumulativeQuantity),
  ];
}

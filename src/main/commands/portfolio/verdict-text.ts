// Prints the verdict on a plan: cost per leg, margin needed, and every objection.

import type { PlanRecord } from '../../../gateway/portfolios/plan-view.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { paint, paintedSide } from '../terminal/paint.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';
import { wrapped } from '../terminal/wrapped-lines.ts';

export type VerdictRecord = NonNullable<PlanRecord['verdict']>;
type Finding = VerdictRecord['findings'][number];

/** `width` in columns of the terminal. */
export function verdictText(plan: PlanRecord, verdict: VerdictRecord, width: number): string {
  const blocks = [
    costTable(plan, verdict, width),
    ...(verdict.margin.length > 0 ? [sheetTable(MARGIN, verdict.margin, width)] : []),
    wrapped(orderLine(verdict), width).join('\n'),
    ...(verdict.findings.length > 0 ? [findingLines(verdict.findings, width)] : []),
    completionLine(verdict),
  ];
  return blocks.join('\n\n');
}

export const completionLine = ({ canComplete }: VerdictRecord): string =>
  canComplete
    ? paint.green('can complete as things are')
    : paint.red('cannot complete as things are');

function costTable({ legs }: PlanRecord, verdict: VerdictRecord, width: number): string {
  type Leg = VerdictRecord['legs'][number];
  const columns: readonly SheetColumn<Leg>[] = [
    amountColumn(['leg', 'leg', 0], (leg) => String(verdict.legs.indexOf(leg) + 1)),
    {
      ...textColumn<Leg>(['side', 'side', 2], () => 'side'),
      shown: (leg) => paintedSide(legs[verdict.legs.indexOf(leg)]?.side ?? 1),
    },
    amountColumn(['mid', 'mid', 3], (leg) => leg.mid),
    amountColumn(['expected', 'expected', 1], (leg) => leg.averagePrice),
    amountColumn(['cost_bps', 'cost bps', 0], (leg) => leg.costBps),
    amountColumn(['cost', 'cost', 1], (leg) =>
      leg.cost === undefined ? undefined : `${leg.cost} ${leg.costCurrency}`,
    ),
    amountColumn(['fees', 'fees', 2], (leg) => `${leg.fee} ${leg.feeCurrency}`),
    amountColumn(['rests', 'rests', 4], (leg) => leg.resting),
  ];
  return sheetTable(columns, verdict.legs, width);
}

const MARGIN: readonly SheetColumn<VerdictRecord['margin'][number]>[] = [
  textColumn(['currency', 'currency', 0], ({ currency }) => currency),
  amountColumn(['needed', 'needed', 0], ({ needed }) => needed),
  amountColumn(['free', 'free', 0], ({ available = '?' }) => available),
];

function orderLine({ orders }: VerdictRecord): string {
  const { children, mostAtOnce, editsPerSecond } = orders;
  const edits =
    Number(editsPerSecond) > 0 ? `, up to ${counted(Number(editsPerSecond), 'edit')} a second` : '';
  return `${paint.bold('orders')} ${children}, at most ${mostAtOnce} within a second${edits}`;
}

export const findingLines = (findings: readonly Finding[], width: number): string =>
  findings
    .flatMap(({ kind, leg, message }) => {
      const of = leg === undefined ? '' : `leg ${leg + 1}: `;
      const [first = '', ...rest] = wrapped(`${of}${message}`, width - MARK_WIDTH);
      return [`${mark(kind)} ${first}`, ...rest.map((line) => `${' '.repeat(MARK_WIDTH)}${line}`)];
    })
    .join('\n');

/** Of the words below, and a space. */
const MARK_WIDTH = 8;

function mark(kind: Finding['kind']): string {
  switch (kind) {
    case 'fault':
      return paint.red('fault  ');
    case 'warning':
      return paint.yellow('warning');
    case 'note':
      return paint.dim('note   ');
  }
}

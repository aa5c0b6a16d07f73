// Prints the verdict on a plan: cost per leg, margin needed, and every objection.
import type { PlanRecord } from '../../../gateway/portfolios/plan-view.ts';
import { paint, paintedSide } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';

export type VerdictRecord = NonNullable<PlanRecord['verdict']>;
type Finding = VerdictRecord['findings'][number];

export function verdictText(plan: PlanRecord, verdict: VerdictRecord): string {
  const blocks = [
    costTable(plan, verdict),
    ...(verdict.margin.length > 0 ? [marginTable(verdict)] : []),
    orderLine(verdict),
    ...(verdict.findings.length > 0 ? [findingLines(verdict.findings)] : []),
    completionLine(verdict),
  ];
  return blocks.join('\n\n');
}

export const completionLine = ({ canComplete }: VerdictRecord): string =>
  canComplete
    ? paint.green('can complete as things are')
    : paint.red('cannot complete as things are');

function costTable({ legs }: PlanRecord, verdict: VerdictRecord): string {
  const columns = [
    { head: 'leg', align: 'right' },
    { head: 'side' },
    { head: 'mid', align: 'right' },
    { head: 'expected', align: 'right' },
    { head: 'cost bps', align: 'right' },
    { head: 'cost', align: 'right' },
    { head: 'fees', align: 'right' },
    { head: 'rests', align: 'right' },
  ] as const;
  const rows = verdict.legs.map((leg, index) => [
    String(index + 1),
    paintedSide(legs[index]?.side ?? 1),
    leg.mid ?? '–',
    leg.averagePrice ?? '–',
    leg.costBps ?? '–',
    leg.cost === undefined ? '–' : `${leg.cost} ${leg.costCurrency}`,
    `${leg.fee} ${leg.feeCurrency}`,
    leg.resting,
  ]);
  return tableText(columns, rows);
}

function marginTable({ margin }: VerdictRecord): string {
  const columns = [
    { head: 'currency' },
    { head: 'needed', align: 'right' },
    { head: 'free', align: 'right' },
  ] as const;
  return tableText(
    columns,
    margin.map(({ currency, needed, available = '?' }) => [currency, needed, available]),
  );
}

function orderLine({ orders }: VerdictRecord): string {
  const { children, mostAtOnce, editsPerSecond } = orders;
  const edits = Number(editsPerSecond) > 0 ? `, up to ${editsPerSecond} edits a second` : '';
  return `${paint.bold('orders')} ${children}, at most ${mostAtOnce} within a second${edits}`;
}

export const findingLines = (findings: readonly Finding[]): string =>
  findings
    .map(({ kind, leg, message }) => {
      const of = leg === undefined ? '' : ` leg ${leg + 1}:`;
      return `${mark(kind)}${of} ${message}`;
    })
    .join('\n');

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

// `amend ID`: changes totals and end of a portfolio at work. What it would become is shown first;
// `--apply` does it, guarded by the fills that were seen.
import { InvalidArgumentError } from 'commander';
import type { AmendedRecord } from '../../gateway/amend-schema.ts';
import type { PortfolioRecord } from '../../gateway/record-schema.ts';
import { type AddCommand, jsonText, type Terminal } from './command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from './daemon-client.ts';
import { clockText, paint, paintedSide, timeText } from './paint.ts';
import { tableText } from './table.ts';

interface NewTotal {
  readonly leg: number;
  readonly quantity: string;
}

interface Options extends ConnectionOptions {
  readonly quantity: readonly NewTotal[];
  readonly duration?: number;
  readonly end?: number;
  readonly apply?: boolean;
  readonly json?: boolean;
}

export const addAmend: AddCommand = (program, terminal) => {
  withConnection(program.command('amend'))
    .description('change totals or end of a portfolio; shows the new plan, --apply does it')
    .argument('<id>', 'portfolio id')
    .option('--quantity <leg:total>', 'new total of a leg, legs from 1; repeatable', addTotal, [])
    .option('--duration <seconds>', 'new duration, from the start', readSeconds)
    .option('--end <time>', 'new end, ISO 8601 with offset or Z', readEnd)
    .option('--apply', 'do it')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, options: Options) => {
      const { client } = reachDaemon(options);
      const body = bodyOf(id, options, valueOrFail(await client.info(id)));
      const preview = !options.apply;
      const amended = valueOrFail(await client.amend({ ...body, preview }));
      if (options.json) terminal.print(jsonText(amended));
      else tell(amended, terminal);
    });
};

/** The fills are those of the record: when more is filled until it is done, it is not done. */
function bodyOf(id: string, options: Options, record: PortfolioRecord) {
  const legs = options.quantity.map(({ leg, quantity }) => ({
    leg,
    quantity,
    filledSeen: record.legs[leg]?.filledQuantity ?? '0',
  }));
  const { duration: durationSec, end: endTimestamp } = options;
  return { portfolioId: id, durationSec, endTimestamp, legs };
}

function tell(amended: AmendedRecord, terminal: Terminal): void {
  const { endTimestampBefore: before, endTimestamp: end } = amended;
  const wasEnd = before === end ? '' : paint.dim(`   (was ${timeText(before)})`);
  terminal.print(`${paint.bold('end')} ${timeText(end)} UTC${wasEnd}\n`);
  terminal.print(legsTable(amended));
  if (amended.slices.length > 0) terminal.print(`\n${slicesTable(amended)}`);
  const count = `${amended.slices.length} slices to come`;
  terminal.print(
    amended.applied
      ? `\n${paint.bold('amended')} ${amended.portfolioId}; ${count}`
      : paint.dim(`\n${count}; nothing was changed: --apply does it`),
  );
}

function legsTable({ legs }: AmendedRecord): string {
  const columns = [
    { head: 'leg', align: 'right' },
    { head: 'side' },
    { head: 'instrument' },
    { head: 'total', align: 'right' },
    { head: 'was', align: 'right' },
    { head: 'filled', align: 'right' },
    { head: 'at venue', align: 'right' },
  ] as const;
  const rows = legs.map((leg, index) => [
    String(index + 1),
    paintedSide(leg.side),
    leg.instrument,
    leg.quantity === leg.quantityBefore ? leg.quantity : paint.bold(leg.quantity),
    leg.quantityBefore,
    leg.filledQuantity,
    leg.outstandingQuantity,
  ]);
  return tableText(columns, rows);
}

function slicesTable({ slices, legs }: AmendedRecord): string {
  const columns = [
    { head: 'due (UTC)' },
    { head: 'leg', align: 'right' },
    { head: 'instrument' },
    { head: 'slice', align: 'right' },
    { head: 'size', align: 'right' },
    { head: 'total', align: 'right' },
  ] as const;
  const rows = slices.map((slice) => [
    clockText(slice.dueTimestamp),
    String(slice.leg + 1),
    legs[slice.leg]?.instrument ?? '',
    String(slice.slice + 1),
    slice.quantity,
    slice.cumulativeQuantity,
  ]);
  return tableText(columns, rows);
}

function addTotal(text: string, before: readonly NewTotal[]): readonly NewTotal[] {
  const [, leg, quantity] = /^([1-9]\d?):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (leg === undefined || quantity === undefined) {
    throw new InvalidArgumentError('accepted: leg and total, such as 1:24000');
  }
  return [...before, { leg: Number(leg) - 1, quantity }];
}

function readSeconds(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('accepted: whole seconds from the start');
}

function readEnd(text: string): number {
  const isIso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
  const at = isIso ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError('accepted: a time with offset, such as 2026-12-01T16:00:00Z');
}

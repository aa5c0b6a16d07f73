// `amend ID`: changes totals, end and limits of an active portfolio. It shows the result first; `--apply`
// makes the change, guarded by the fills and the number of amendments that were shown.
import { InvalidArgumentError } from 'commander';
import { LIMIT_NAMES, type LimitName } from '../../../core/terms/amend-limits.ts';
import type { Client } from '../../../gateway/client/client.ts';
import type { AmendedRecord } from '../../../gateway/portfolios/amend-schema.ts';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { parseWrittenTime } from '../../../gateway/wire/written-time.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { clockText, paint, paintedSide, timeText } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';

const LIMITS_TEXT = LIMIT_NAMES.join(', ');

interface NewTotal {
  readonly leg: number;
  readonly quantity: string;
}

interface NewLimit {
  readonly name: LimitName;
  readonly value: string;
}

interface Options extends ConnectionOptions {
  readonly limit?: readonly NewLimit[];
  readonly lift?: readonly LimitName[];
  readonly seen?: number;
  readonly quantity?: readonly NewTotal[];
  readonly duration?: number;
  readonly end?: number;
  readonly apply?: boolean;
  readonly json?: boolean;
}

export const addAmend: AddCommand = (program, terminal) => {
  withConnection(program.command('amend'))
    .argument('<id>', 'portfolio id')
    .option('--quantity <leg:total>', 'new total of a leg, legs from 1; repeatable', addTotal)
    .option('--duration <seconds>', 'new duration, from the start', readSeconds)
    .option('--end <time>', 'new end, ISO 8601 with an offset or a zone', readEnd)
    .option('--limit <name=value>', `new limit (${LIMITS_TEXT}); repeatable`, addLimit)
    .option('--lift <limit>', 'limit that holds no more; repeatable', addLifted)
    .option('--seen <amendments>', 'do nothing when it was amended more often', readCount)
    .option('--apply', 'do it')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, options: Options) => {
      const { client } = reachDaemon(options);
      const asked = bodyOf(id, options, valueOrFail(await client.info(id)));
      const amendmentsSeen = await seenOf(client, id, options);
      const preview = !options.apply;
      const amended = valueOrFail(await client.amend({ ...asked, amendmentsSeen, preview }));
      if (options.json) terminal.print(jsonText(amended));
      else print(amended, terminal);
    });
};

/** The fills come from the record; if more is filled before the amendment is applied, it is refused. */
function bodyOf(id: string, options: Options, record: PortfolioRecord) {
  const { quantity: totals = [], limit = [], lift = [] } = options;
  const legs = totals.map(({ leg, quantity }) => ({
    leg,
    quantity,
    filledSeen: record.legs[leg]?.filledQuantity ?? '0',
  }));
  const { duration: durationSec, end: endTimestamp } = options;
  const given = Object.fromEntries(limit.map(({ name, value }) => [name, value]));
  const isLimited = limit.length + lift.length > 0;
  const execution = isLimited ? { ...given, lift: [...lift] } : undefined;
  return { portfolioId: id, durationSec, endTimestamp, legs, execution };
}

/** The number of amendments the caller has seen, or else the current number. */
async function seenOf(client: Client, id: string, options: Options): Promise<number | undefined> {
  const { seen, limit = [], lift = [] } = options;
  if (seen !== undefined || limit.length + lift.length === 0) return seen;
  return valueOrFail(await client.amend({ portfolioId: id, preview: true })).amendments;
}

function print(amended: AmendedRecord, terminal: Terminal): void {
  const { endTimestampBefore: before, endTimestamp: end } = amended;
  const wasEnd = before === end ? '' : paint.dim(`   (was ${timeText(before)})`);
  terminal.print(`${paint.bold('end')} ${timeText(end)} UTC${wasEnd}\n`);
  terminal.print(legsTable(amended));
  terminal.print(`\n${limitsText(amended)}`);
  if (amended.slices.length > 0) terminal.print(`\n${slicesTable(amended)}`);
  const count = `${amended.slices.length} slices to come`;
  terminal.print(
    amended.applied
      ? `\n${paint.bold('amended')} ${amended.portfolioId}; ${count}`
      : paint.dim(`\n${count}; nothing was changed: --apply does it`),
  );
}

/** The limits in force; a changed limit is shown with its previous value. */
function limitsText({ limits, limitsBefore, amendments }: AmendedRecord): string {
  const told = LIMIT_NAMES.flatMap((name) => {
    const [before, now] = [limitsBefore[name] ?? 'off', limits[name] ?? 'off'];
    if (before !== now) return [`${name} ${now}${paint.dim(` (was ${before})`)}`];
    return now === 'off' ? [] : [`${name} ${now}`];
  });
  return `${paint.bold('limits')} ${told.join(', ')}; amended ${amendments} times`;
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

function addTotal(text: string, before: readonly NewTotal[] = []): readonly NewTotal[] {
  const [, leg, quantity] = /^([1-9]\d?):(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (leg === undefined || quantity === undefined) {
    throw new InvalidArgumentError('accepted: leg and total, such as 1:24000');
  }
  return [...before, { leg: Number(leg) - 1, quantity }];
}

const isLimitName = (text: string | undefined): text is LimitName =>
  LIMIT_NAMES.some((name) => name === text);

function addLimit(text: string, before: readonly NewLimit[] = []): readonly NewLimit[] {
  const [, name, value] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (!isLimitName(name) || value === undefined) {
    throw new InvalidArgumentError(
      `accepted: a limit and a number, such as bandBps=20; ${LIMITS_TEXT}`,
    );
  }
  return [...before, { name, value }];
}

function addLifted(text: string, before: readonly LimitName[] = []): readonly LimitName[] {
  if (isLimitName(text)) return [...before, text];
  throw new InvalidArgumentError(`accepted: ${LIMITS_TEXT}`);
}

function readCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('accepted: a whole number, the amendments a preview has shown');
}

function readSeconds(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('accepted: whole seconds from the start');
}

function readEnd(text: string): number {
  const time = parseWrittenTime(text);
  if (time.kind === 'instant') return time.at;
  throw new InvalidArgumentError(time.why);
}

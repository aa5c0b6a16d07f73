// `amend ID`: changes totals, end and limits of an active portfolio. It shows the result first; `--apply`
// makes the change, guarded by the fills and the number of amendments that were shown.

import { InvalidArgumentError } from 'commander';
import { LIMIT_NAMES, type LimitName } from '../../../core/terms/amend-limits.ts';
import type { Client } from '../../../gateway/client/client.ts';
import type { AmendedRecord } from '../../../gateway/portfolios/amend-schema.ts';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { parseWrittenTime } from '../../../gateway/wire/written-time.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { type BlotterOptions, withBlotterOptions } from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { reachDaemon, valueOrFail } from '../daemon-client.ts';
import { paint, paintedSide } from '../terminal/paint.ts';
import { type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { type ZoneName, zonedClock, zonedText } from '../terminal/time-zone.ts';
import { wrapped } from '../terminal/wrapped-lines.ts';

const LIMITS_TEXT = LIMIT_NAMES.join(', ');

interface NewTotal {
  readonly leg: number;
  readonly quantity: string;
}

interface NewLimit {
  readonly name: LimitName;
  readonly value: string;
}

interface Options extends BlotterOptions {
  readonly limit?: readonly NewLimit[];
  readonly lift?: readonly LimitName[];
  readonly seen?: number;
  readonly quantity?: readonly NewTotal[];
  readonly duration?: number;
  readonly end?: number;
  readonly apply?: boolean;
}

export const addAmend: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('amend'))
    .argument('<id>', 'portfolio id')
    .option('--quantity <leg:total>', 'new total of a leg, legs from 1; repeatable', addTotal)
    .option('--duration <seconds>', 'new duration, from the start', readSeconds)
    .option('--end <time>', 'new end, ISO 8601 with an offset or a zone', readEnd)
    .option('--limit <name=value>', `new limit (${LIMITS_TEXT}); repeatable`, addLimit)
    .option('--lift <limit>', 'limit that holds no more; repeatable', addLifted)
    .option('--seen <amendments>', 'do nothing when it was amended more often', readCount)
    .option('--apply', 'do it')
    .action(async (id: string, options: Options) => {
      const { client } = reachDaemon(options);
      const asked = bodyOf(id, options, valueOrFail(await client.info(id)));
      const amendmentsSeen = await seenOf(client, id, options);
      const preview = !options.apply;
      const amended = valueOrFail(await client.amend({ ...asked, amendmentsSeen, preview }));
      const { json, csv, tz } = options;
      if (json) terminal.print(jsonText(amended));
      else if (csv) terminal.print(sheetCsv(sliceColumns(amended, tz), amended.slices));
      else print(amended, tz, terminal);
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

function print(amended: AmendedRecord, zone: ZoneName, terminal: Terminal): void {
  const width = terminal.columns();
  const { endTimestampBefore: before, endTimestamp: end, legs, slices } = amended;
  const inZone = (at: string): string => zonedText(Number(at), zone);
  const wasEnd = before === end ? '' : paint.dim(`   (was ${inZone(before)})`);
  const ends = `${paint.bold('end')} ${inZone(end)} ${zone}${wasEnd}`;
  terminal.print(`${wrapped(ends, width).join('\n')}\n`);
  terminal.print(sheetTable(legColumns(amended), legs, width));
  terminal.print(`\n${wrapped(limitsText(amended), width).join('\n')}`);
  if (slices.length > 0)
    terminal.print(`\n${sheetTable(sliceColumns(amended, zone), slices, width)}`);
  const count = `${counted(slices.length, 'slice')} to come`;
  const outcome = amended.applied
    ? `${paint.bold('amended')} ${amended.portfolioId}; ${count}`
    : paint.dim(`${count}; nothing was changed: --apply does it`);
  terminal.print(`\n${wrapped(outcome, width).join('\n')}`);
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

type Leg = AmendedRecord['legs'][number];
type Slice = AmendedRecord['slices'][number];

const legColumns = ({ legs }: AmendedRecord): readonly SheetColumn<Leg>[] => [
  amountColumn(['leg', 'leg', 3], (leg) => String(legs.indexOf(leg) + 1)),
  {
    ...textColumn<Leg>(['side', 'side', 0], (leg) => (leg.side === 1 ? 'buy' : 'sell')),
    shown: (leg) => paintedSide(leg.side),
  },
  textColumn(['instrument', 'instrument', 0], (leg) => leg.instrument),
  {
    ...amountColumn<Leg>(['quantity', 'total', 0], (leg) => leg.quantity),
    shown: (leg) => (leg.quantity === leg.quantityBefore ? leg.quantity : paint.bold(leg.quantity)),
  },
  amountColumn(['quantity_before', 'was', 1], (leg) => leg.quantityBefore),
  amountColumn(['filled', 'filled', 1], (leg) => leg.filledQuantity),
  amountColumn(['outstanding', 'at venue', 2], (leg) => leg.outstandingQuantity),
];

const sliceColumns = ({ legs }: AmendedRecord, zone: ZoneName): readonly SheetColumn<Slice>[] => [
  {
    ...timeColumn<Slice>(['due', 'due', 0], zone, (slice) => Number(slice.dueTimestamp)),
    shown: (slice) => zonedClock(Number(slice.dueTimestamp), zone),
  },
  amountColumn(['leg', 'leg', 2], (slice) => String(slice.leg + 1)),
  textColumn(['instrument', 'instrument', 1], (slice) => legs[slice.leg]?.instrument),
  amountColumn(['slice', 'slice', 3], (slice) => String(slice.slice + 1)),
  amountColumn(['quantity', 'size', 0], (slice) => slice.quantity),
  amountColumn(['total', 'total', 4], (slice) => slice.cumulativeQuantity),
];

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

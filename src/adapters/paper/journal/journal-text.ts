// The text format of the journal: one line of JSON with a snapshot, then one record per command since, continued
// in segments. A record is a line with a checksum and the list of all events of the command, so a command is
// kept whole or not at all. A last record that is cut, or that a power cut left with a hole, ends the journal; any
// other damage aborts the start. Earlier versions wrote one line per event and no checksum.
import { crc32 } from 'node:zlib';
import type { AccountEvent } from '../../../exchange/exchange-event.ts';
import type { ExchangeSnapshot, JournalRecord } from '../../../exchange/journal/plain.ts';
import { must } from '../../../values/assert.ts';
import type { Instant } from '../../../values/instant.ts';
import { jsonText } from '../../../values/text/plain-json.ts';
import type { JournalPart } from './journal-store.ts';

/** The first line of a base: everything up to `savedAt`. */
export interface JournalHead {
  readonly kind: 'snapshot';
  /** First start of this paper exchange; the origin of its market's time. */
  readonly bornAt: Instant;
  readonly savedAt: Instant;
  /** The first segment that follows the base; the snapshot includes lower ones. Absent: 1. */
  readonly segment?: number | undefined;
  /** The number of events written since `bornAt`, up to the snapshot. Absent: 0. */
  readonly written?: number | undefined;
  readonly snapshot: ExchangeSnapshot;
}

/** The first line of a segment. */
interface SegmentHead {
  readonly kind: 'segment';
  /** The number of events written since `bornAt`, up to this line. */
  readonly written: number;
}

/** The events of one command. */
export type JournalCommand = readonly JournalRecord[];

export interface JournalContent {
  readonly head: JournalHead;
  /** Events that an earlier version wrote, one a line, without saying where a command ends. */
  readonly unmarked: readonly JournalRecord[];
  readonly commands: readonly JournalCommand[];
  /** The highest segment number used so far. */
  readonly lastSegment: number;
  /** The number of events written since `bornAt`. */
  readonly written: number;
}

export class JournalDamaged extends Error {
  override readonly name = 'JournalDamaged';
}

const RECORD_KINDS: Readonly<Record<JournalRecord['kind'], true>> = {
  order_changed: true,
  trade: true,
  position_changed: true,
  balance_changed: true,
  instrument_listed: true,
  combo_changed: true,
  trailing_moved: true,
  funding_sampled: true,
  day_settled: true,
  position_settled: true,
  liquidation_changed: true,
  instrument_delivered: true,
  rfq_changed: true,
  rfq_quote_changed: true,
  block_traded: true,
};

/** The pieces of the first line; the pieces of `snapshot` are inserted as the exchange wrote them. */
export function* headPieces(
  of: Omit<JournalHead, 'snapshot'>,
  snapshot: Iterable<string>,
): IterableIterator<string> {
  yield `${JSON.stringify(of).slice(0, -1)},"snapshot":`;
  yield* snapshot;
  yield '}\n';
}

export const segmentLine = (written: number): string =>
  `${JSON.stringify({ kind: 'segment', written } satisfies SegmentHead)}\n`;

/** Keeps the place of the checksum, which {@link sealed} fills in. */
const UNSEALED = '00000000 ';
const SEALED = /^[0-9a-f]{8} \[/;
const LINE_FEED = 0x0a;
const ZERO = 0x30;

/** The line of a command, still without its checksum; `''` if nothing happened. */
export function commandLine(events: readonly AccountEvent[]): string {
  let text = '';
  for (const event of events) text += `${text === '' ? '' : ','}${jsonText(event)}`;
  return text === '' ? '' : `${UNSEALED}[${text}]\n`;
}

/** The bytes of whole lines, with the checksum of each record. */
export function sealed(lines: string): Buffer {
  const bytes = Buffer.from(lines);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const body = from + UNSEALED.length;
    if (bytes[from] === ZERO) bytes.write(checksum(bytes.subarray(body, end)), from, 'latin1');
    from = end + 1;
  }
  return bytes;
}

const checksum = (of: string | Buffer): string => crc32(of).toString(16).padStart(8, '0');

/** `undefined` for an empty base. Throws {@link JournalDamaged}, naming the line. */
export function readJournal(parts: readonly JournalPart[]): JournalContent | undefined {
  const [base, ...segments] = parts;
  if (base === undefined || (base.text === '' && segments.length === 0)) return undefined;
  const [first, ...rest] = linesOf(base, segments.length === 0);
  if (first === undefined) throw damaged({ line: 1 }, 'the snapshot is cut short');
  const head = readHead(first);
  const { segment: from = 1, written: before = 0 } = head;
  const events: Events = { unmarked: [], commands: [], written: before };
  addLines(events, rest, { isLast: segments.length === 0 });
  for (const part of segments) {
    // Segments included in the snapshot were left behind by a crash and will be deleted.
    if (must(part.segment, 'a segment has a number') < from) continue;
    addSegment(events, part, part === segments.at(-1));
  }
  const lastSegment = Math.max(from - 1, ...segments.map(({ segment = 0 }) => segment));
  return { head, lastSegment, ...events };
}

/** What is read so far. */
interface Events {
  readonly unmarked: JournalRecord[];
  readonly commands: JournalCommand[];
  written: number;
}

function addSegment(events: Events, part: JournalPart, isLast: boolean): void {
  const { segment } = part;
  const [first, ...rest] = linesOf(part, isLast);
  // Created by a process that crashed immediately.
  if (isLast && (first === undefined || first.includes(HOLE))) return;
  const { kind, written } = parsed(first ?? '', { segment, line: 1 }) as Partial<SegmentHead>;
  if (kind !== 'segment' || written !== events.written) {
    const found = `${events.written} came before it`;
    throw damaged({ segment, line: 1 }, `a segment behind ${written} events is expected, ${found}`);
  }
  addLines(events, rest, { segment, isLast });
}

/** Adds the lines that follow the first one of a part. */
function addLines(
  events: Events,
  lines: readonly string[],
  { segment, isLast }: { readonly segment?: number | undefined; readonly isLast: boolean },
): void {
  for (const [at, line] of lines.entries()) {
    const place = { segment, line: at + 2 };
    if (isIntact(line)) {
      const command = parsed(line.slice(UNSEALED.length), place) as unknown[];
      events.commands.push(command.map((record) => readRecord(record, place)));
      events.written += command.length;
    } else if (isUnmarked(line) && events.commands.length === 0) {
      events.unmarked.push(readRecord(parsed(line, place), place));
      events.written += 1;
    } else if (isLast && isEnd(lines.slice(at))) return;
    else throw damaged(place, 'the checksum does not match');
  }
}

/** What a file system shows of a part of a file that it had not written when the power was cut. */
const HOLE = '\0';

const isIntact = (line: string): boolean =>
  SEALED.test(line) && checksum(line.slice(UNSEALED.length)) === line.slice(0, 8);

/** An event as versions before the checksums wrote it. */
const isUnmarked = (line: string): boolean => line.startsWith('{') && !line.includes(HOLE);

/** Whether a broken record is where the journal was cut: nothing valid follows it, or it has a hole. */
const isEnd = ([broken = '', ...rest]: readonly string[]): boolean =>
  broken.includes(HOLE) || !rest.some(isIntact);

/** The text after the last line feed is empty, or a line that a crash cut short. */
function linesOf({ segment, text }: JournalPart, isLast: boolean): string[] {
  const lines = text.split('\n');
  const torn = lines.pop();
  if (torn === '' || isLast) return lines;
  throw damaged({ segment, line: lines.length + 1 }, 'it is cut short, and a segment follows');
}

function readHead(line: string): JournalHead {
  const value = parsed(line, { line: 1 });
  const { kind, bornAt, savedAt, segment, written, snapshot } = value as Partial<JournalHead>;
  if (kind !== 'snapshot' || typeof bornAt !== 'number' || typeof savedAt !== 'number') {
    throw damaged({ line: 1 }, 'a snapshot with bornAt and savedAt is expected');
  }
  if (snapshot?.version !== 1) {
    throw damaged(
      { line: 1 },
      `snapshot version 1 is expected, found ${String(snapshot?.version)}`,
    );
  }
  return { kind, bornAt, savedAt, segment, written, snapshot };
}

function readRecord(value: unknown, place: Place): JournalRecord {
  const kind = typeof value === 'object' && value !== null && 'kind' in value && value.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(RECORD_KINDS, kind)) {
    throw damaged(place, `one of ${Object.keys(RECORD_KINDS).join(', ')} is expected`);
  }
  return value as JournalRecord;
}

function parsed(line: string, place: Place): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw damaged(place, error.message);
  }
  if (typeof value !== 'object' || value === null) throw damaged(place, 'no JSON object');
  return value;
}

/** The location of a line. */
interface Place {
  readonly segment?: number | undefined;
  readonly line: number;
}

function damaged({ segment, line }: Place, reason: string): JournalDamaged {
  const where = segment === undefined ? '' : `segment ${segment} of `;
  return new JournalDamaged(
    `line ${line} of ${where}the paper exchange's journal is damaged: ${reason}. Restore the files ` +
      'from a copy, or move them away to start with fresh accounts.',
  );
}

// The text format of the journal: one line of JSON with a snapshot, then one line per account event since,
// continued in segments. A torn last line indicates a crash and is dropped; any other damage aborts the
// start.
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

export interface JournalContent {
  readonly head: JournalHead;
  readonly records: readonly JournalRecord[];
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

/** The same text as that of the plain record, without copying it. */
export const eventLine = (event: AccountEvent): string => `${jsonText(event)}\n`;

/** `undefined` for an empty base. Throws {@link JournalDamaged}, naming the line. */
export function readJournal(parts: readonly JournalPart[]): JournalContent | undefined {
  const [base, ...segments] = parts;
  if (base === undefined || (base.text === '' && segments.length === 0)) return undefined;
  const [first, ...rest] = linesOf(base, segments.length === 0);
  if (first === undefined) throw damaged({ line: 1 }, 'the snapshot is cut short');
  const head = readHead(first);
  const { segment: from = 1, written: before = 0 } = head;
  const records = rest.map((line, at) => readRecord(line, { line: at + 2 }));
  for (const part of segments) {
    // Segments included in the snapshot were left behind by a crash and will be deleted.
    if (must(part.segment, 'a segment has a number') < from) continue;
    const isLast = part === segments.at(-1);
    addSegment(records, part, { isLast, before });
  }
  const lastSegment = Math.max(from - 1, ...segments.map(({ segment = 0 }) => segment));
  return { head, records, lastSegment, written: before + records.length };
}

function addSegment(
  records: JournalRecord[],
  part: JournalPart,
  { isLast, before }: { readonly isLast: boolean; readonly before: number },
): void {
  const { segment } = part;
  const [first, ...rest] = linesOf(part, isLast);
  // Created by a process that crashed immediately.
  if (first === undefined && isLast) return;
  const { kind, written } = parsed(first ?? '', { segment, line: 1 }) as Partial<SegmentHead>;
  if (kind !== 'segment' || written !== before + records.length) {
    const found = `${before + records.length} came before it`;
    throw damaged({ segment, line: 1 }, `a segment behind ${written} events is expected, ${found}`);
  }
  for (const [at, line] of rest.entries()) {
    records.push(readRecord(line, { segment, line: at + 2 }));
  }
}

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

function readRecord(line: string, place: Place): JournalRecord {
  const value = parsed(line, place);
  const { kind } = value as { kind?: unknown };
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
    throw damaged(place, error instanceof Error ? error.message : String(error));
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

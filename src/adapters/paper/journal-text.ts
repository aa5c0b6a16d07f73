// The journal as text: one line of JSON with a snapshot, then one per account event since. A torn last
// line is the mark of a crash and is dropped; any other damage stops the start.
import type { AccountEvent } from '../../exchange/event.ts';
import type { ExchangeSnapshot, JournalRecord } from '../../exchange/plain.ts';
import type { Instant } from '../../values/instant.ts';

/** The first line: everything up to `savedAt`. */
export interface JournalHead {
  readonly kind: 'snapshot';
  /** First start of this paper exchange; its market counts from here. */
  readonly bornAt: Instant;
  readonly savedAt: Instant;
  readonly snapshot: ExchangeSnapshot;
}

export interface JournalContent {
  readonly head: JournalHead;
  readonly records: readonly JournalRecord[];
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
  trailing_moved: true,
  funding_sampled: true,
  day_settled: true,
  instrument_delivered: true,
  rfq_changed: true,
  rfq_quote_changed: true,
  block_traded: true,
};

/** `snapshot` as the exchange wrote it. */
export function headLine(of: Omit<JournalHead, 'snapshot'>, snapshot: string): string {
  const begun = JSON.stringify(of);
  return `${begun.slice(0, -1)},"snapshot":${snapshot}}\n`;
}
/** The same text as that of its plain record, without the copy: decimals write themselves. */
export const eventLine = (event: AccountEvent): string => `${JSON.stringify(event)}\n`;

/** `undefined` for empty text. Throws {@link JournalDamaged}, naming the line. */
export function readJournal(text: string): JournalContent | undefined {
  if (text === '') return undefined;
  const lines = text.split('\n');
  // What follows the last line feed is empty, or a line that was being written when all went dark.
  lines.pop();
  if (lines.length === 0) throw damaged(1, 'the snapshot is cut short');
  const [first = '', ...rest] = lines;
  return { head: readHead(first), records: rest.map((line, at) => readRecord(line, at + 2)) };
}

function readHead(line: string): JournalHead {
  const value = parsed(line, 1);
  const { kind, bornAt, savedAt, snapshot } = value as Partial<JournalHead>;
  if (kind !== 'snapshot' || typeof bornAt !== 'number' || typeof savedAt !== 'number') {
    throw damaged(1, 'a snapshot with bornAt and savedAt is expected');
  }
  if (snapshot?.version !== 1) {
    throw damaged(1, `snapshot version 1 is expected, found ${String(snapshot?.version)}`);
  }
  return { kind, bornAt, savedAt, snapshot };
}

function readRecord(line: string, number: number): JournalRecord {
  const value = parsed(line, number);
  const { kind } = value as { kind?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(RECORD_KINDS, kind)) {
    throw damaged(number, `one of ${Object.keys(RECORD_KINDS).join(', ')} is expected`);
  }
  return value as JournalRecord;
}

function parsed(line: string, number: number): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw damaged(number, error instanceof Error ? error.message : String(error));
  }
  if (typeof value !== 'object' || value === null) throw damaged(number, 'no JSON object');
  return value;
}

const damaged = (line: number, reason: string): JournalDamaged =>
  new JournalDamaged(
    `line ${line} of the paper exchange's journal is damaged: ${reason}. Restore the file from a ` +
      'copy, or move it away to start with fresh accounts.',
  );

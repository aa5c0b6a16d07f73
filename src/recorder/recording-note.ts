// What a recording keeps about itself with every commit: whose market it is, how far it is complete, which gaps are open
// and when it was recorded by which command.
import type { Gap } from './gap-rows.ts';
import { RECORDED_KINDS, type RecordedKind } from './recorded-kinds.ts';

export interface RecordingSession {
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly instruments: readonly string[];
  readonly kinds: readonly RecordedKind[];
  /** Shortest time between two snapshots of a book, and of a ticker. */
  readonly everyMs: number;
  readonly tickerEveryMs: number;
}

export interface RecordingNote {
  readonly format: 1;
  readonly venue: string;
  readonly exchange: string;
  readonly state: 'recording' | 'stopped';
  /** What arrived before this is in the files: microseconds since the epoch. */
  readonly recordedUntil: number;
  readonly openGaps: readonly Gap[];
  /** Rows of all sessions, by kind. */
  readonly rows: Readonly<Partial<Record<RecordedKind, number>>>;
  /** The latest of them, oldest first. */
  readonly sessions: readonly RecordingSession[];
}

export const SESSIONS_MAX = 1_000;

/** The folder holds the recording of something else, or a note that cannot be understood. */
export class OtherRecording extends Error {
  override readonly name = 'OtherRecording';
}

/** @throws OtherRecording if it is not the note of a recording. */
export function readNote(value: unknown): RecordingNote {
  const note = value as RecordingNote;
  const isOne =
    isObject(value) &&
    note.format === 1 &&
    typeof note.venue === 'string' &&
    typeof note.exchange === 'string' &&
    (note.state === 'recording' || note.state === 'stopped') &&
    Number.isSafeInteger(note.recordedUntil) &&
    Array.isArray(note.openGaps) &&
    note.openGaps.every(isGap) &&
    isObject(note.rows) &&
    Object.values(note.rows).every(Number.isSafeInteger) &&
    Array.isArray(note.sessions);
  if (isOne) return note;
  throw new OtherRecording(
    'its note is not one of this version; accepted: an empty folder, or one that this version recorded into',
  );
}

function isGap(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { of, fromUs, reason, detail } = value as unknown as Gap;
  return (
    Number.isSafeInteger(fromUs) &&
    typeof reason === 'string' &&
    typeof detail === 'string' &&
    (of === undefined ||
      (isObject(of) && typeof of.symbol === 'string' && of.kinds.every(isRecordedKind)))
  );
}

export const isRecordedKind = (text: string): text is RecordedKind =>
  (RECORDED_KINDS as readonly string[]).includes(text);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

// Reads the options of `record` strictly.
import { InstrumentPatterns } from '../../../recorder/instrument-patterns.ts';
import { RECORDED_KINDS, type RecordedKind } from '../../../recorder/recorded-kinds.ts';
import { isRecordedKind } from '../../../recorder/recording-note.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../values/instant.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';

/** The options as commander passes them. */
export interface WrittenRecordOptions {
  readonly config: string;
  readonly venue?: string;
  readonly instruments: string;
  readonly kinds?: string;
  readonly to: string;
  readonly exchange?: string;
  readonly every: string;
  readonly tickerEvery: string;
  readonly for?: string;
  readonly json?: boolean;
}

export interface RecordSettings {
  readonly venue: string;
  readonly exchange: string;
  readonly instruments: InstrumentPatterns;
  readonly kinds: readonly RecordedKind[];
  readonly areKindsNamed: boolean;
  readonly everyMs: number;
  readonly tickerEveryMs: number;
  /** Default: until a signal. */
  readonly forMs?: number | undefined;
}

/** Of quotes and books the deepest is replayed, so the shallower snapshots are left out. */
export const DEFAULT_KINDS = RECORDED_KINDS.filter((kind) => kind !== 'book_snapshot_5').join(',');

const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
};
const FOR_MS_MAX = 366 * DAY_MS;
const EVERY_MS = { min: 50, max: 60_000 } as const;

export function recordSettings(written: WrittenRecordOptions, config: Config): RecordSettings {
  const venue = venueOf(written, config);
  return {
    venue,
    exchange: exchangeOf(written, config, venue),
    instruments: new InstrumentPatterns(
      listOf('--instruments', written.instruments, {
        isOne: (text) => /^[\w.*-]+$/.test(text),
        accepted: 'names with * for any characters, such as BTC-PERPETUAL,BTC-*-C',
      }),
    ),
    kinds: listOf('--kinds', written.kinds ?? DEFAULT_KINDS, {
      isOne: isRecordedKind,
      accepted: `some of ${RECORDED_KINDS.join(',')}`,
    }) as readonly RecordedKind[],
    areKindsNamed: written.kinds !== undefined,
    everyMs: everyOf('--every', written.every),
    tickerEveryMs: everyOf('--ticker-every', written.tickerEvery),
    forMs: written.for === undefined ? undefined : durationOf(written.for),
  };
}

function venueOf({ venue, config: path }: WrittenRecordOptions, { venues }: Config): string {
  const names = Object.keys(venues);
  const [only = ''] = names;
  if (venue === undefined && names.length === 1) return only;
  if (venue !== undefined && names.includes(venue)) return venue;
  const accepted = `one of the venues of ${path}: ${names.join(', ')}`;
  throw wrong('--venue', venue ?? 'not given', accepted);
}

/** Readers know the terms of an exchange's instruments by its name. */
function exchangeOf({ exchange }: WrittenRecordOptions, { venues }: Config, venue: string): string {
  const byDefault = venues[venue]?.kind === 'deribit' ? 'deribit' : venue;
  const text = exchange ?? byDefault;
  if (/^[a-z0-9-]{1,32}$/.test(text)) return text;
  throw wrong('--exchange', text, 'lower-case letters, digits and dashes');
}

function listOf(
  option: string,
  text: string,
  { isOne, accepted }: { readonly isOne: (text: string) => boolean; readonly accepted: string },
): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.every(isOne)) return [...new Set(words)];
  throw wrong(option, text, accepted);
}

function everyOf(option: string, text: string): number {
  const value = Number(text);
  const { min, max } = EVERY_MS;
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw wrong(option, text, `whole milliseconds from ${min} to ${max}`);
}

function durationOf(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(digits) * (UNITS[unit] ?? 0);
  if (ms > 0 && ms <= FOR_MS_MAX) return ms;
  throw wrong('--for', text, 'a time such as 30s, 10m, 2h or 7d, at most 366d');
}

const wrong = (option: string, text: string, accepted: string): CommandFailure =>
  new CommandFailure('usage', [`${option} is ${JSON.stringify(text)}; accepted: ${accepted}`]);

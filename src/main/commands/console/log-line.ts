// What the console keeps of the daemon's log above what it redraws: warnings, faults and ended portfolios, each in at most
// three lines of the terminal. One that repeats is counted instead.
import { lineFields } from '../../../adapters/telemetry/log/line-sink.ts';
import { printable } from '../../../values/printable.ts';
import { widthOf } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import { wrapped } from '../terminal/wrapped-lines.ts';

export interface Notice {
  readonly level: 'info' | 'warn' | 'error' | 'fatal';
  /** `14:30:05`, UTC. */
  readonly clock: string;
  readonly text: string;
  /** Printable, one after the other. */
  readonly details: string;
}

const KEPT_LEVELS: readonly string[] = ['warn', 'error', 'fatal'];
/** What has ended leaves the redrawn lines. */
const KEPT_EVENTS: readonly unknown[] = ['filled', 'cancelled'];
const LINES_MAX = 3;
const VALUE_LENGTH_MAX = 80;
/** Of the whole line, or of no use without the log. */
const WITHOUT = [
  'level',
  'time',
  'pid',
  'hostname',
  'deployment',
  'msg',
  'event',
  'at',
  'err',
  'part',
  // Leg and slice say the same.
  'label',
  'intent',
];

/** The notice that a line of the log is worth; `undefined`: the log has it, which is enough. */
export function noticeOf(line: string): Notice | undefined {
  const fields = lineFields(line);
  // Not of the log: what Node itself reports.
  if (fields === undefined) {
    const text = printable(line.trim());
    return text === '' ? undefined : { level: 'warn', clock: '', text, details: '' };
  }
  const { level, time, msg, event, err } = fields;
  const isSevere = typeof level === 'string' && KEPT_LEVELS.includes(level);
  if (!isSevere && !KEPT_EVENTS.includes(event)) return undefined;
  const reason = (err as { readonly message?: unknown } | undefined)?.message;
  const because = typeof reason === 'string' ? `: ${printable(reason)}` : '';
  const details = Object.entries(fields).flatMap(([name, value]) =>
    WITHOUT.includes(name) || value === null ? [] : `${printable(name)} ${valueText(value)}`,
  );
  return {
    level: isSevere ? (level as Notice['level']) : 'info',
    clock: typeof time === 'string' ? printable(time.slice(11, 19)) : '',
    text: printable(typeof msg === 'string' ? msg : '') + because,
    details: details.join(', '),
  };
}

function valueText(value: unknown): string {
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX - 1)}…` : text;
}

const PAINTED: Readonly<Record<Notice['level'], (text: string) => string>> = {
  info: paint.green,
  warn: paint.yellow,
  error: paint.red,
  fatal: paint.red,
};

/** Lines no wider than the terminal. */
export function noticeLines({ level, clock, text, details }: Notice, columns: number): string[] {
  const head = `${clock === '' ? '' : `${paint.dim(clock)} `}${PAINTED[level](level.toUpperCase())} `;
  const indent = widthOf(head);
  const more = details === '' ? '' : `  ${details}`;
  const lines = wrapped(`${text}${more}`, columns - indent);
  const shown = lines.slice(0, LINES_MAX);
  if (lines.length > LINES_MAX) shown[LINES_MAX - 1] += ' …';
  return shown.map((line, index) => (index === 0 ? head : ' '.repeat(indent)) + line);
}

const REPEATS_MAX = 3;
const WINDOW_MS = 10_000;

interface Counted {
  readonly sinceMs: number;
  readonly notice: Notice;
  count: number;
}

/** Shows the first few notices of one text, and then how many more there were within ten seconds. */
export class RepeatedNotices {
  readonly #counted = new Map<string, Counted>();

  /** Whether this one is shown; one that is not is counted. */
  admits(notice: Notice, nowMs: number): boolean {
    const known = this.#counted.get(notice.text);
    if (known === undefined) {
      this.#counted.set(notice.text, { sinceMs: nowMs, notice, count: 1 });
      return true;
    }
    known.count += 1;
    return known.count <= REPEATS_MAX;
  }

  /** The counts of the windows that have ended. */
  ended(nowMs: number): readonly Notice[] {
    return [...this.#counted].flatMap(([text, { sinceMs, notice, count }]) => {
      if (nowMs - sinceMs < WINDOW_MS) return [];
      this.#counted.delete(text);
      if (count <= REPEATS_MAX) return [];
      return [{ ...notice, text: `${count - REPEATS_MAX} more: ${text}`, details: '' }];
    });
  }
}

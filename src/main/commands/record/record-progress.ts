// Shows what a recording does: a few lines redrawn in place on a terminal, a line now and then elsewhere, and notices.

import type { RecorderCounts } from '../../../recorder/market-recorder.ts';
import { RECORDED_KINDS } from '../../../recorder/recorded-kinds.ts';
import { printable } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import type { Terminal } from '../command.ts';
import { cut, flowed } from '../terminal/fitted-lines.ts';
import { durationText, paint } from '../terminal/paint.ts';
import { RedrawInPlace } from '../watch/redraw-in-place.ts';

const LINES_MAX = 6;
const REDRAW_MS = 500;
const REPEAT_MS = 10_000;
/** One notice is not repeated within this time, and of others only so many are shown. */
const NOTICES_MS = 60_000;
const NOTICES_MAX = 10;

export class RecordProgress {
  readonly #terminal: Terminal;
  readonly #counts: () => RecorderCounts;
  readonly #drawing: RedrawInPlace | undefined;
  readonly #startedMs = performance.now();
  readonly #noticed = new Set<string>();
  #noticesFromMs = this.#startedMs;
  #timer: NodeJS.Timeout | undefined;
  #notice = '';
  #before = { rows: 0, atMs: this.#startedMs };

  /** `isDrawn`: standard output is a terminal and may be redrawn. */
  constructor(terminal: Terminal, isDrawn: boolean, counts: () => RecorderCounts) {
    this.#terminal = terminal;
    this.#counts = counts;
    this.#drawing = isDrawn ? new RedrawInPlace(terminal) : undefined;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  start(): void {
    const everyMs = this.#drawing === undefined ? REPEAT_MS : REDRAW_MS;
    this.#timer = setInterval(() => this.show(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.show();
  }

  notice(text: string): void {
    const nowMs = performance.now();
    if (nowMs - this.#noticesFromMs >= NOTICES_MS) {
      this.#noticesFromMs = nowMs;
      this.#noticed.clear();
    }
    if (this.#noticed.has(text) || this.#noticed.size > NOTICES_MAX) return;
    this.#noticed.add(text);
    const isLast = this.#noticed.size > NOTICES_MAX;
    this.#notice = isLast ? 'further notices of this minute are left out' : printable(text);
    if (this.#drawing === undefined) this.#terminal.complain(this.#notice);
  }

  show(): void {
    const counts = this.#counts();
    const words = statusWords(counts, { elapsedMs: this.elapsedMs, perSecond: this.#rate(counts) });
    if (this.#drawing === undefined) return this.#terminal.complain(words.join('  '));
    const columns = Math.max(1, this.#terminal.columns());
    const lines = flowed(words, { gap: '  ', columns, linesMax: LINES_MAX });
    const notice = this.#notice === '' ? [] : [paint.yellow(cut(this.#notice, columns))];
    this.#drawing.draw([...lines, ...notice]);
  }

  #rate(counts: RecorderCounts): number {
    const [rows, atMs] = [rowsOf(counts), performance.now()];
    const perSecond = ((rows - this.#before.rows) * 1_000) / Math.max(1, atMs - this.#before.atMs);
    this.#before = { rows, atMs };
    return Math.round(perSecond);
  }
}

/** `00:12:04`, `3 instruments`, `trades 1204`, …, `85 rows/s`, `1.2 MB`, `gaps 1`. */
export function statusWords(
  counts: RecorderCounts,
  { elapsedMs, perSecond }: { readonly elapsedMs: number; readonly perSecond: number },
): readonly string[] {
  const { rows, instruments, bytes, gaps, openGaps, lost, doubles } = counts;
  const gapsWord = `gaps ${gaps}${openGaps > 0 ? ` (${openGaps} open)` : ''}`;
  return [
    durationText(elapsedMs),
    counted(instruments, 'instrument'),
    ...RECORDED_KINDS.flatMap((kind) => (rows[kind] ? [`${kind} ${rows[kind]}`] : [])),
    `${perSecond} rows/s`,
    bytesText(bytes),
    openGaps > 0 ? paint.yellow(gapsWord) : gapsWord,
    ...(lost > 0 ? [paint.red(`lost ${counted(lost, 'row')}`)] : []),
    ...(doubles > 0 ? [`${doubles} doubles`] : []),
  ];
}

const rowsOf = ({ rows }: RecorderCounts): number =>
  Object.values(rows).reduce((sum, count) => sum + count, 0);

const MEGABYTE = 1_000_000;

export const bytesText = (bytes: number): string =>
  bytes < MEGABYTE ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

// Shows the progress of a long run: a line redrawn in place on a terminal, an occasional line elsewhere.

import type { Terminal } from '../command.ts';
import { paint, timeText } from '../terminal/paint.ts';

/** Nothing is shown before this: most runs have finished by then. */
const SILENT_MS = 1_000;
const REDRAW_MS = 200;
const REPEAT_MS = 3_000;
/** Reading the clock costs more than the work between two checks. */
const LOOK_EVERY = 512;

export class BacktestProgress {
  readonly #terminal: Terminal;
  readonly #isDrawn: boolean;
  readonly #startedMs = performance.now();
  #nextMs: number;
  #calls = 0;
  #hasDrawn = false;

  /** `isDrawn`: standard output is a terminal and may be redrawn. */
  constructor(terminal: Terminal, isDrawn: boolean) {
    this.#terminal = terminal;
    this.#isDrawn = isDrawn;
    this.#nextMs = this.#startedMs + SILENT_MS;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** Cheap enough to call for every row. */
  note(line: () => string): void {
    this.#calls += 1;
    if (this.#calls % LOOK_EVERY !== 0) return;
    const now = performance.now();
    if (now < this.#nextMs) return;
    this.#nextMs = now + (this.#isDrawn ? REDRAW_MS : REPEAT_MS);
    this.#show(line());
  }

  clear(): void {
    if (this.#hasDrawn) this.#terminal.draw('\r\u001b[2K');
  }

  #show(line: string): void {
    if (!this.#isDrawn) return this.#terminal.complain(line);
    this.#hasDrawn = true;
    this.#terminal.draw(`\r\u001b[2K${paint.dim(line)}`);
  }
}

export interface RunMoment {
  readonly now: number;
  readonly startAt: number;
  readonly endAt: number;
  readonly rows: number;
}

/** `2021-07-01 14:00:00  58 %  0.6 of 1.0 days  61 000 rows  19 000 rows/s`. */
export function runLine({ now, startAt, endAt, rows }: RunMoment, elapsedMs: number): string {
  const days = (ms: number): string => (ms / 86_400_000).toFixed(2);
  const share = Math.min(1, (now - startAt) / Math.max(1, endAt - startAt));
  const rate = Math.round((rows * 1_000) / Math.max(1, elapsedMs));
  return [
    timeText(now),
    `${Math.floor(share * 100)} %`,
    `${days(now - startAt)} of ${days(endAt - startAt)} days`,
    `${rows} rows`,
    `${rate} rows/s`,
  ].join('  ');
}

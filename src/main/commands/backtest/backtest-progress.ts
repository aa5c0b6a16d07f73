// Shows how far a long run is: a line that is redrawn on a terminal, a line now and then elsewhere.

import type { Terminal } from '../command.ts';
import { paint, timeText } from '../terminal/paint.ts';

/** Nothing is shown before this: most runs are over. */
const SILENT_MS = 1_000;
const REDRAW_MS = 200;
const REPEAT_MS = 3_000;
/** Reading the clock costs more than what is between two looks at it. */
const LOOK_EVERY = 512;

export class BacktestProgress {
  readonly #terminal: Terminal;
  readonly #isDrawn: boolean;
  readonly #startedMs = performance.now();
  #nextMs: number;
  #calls = 0;
  #hasDrawn = false;

  /** `isDrawn`: standard output is a terminal and free for it. */
  constructor(terminal: Terminal, isDrawn: boolean) {
    this.#terminal = terminal;
    this.#isDrawn = isDrawn;
    this.#nextMs = this.#startedMs + SILENT_MS;
  }

  /** Milliseconds since the beginning. */
  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** May be called as often as wanted. */
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

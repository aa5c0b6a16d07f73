// The progress of a sweep: how much is done, how fast, and when it will be over.
import type { Terminal } from '../command.ts';
import { durationText, paint } from '../terminal/paint.ts';

const REDRAW_MS = 200;
const REPEAT_MS = 5_000;

export interface SweepMoment {
  /** Done in this life of the sweep, of those that had to be done in it. */
  readonly done: number;
  readonly of: number;
  /** Taken from an earlier one. */
  readonly before: number;
}

/** `12 of 96 runs  12 %  3.4 runs/s  00:25 left`; the time from the mean pace so far. */
export function sweepLine({ done, of, before }: SweepMoment, elapsedMs: number): string {
  const all = of + before;
  const share = all === 0 ? 1 : (done + before) / all;
  const words = [`${done + before} of ${all} runs`, `${Math.floor(share * 100)} %`];
  if (done > 0) {
    const msEach = Math.max(1, elapsedMs) / done;
    words.push(`${(1_000 / msEach).toPrecision(2)} runs/s`);
    words.push(`${durationText(Math.ceil(((of - done) * msEach) / 1_000) * 1_000)} left`);
  }
  if (before > 0) words.push(`${before} were done before`);
  return words.join('  ');
}

export class SweepProgress {
  readonly #terminal: Terminal;
  readonly #isDrawn: boolean;
  readonly #startedMs = performance.now();
  #nextMs = 0;
  #hasDrawn = false;

  /** `isDrawn`: standard output is a terminal and may be redrawn. */
  constructor(terminal: Terminal, isDrawn: boolean) {
    this.#terminal = terminal;
    this.#isDrawn = isDrawn;
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  show(moment: SweepMoment): void {
    const now = performance.now();
    if (now < this.#nextMs) return;
    this.#nextMs = now + (this.#isDrawn ? REDRAW_MS : REPEAT_MS);
    const line = sweepLine(moment, this.elapsedMs);
    if (!this.#isDrawn) return this.#terminal.complain(line);
    this.#hasDrawn = true;
    this.#terminal.draw(`\r\u001b[2K${paint.dim(line)}`);
  }

  clear(): void {
    if (this.#hasDrawn) this.#terminal.draw('\r\u001b[2K');
  }
}

// Closes what a process has opened, step by step. No step can block those after it: each has a time limit,
// all share a budget, and a mandatory step gets its time however long the others took.

export interface ShutdownLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ShutdownOptions {
  readonly log: ShutdownLog;
  /** For all steps except the mandatory ones. */
  readonly budgetMs: number;
  /** Monotonic milliseconds. */
  readonly nowMs?: () => number;
}

export interface StepRules {
  readonly limitMs: number;
  /** Gets its full limit even if the budget is used up. */
  readonly isSure?: boolean;
}

/** Minimum of every step, even if the budget is used up: enough to release idle resources. */
const STEP_MS_MIN = 50;

export class Shutdown {
  readonly #parts: ShutdownOptions;
  readonly #nowMs: () => number;
  readonly #fromMs: number;

  constructor(parts: ShutdownOptions) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#fromMs = this.#nowMs();
  }

  /** Time left in the budget. */
  get leftMs(): number {
    return Math.max(0, this.#parts.budgetMs - (this.#nowMs() - this.#fromMs));
  }

  /** Never rejects; a step that fails or takes too long is logged with its name. */
  async step(
    name: string,
    { limitMs, isSure = false }: StepRules,
    run: () => unknown,
  ): Promise<void> {
    const { log } = this.#parts;
    const allowedMs = isSure ? limitMs : Math.max(STEP_MS_MIN, Math.min(limitMs, this.leftMs));
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'too late'>((resolve) => {
      timer = setTimeout(() => resolve('too late'), allowedMs);
    });
    try {
      const done = Promise.resolve().then(run);
      if ((await Promise.race([done, tooLate])) === 'too late') {
        log.warn(
          { step: name, limitMs: Math.round(allowedMs) },
          'ending: this step took longer than its time limit; continuing without it',
        );
      }
    } catch (error) {
      // Unexamined: the process ends, and the line has the stack.
      log.error({ step: name, err: error }, 'ending: this step failed; continuing without it');
    } finally {
      clearTimeout(timer);
    }
  }
}

// Strategies that every daemon of a run has and submits when they are due: each fires once, whichever daemon dies or comes
// first, not before its time, and is tried again within its grace while nobody can say what became of it.
import { observing } from '../../../src/ports/observer.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { SubmitOracle } from '../oracles/submit.oracle.ts';
import { ScheduleRun, type ScheduleRunParts } from './schedule-run.ts';
import { isMeant, strategyForm } from './strategy-form.ts';
import type { FiringPlan, StrategyOfLife } from './strategy-seam.ts';

/** Longer than any run: from its due instant on it may fire at any time. */
const GRACE_MS = 600_000;
/** From its due instant, or from healing, until it must have fired: a rest between two tries, starts and slow stores. */
const FIRED_WITHIN_MS = 20_000;

export interface StrategyRunParts extends ScheduleRunParts {
  readonly submits: SubmitOracle;
  /** True time. */
  readonly now: () => Instant;
}

interface Once extends FiringPlan {
  readonly when: Instant;
}

export class StrategyRun {
  readonly #parts: StrategyRunParts;
  readonly #firings: readonly Once[];
  readonly #schedules: ScheduleRun | undefined;
  readonly #fired = new Set<string>();
  /** A rule has refused it. */
  readonly #refused = new Set<string>();

  /** Absent where the plan has no strategies. */
  static of(parts: StrategyRunParts): StrategyRun | undefined {
    const { strategies, schedule } = parts.plan;
    return strategies === undefined && schedule === undefined ? undefined : new StrategyRun(parts);
  }

  private constructor(parts: StrategyRunParts) {
    this.#parts = parts;
    const { strategies = [] } = parts.plan;
    parts.submits.onBegun = (note) => this.#begun(note);
    this.#firings = strategies.map(({ atSec }, index) => {
      const name = `strategy-${index}`;
      const form = strategyForm(name);
      parts.asked.submit(form);
      const when = later(parts.startAt, atSec * 1_000);
      return { name, when, missedWithinMs: GRACE_MS, form };
    });
    this.#schedules = ScheduleRun.of(parts);
  }

  /** The life has started: it follows the strategies from now on. */
  begin(life: StrategyOfLife, onFailed: (where: string, error: unknown) => void): void {
    this.#schedules?.begin(life, onFailed);
    const { operations, observer } = life;
    if (this.#firings.length === 0) return;
    this.#parts.follow(
      {
        ...life,
        operations: {
          page: (query) => operations.page(query),
          submit: async (form, by, key) => {
            const outcome = await operations.submit(form, by, key);
            const isRuled =
              outcome.kind === 'refused' &&
              outcome.rejections.some(({ kind }) => kind !== 'unavailable');
            if (isRuled) this.#refused.add(form.customizedNote);
            return outcome;
          },
        },
        observer: observing(
          {
            failed: ({ where, error }) => {
              if (!isMeant(error)) onFailed(where, error);
            },
          },
          observer,
        ),
      },
      this.#firings,
    );
  }

  /** A portfolio has become durable. */
  #begun(note: string): void {
    this.#schedules?.begun(note);
    const firing = this.#firings.find(({ name }) => name === note);
    if (firing === undefined) return;
    const { now, plan, reportBreach, trouble } = this.#parts;
    this.#fired.add(note);
    trouble.note('strategy fired');
    const earlyMs = firing.when - now() - plan.margins.skewMs;
    if (earlyMs > 0)
      reportBreach('strategies', `${note} has fired ${earlyMs} ms before it was due`);
  }

  /** Every strategy has fired, was refused, or should have been by now. */
  get isDone(): boolean {
    if (this.#schedules?.isDone === false) return false;
    return this.#firings.every((firing) => this.#isDecided(firing) || this.#isLate(firing));
  }

  audit(): void {
    for (const firing of this.#firings) {
      if (this.#isDecided(firing) || !this.#isLate(firing)) continue;
      this.#parts.reportBreach('strategies', `${firing.name} was due and has not fired`);
    }
  }

  #isDecided({ name }: FiringPlan): boolean {
    return this.#fired.has(name) || this.#refused.has(name);
  }

  #isLate({ when }: Once): boolean {
    const { now, startAt, plan } = this.#parts;
    return now() > Math.max(when, startAt + plan.stormMs) + FIRED_WITHIN_MS;
  }
}

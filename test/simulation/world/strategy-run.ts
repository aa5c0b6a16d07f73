// Strategies that every daemon of a run has and submits when they are due: each fires once, whichever daemon dies or comes
// first, not before its time, and is tried again within its grace while nobody can say what became of it.
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { steps } from '../../../src/values/amounts.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { SubmitOracle } from '../oracles/submit.oracle.ts';
import type { Asked } from '../own-books/asked.ts';
import type { SimulationPlan } from '../plan/plan.ts';
import { ACCOUNTS, DUMMY } from './simulated-accounts.ts';
import { INSTRUMENTS } from './simulated-market.ts';
import type { FiringPlan, FollowStrategies, StrategyOfLife } from './strategy-seam.ts';
import type { Trouble } from './trouble.ts';

/** Longer than any run: from its due instant on it may fire at any time. */
const GRACE_MS = 600_000;
/** From its due instant, or from healing, until it must have fired: a rest between two tries, starts and slow stores. */
const FIRED_WITHIN_MS = 20_000;

export interface StrategyRunParts {
  readonly plan: SimulationPlan;
  readonly follow: FollowStrategies;
  readonly asked: Asked;
  readonly trouble: Trouble;
  readonly startAt: Instant;
  readonly submits: SubmitOracle;
  /** True time. */
  readonly now: () => Instant;
  readonly reportBreach: ReportBreach;
}

export class StrategyRun {
  readonly #parts: StrategyRunParts;
  readonly #firings: readonly FiringPlan[];
  readonly #fired = new Set<string>();
  /** A rule has refused it. */
  readonly #refused = new Set<string>();

  /** Absent where the plan has no strategies. */
  static of(parts: StrategyRunParts): StrategyRun | undefined {
    return parts.plan.strategies === undefined ? undefined : new StrategyRun(parts);
  }

  private constructor(parts: StrategyRunParts) {
    this.#parts = parts;
    const { strategies = [] } = parts.plan;
    parts.submits.onBegun = (note) => this.#begun(note);
    this.#firings = strategies.map(({ atSec }, index) => {
      const name = `strategy-${index}`;
      const form = formOf(name);
      parts.asked.submit(form);
      const dueAt = later(parts.startAt, atSec * 1_000);
      return { name, dueAt, missedWithinMs: GRACE_MS, form };
    });
  }

  /** The life has started: it follows the strategies from now on. */
  begin(life: StrategyOfLife, onFailed: (where: string, error: unknown) => void): void {
    const { operations, observer } = life;
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
        observer: {
          ...observer,
          failed: ({ where, error }) => {
            if (!isMeant(error)) onFailed(where, error);
          },
        },
      },
      this.#firings,
    );
  }

  /** A portfolio has become durable. */
  #begun(note: string): void {
    const firing = this.#firings.find(({ name }) => name === note);
    if (firing === undefined) return;
    const { now, plan, reportBreach, trouble } = this.#parts;
    this.#fired.add(note);
    trouble.note('strategy fired');
    const earlyMs = firing.dueAt - now() - plan.margins.skewMs;
    if (earlyMs > 0)
      reportBreach('strategies', `${note} has fired ${earlyMs} ms before it was due`);
  }

  /** Every strategy has fired, was refused, or should have been by now. */
  get isDone(): boolean {
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

  #isLate({ dueAt }: FiringPlan): boolean {
    const { now, startAt, plan } = this.#parts;
    return now() > Math.max(dueAt, startAt + plan.stormMs) + FIRED_WITHIN_MS;
  }
}

/** Out of reach, or refused for now; a mistake in the source has a name of its own. */
const isMeant = (error: unknown): boolean =>
  error instanceof LedgerFailure || (error instanceof Error && error.name === 'Error');

const formOf = (name: string): PortfolioForm => {
  const { name: instrument, kind, amountStep } = INSTRUMENTS.perpetual;
  return {
    accountId: ACCOUNTS[0] ?? DUMMY,
    portfolioType: 'TWAP',
    strategy: name,
    customizedNote: name,
    twapTrade: { durationSec: 2, frequencySec: 1 },
    dummyAccounts: [],
    execution: {},
    legs: [
      {
        ...{ instrument, instrumentType: kind, side: 'buy', quantity: steps(amountStep, 6) },
        priceOptions: { priceType: 'market' },
        priceSnapshot: [],
        ...{ postOnly: false, reduceOnly: false, hidden: false, hedge: false },
      },
    ],
  };
};

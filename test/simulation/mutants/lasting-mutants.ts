// Mutants of progress to the end, and of releasing memory: I19 and I20.
import { type Mutant, one } from './mutant.ts';

/** Rules that keep a portfolio moving, and release it when it has ended. */
export const LASTING: readonly Mutant[] = [
  one(
    'taken-back-unlooked-at',
    'no re-evaluation is scheduled for a portfolio that is being cancelled',
    [
      'src/engine/turns/turn-record.ts',
      'return isTerminal(status) ?',
      "return isTerminal(status) || status === 'cancelling' ?",
    ],
    200,
  ),
  one(
    'asked-about-once',
    'the outcome of a request is queried only once',
    [
      'src/engine/orders/child-order-executor.ts',
      'this.#asking.delete(label)',
      "this.#asking.delete('' as ChildLabel)",
    ],
    200,
  ),
  one(
    'silence-looked-at-ever-later',
    'a query without a reply is repeated only after a minute',
    [
      'src/core/portfolio/next-wake.ts',
      'while (restMs < OVERDUE_REST_MAX_MS && later(due, restMs) <= now) restMs *= 2;\n  const again = onGrid(due, Math.min(restMs, OVERDUE_REST_MAX_MS), now);',
      'const again = onGrid(due, restMs + 60_000, now);',
    ],
    2_000,
  ),
  one(
    'nothing-forgotten',
    'a portfolio that has ended stays in memory for good',
    [
      'src/engine/turns/turns.ts',
      'if (this.#retired.size <= retiredMax) return;',
      'if (this.#retired.size >= 0) return;',
    ],
    100,
  ),
  one(
    'ends-elsewhere-unheard',
    'a daemon keeps portfolios that another one has ended',
    [
      'src/engine/scheduling/foreign-completions.ts',
      'if (passed.length === 0) return;',
      'if (passed.length >= 0) return;',
    ],
    200,
  ),
  one(
    'awaits-what-is-over',
    'a daemon waits for a portfolio that has ended elsewhere',
    [
      'src/engine/turns/turns.ts',
      'if (isChanged || isLook || isOver(turn.state)) this',
      'if (isChanged || isLook) this',
    ],
    2_000,
  ),
  one(
    'watches-what-is-over',
    'quotes of a portfolio that has ended are kept fresh',
    [
      'src/engine/market-subscriptions.ts',
      'this.#portfolios.delete(portfolio);',
      'if (portfolio.length < 0) this.#portfolios.delete(portfolio);',
    ],
    100,
  ),
  {
    ...one(
      'waits-beyond-its-deadline',
      'an order waits for the message budget beyond its deadline',
      [
        'src/engine/orders/child-order-executor.ts',
        'return earliest(later(now, waitMs), later(validUntil, 1 - Math.ceil(settings.validForMs / 2)));',
        'return later(now, waitMs);',
      ],
      4_000,
    ),
    profile: 'limits',
  },
  one(
    'events-changed-later',
    'an event is changed on publication, after it was written',
    [
      'src/engine/turns/publish-events.ts',
      'detail: detailOf(legs, event) }];',
      'detail: Object.assign(event, { isTold: true }) as never }];',
    ],
    50,
  ),
];

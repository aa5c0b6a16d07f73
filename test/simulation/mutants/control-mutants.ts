// Mutants of the controls at the gate: each removes a check or shifts its limit.
import { type Mutant, one } from './mutant.ts';

const GATE = 'src/core/risk/gate';

/** Rules that keep orders and portfolios within the limits in force, by the numbers of docs/controls.md. */
const GATED: readonly Mutant[] = [
  one(
    'collar-on-the-cheap-side',
    'PT-1: an order is checked against the wrong side of the collar',
    [
      `${GATE}/price-collar.ts`,
      "order.side === 'buy' ? distance",
      "order.side !== 'buy' ? distance",
    ],
    500,
  ),
  one(
    'collar-by-old-quotes',
    'PT-1: a quote of any age is a reference',
    [
      `${GATE}/price-collar.ts`,
      'if (!(ageMs <= collar.referenceAgeMaxMs)) {',
      'if (false as boolean) {',
    ],
    1_000,
  ),
  one(
    'drift-unwatched',
    'PT-2: fills may drift by any amount',
    [
      `${GATE}/execution-cost.ts`,
      'if (fault === undefined) return undefined;',
      'if (fault === undefined || leg !== undefined) return undefined;',
    ],
    1_000,
  ),
  one(
    'value-by-half-over',
    'PT-3: an order may be worth 150 % of the limit',
    [
      `${GATE}/order-limits.ts`,
      'if (isMore(usd, limit)) {',
      'if (isMore(usd, limit.mul(1.5) as never)) {',
    ],
    2_000,
  ),
  one(
    'volume-by-half-over',
    'PT-4: an order may be 150 % of the size limit',
    [
      `${GATE}/order-limits.ts`,
      'if (!isMore(quantity, limit)) return undefined;',
      'if (!isMore(quantity, limit.mul(1.5) as never)) return undefined;',
    ],
    1_000,
  ),
  one(
    'reserve-spent-on-orders',
    'PT-5: orders may use the reserve for cancels',
    [`${GATE}/message-budget.ts`, 'const missing = this.#reserve + 1', 'const missing = 1'],
    500,
  ),
  one(
    'messages-uncounted',
    'PT-5: sent messages are not counted',
    [`${GATE}/message-budget.ts`, 'this.#tokens - 1)', 'this.#tokens)'],
    500,
  ),
  one(
    'refusals-forgotten',
    'PT-6: consecutive refusals of a venue stop nothing',
    ['src/core/portfolio/advance.ts', '  pauseWhenRefused(draft);\n', ''],
    2_000,
  ),
  {
    ...one(
      'a-full-budget-for-each-owner',
      'PT-5: a handed-over account begins with a full budget',
      [
        'src/engine/risk/gate.ts',
        'if (budget !== undefined) this.#budgets.fill(of, budget);',
        'if (budget === undefined) return;',
      ],
      200,
    ),
    profile: 'owners',
  },
  {
    ...one(
      'full-share-beside-others',
      'PT-5: a joining daemon begins with a full message share',
      [
        'src/engine/risk/watch-gate.ts',
        'if (hadNone && !ownership.hasAlwaysBeenAlone()) this.gate.joined();',
        '',
      ],
      200,
    ),
    profile: 'owners',
  },
  {
    name: 'refusals-of-this-life',
    what: 'PT-6: refusals in a row begin anew when a portfolio is loaded',
    changes: [
      {
        file: 'src/engine/turns/turn-ledger.ts',
        find: 'return { state: loaded.state };',
        put: 'return { state: { ...loaded.state, refusedInRow: 0 } };',
      },
      {
        file: 'src/engine/turns/turn-ledger.ts',
        find: '{ state: replay.state, replay }',
        put: '{ state: { ...replay.state, refusedInRow: 0 }, replay }',
      },
    ],
    within: 5_000,
  },
  one(
    'drift-of-this-life',
    'PT-2: a start does not look at the fills of the day',
    ['src/engine/risk/watch-gate.ts', '    recall(() => true);\n', ''],
    3_000,
  ),
  one(
    'one-execution-more',
    'PT-6: a strategy may submit once more than its limit',
    [
      `${GATE}/repeated-execution.ts`,
      'if (count < max) return undefined;',
      'if (count <= max) return undefined;',
    ],
    2_000,
  ),
  one(
    'position-as-it-is',
    'PT-8: open orders do not count',
    [
      `${GATE}/position-limit.ts`,
      'const after = plus(plus(towards, working), quantity);',
      'const after = plus(towards, quantity);',
    ],
    2_000,
  ),
  one(
    'position-without-trades',
    'PT-8: trades do not count',
    [
      `${GATE}/position-limit.ts`,
      'const after = plus(plus(towards, working), quantity);',
      'const after = plus(working, quantity);',
    ],
    500,
  ),
  one(
    'gross-without-trades',
    'PT-9: trades of the day do not count',
    [
      `${GATE}/account-snapshot.ts`,
      'const all = plus(workingUsd, tradedUsd);',
      'const all = workingUsd;',
    ],
    500,
  ),
  one(
    'permission-unasked',
    'PT-10: an account may trade every kind of instrument',
    [
      `${GATE}/permission.ts`,
      'if (kinds?.has(instrument.kind)) return undefined;',
      'if (kinds !== undefined) return undefined;',
    ],
    500,
  ),
  one(
    'strategy-as-long-as-it-likes',
    'PT-12: a strategy may have any number of slices',
    [
      `${GATE}/strategy-limits.ts`,
      'if (slices > limits.slicesMax) return',
      'if (false as boolean) return',
    ],
    500,
  ),
  one(
    'jump-unminded',
    'PT-13: orders follow a jump of the market at once',
    [`${GATE}/market-unrest.ts`, 'if (unrest !== undefined) return { why: unrest };', ''],
    3_000,
  ),
  one(
    'spread-unminded',
    'PT-13: orders are sent however wide the spread is',
    [
      `${GATE}/market-unrest.ts`,
      'if (!isMore(spread, spreadMax)) return undefined;',
      'if (spread !== undefined) return undefined;',
    ],
    500,
  ),
  one(
    'self-match-allowed',
    'PT-14: an order may match an order of its own account',
    [`${GATE}/self-match.ts`, 'if (!meets(side, price, own.price)) continue;', 'continue;'],
    3_000,
  ),
  one(
    'leave-for-many',
    'PT-17: one override admits any number of orders',
    [
      `${GATE}/overrides.ts`,
      'if (override !== undefined) this.#byId.set(id, { ...override, usedAt: at });',
      '',
    ],
    3_000,
  ),
  one(
    'leave-by-oneself',
    'PT-17: the requester of an override may grant it',
    [`${GATE}/overrides.ts`, 'if (override.askedBy === by) {', 'if (false as boolean) {'],
    2_000,
  ),
  one(
    'losses-uncounted',
    'PT-20: execution losses stop no portfolio',
    [
      `${GATE}/execution-cost.ts`,
      'if (!isMore(lossUsd, limit)) return undefined;',
      'if (limit !== undefined) return undefined;',
    ],
    2_000,
  ),
  one(
    'same-order-of-two-slices',
    'PT-7: two slices may send the same order within moments',
    [
      `${GATE}/duplicate-order.ts`,
      'if (twin === undefined) return undefined;',
      'if (twin === undefined || duplicateMs > 0) return undefined;',
    ],
    5_000,
  ),
  one(
    'children-unjudged',
    'the gate checks no child, neither decided nor sent',
    [
      `${GATE}/judge-order.ts`,
      'for (const [control, check] of CONTROLS) {',
      'for (const [control, check] of order.child ? [] : CONTROLS) {',
    ],
    500,
  ),
];

/** Detected only in runs with low limits, or of the profile that one names itself. */
export const LIMITS: readonly Mutant[] = GATED.map((mutant) => ({ profile: 'limits', ...mutant }));

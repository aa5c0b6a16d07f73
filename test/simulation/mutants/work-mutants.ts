// Mutants of how slices and parts are worked, of decisions made ahead, and of the gate that manual orders share
// with portfolios.
import { type Mutant, one } from './mutant.ts';

const CORE = 'src/core/portfolio';

/** Rules that hold execution options, parts and amendments of a portfolio to the request. */
export const WORK: readonly Mutant[] = [
  one(
    'parts-overlap',
    'a part starts when one leg has finished the previous one',
    [
      `${CORE}/balance/work-parts.ts`,
      'state.legs.every(\n    (_leg, index) =>\n      !isPositive(missingOf',
      'state.legs.some(\n    (_leg, index) =>\n      !isPositive(missingOf',
    ],
    500,
  ),
  one(
    'follower-runs-ahead',
    'a leg does not wait for the fills of the leading one',
    [
      'src/core/portfolio/aggregate/part-allowance.ts',
      'if (leader < 0 || leader === leg || isDone(state, leader)) return target;',
      'return target;',
    ],
    1_000,
  ),
  one(
    'quiet-window-ignored',
    'slices continue in a blackout window',
    [
      `${CORE}/advance.ts`,
      'if (isBlackout(draft.state.spec.execution.quiet, draft.now)) {',
      'if (false as boolean) {',
    ],
    1_000,
  ),
  one(
    'quiet-window-over-at-the-end',
    'the end action runs in a blackout window',
    [`${CORE}/wind-up.ts`, 'if (keepsQuiet(draft, until)) return;', ''],
    2_000,
  ),
  one(
    'participation-ignored',
    'a leg takes the whole traded volume',
    [
      'src/core/portfolio/slices/participation.ts',
      'share(traded, ratioOf(participationMax))',
      'traded',
    ],
    2_000,
  ),
  one(
    'price-bounds-ignored',
    'a child is priced at any distance from mark and arrival',
    ['src/core/pricing/price-guards.ts', 'if (bps === undefined) continue;', 'continue;'],
    500,
  ),
  one(
    'wide-market-ignored',
    'children are sent however wide the spread is',
    ['src/core/pricing/price-guards.ts', 'if (wide !== undefined) return none(wide);', ''],
    1_000,
  ),
  one(
    'escalation-at-its-end-at-once',
    'a slice starts with the last step of its escalation',
    [
      'src/core/portfolio/slices/execution-style.ts',
      'escalation.findLast(({ from }) => stepAt(current, from) <= now)',
      'escalation.at(-1)',
    ],
    500,
  ),
  one(
    'extension-without-end',
    'an extension continues after its time',
    [
      `${CORE}/wind-up.ts`,
      '? later(endAt(spec), extendMs)',
      '? later(endAt(spec), extendMs + 5_000)',
    ],
    1_000,
  ),
  one(
    'drawn-beyond-its-share',
    'a slice is due as late as its interval allows',
    ['src/core/schedule/slice-plan.ts', '* randomise.time * restMs', '* restMs'],
    500,
  ),
  one(
    'amended-below-what-is-committed',
    'a total can be amended below the committed quantity',
    [
      'src/core/portfolio/apply-amendment.ts',
      'if (isLess(quantity, committed)) {',
      'if (isLess(quantity, committed)) return;\n  if (false as boolean) {',
    ],
    5_000,
  ),
  one(
    'sent-before-it-is-due',
    'orders decided ahead are sent at once',
    [
      'src/engine/orders/child-order-executor.ts',
      'if (intent.notBefore > now) return intent.notBefore;',
      '',
    ],
    1_000,
  ),
  one(
    'decided-ahead-and-forgotten',
    'orders decided ahead are sent although their portfolio was cancelled or paused',
    [
      'src/engine/orders/child-order-executor.ts',
      'state = this.#options.engine.turns.peek(decided.id) ?? decided;',
      'state = decided;',
    ],
    2_000,
  ),
];

/** Rules that send manual orders through the same gate as portfolios. */
export const BY_HAND: readonly Mutant[] = [
  {
    name: 'freeze-ignored',
    what: 'neither deciding nor sending checks market-maker protection',
    changes: [
      {
        file: 'src/core/portfolio/slices/mmp-freeze.ts',
        find: 'return forbids(inputs.freezes, { index: legInstrument(state, leg).indexName, group }, now);',
        put: 'return false;',
      },
      {
        file: 'src/engine/orders/child-order-executor.ts',
        find: 'const objection = fence?.objection()?.reply;',
        put: 'const objection = undefined as Refused | undefined;',
      },
    ],
    within: 1_000,
  },
  one(
    'freeze-forgotten-at-start',
    'a daemon starts before it has read which groups are frozen',
    [
      'src/engine/mmp/mmp-guard.ts',
      'await this.#protection({ account, kind }).reload();\n    }\n    this.#rereadLater',
      'this.#protection({ account, kind });\n    }\n    this.#rereadLater',
    ],
    5_000,
  ),
  one(
    'freeze-ignored-by-hand',
    'a manual order is accepted into a frozen group',
    [
      'src/engine/order-entry/enter-orders.ts',
      'fence?.objection();\n    if (objection',
      'undefined;\n    if (objection',
    ],
    2_000,
  ),
  one(
    'limit-never-reached',
    'a window accepts any quantity',
    [
      'src/core/mmp/decide-mmp.ts',
      "if (quantityLimit && !isLess(window.quantity, quantityLimit)) return 'quantity';",
      '',
    ],
    500,
  ),
  one(
    'window-without-end',
    'a window never ends',
    [
      'src/core/mmp/decide-mmp.ts',
      'const opens = window === undefined || tradedAt >= windowEnd(window, config);',
      'const opens = window === undefined;',
    ],
    2_000,
  ),
  one(
    'flagged-trades-unheard',
    'trades that are only notified, not queried, do not count',
    [
      'src/engine/mmp/mmp-trade-listener.ts',
      "else if (news.kind === 'trade') this.#recordTrade(venue, news.trade);",
      '',
    ],
    2_000,
  ),
  one(
    'halt-ignored-by-hand',
    'manual orders do not check the trading switches',
    [
      'src/engine/order-entry/enter-orders.ts',
      'switchObjection(switches.strictestFor({ account }), { reduceOnly }) ??',
      '',
    ],
    3_000,
  ),
  one(
    'accept-sent-twice',
    'an accept of a Block RFQ is sent once more',
    [
      'src/engine/order-entry/gated-rfq-desk.ts',
      'send: (cleared) => rfqs.accept(cleared),',
      'send: async (cleared) => (await rfqs.accept(cleared), await rfqs.accept(cleared)),',
    ],
    200,
  ),
];

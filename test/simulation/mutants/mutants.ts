// The mutants, grouped by the rule they remove. Each is killed by a simulation that depends only on its seeds;
// docs/reliability.md lists them too, which a test compares.
import { ACCOUNT } from './account-mutants.ts';
import { BLOCKS } from './block-mutants.ts';
import { LIMITS } from './control-mutants.ts';
import { DOOR } from './door-mutants.ts';
import { EXCHANGE } from './exchange-mutants.ts';
import { GUARDS } from './guard-mutants.ts';
import { LASTING } from './lasting-mutants.ts';
import { type Mutant, one } from './mutant.ts';
import { OWNERS } from './owner-mutants.ts';
import { SCHEDULES } from './schedule-mutants.ts';
import { SNAPSHOTS } from './snapshot-mutants.ts';
import { START } from './start-mutants.ts';
import { WIRE } from './wire-mutants.ts';
import { BY_HAND, WORK } from './work-mutants.ts';

const CORE = 'src/core/portfolio';

/** Rules that keep an order from being at the exchange twice. */
const PLACEMENT: readonly Mutant[] = [
  one(
    'no-deadline',
    'requests carry a deadline that never passes',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'attempt,\n    quantity: text(quantity),\n    price: text(price),\n    validUntil,',
      'attempt,\n    quantity: text(quantity),\n    price: text(price),\n    validUntil: validUntil + 600_000,',
    ],
    50,
  ),
  one(
    'attempt-numbered-again',
    'PT-7: all attempts of a slice have one label',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'const attempt = current.attempts + 1;',
      'const attempt = current.attempts * 0 + 1;',
    ],
    200,
  ),
  one(
    'no-skew-margin',
    'absence is believed without waiting for the difference of clocks',
    [
      'src/core/portfolio/slices/reconcile-child.ts',
      'settings.skewMs + settings.readLagMs',
      'settings.readLagMs',
    ],
    5_000,
  ),
  {
    name: 'no-read-lag-margin',
    what: 'absence is believed without waiting for queries that lag',
    changes: [
      {
        file: 'src/core/portfolio/slices/reconcile-child.ts',
        find: 'settings.skewMs + settings.readLagMs',
        put: 'settings.skewMs',
      },
      {
        file: 'src/core/portfolio/slices/reconcile-child.ts',
        find: 'if (askedAt < later(child.absentSince, settings.readLagMs)) return;',
        put: '',
      },
      {
        file: 'src/core/portfolio/slices/reconcile-child.ts',
        find: 'return later(child.absentSince, settings.readLagMs);',
        put: 'return child.absentSince;',
      },
    ],
    within: 5_000,
  },
  one(
    'absence-before-deadline',
    'two queries that find nothing prove absence at any time',
    [
      'src/core/portfolio/slices/reconcile-child.ts',
      'if (askedAt < decidableAt(lastDeadline(child), settings)) return;',
      '',
    ],
    2_000,
  ),
  one(
    'silence-is-absence',
    'a query without a reply counts as one that found nothing',
    [
      'src/engine/orders/child-order-executor.ts',
      "if (answer.kind !== 'done') return;\n      const { orders, trades } = answer.value;\n      if (orders.length > 0 || trades.length > 0)",
      "const { orders, trades } = answer.kind === 'done' ? answer.value : { orders: [], trades: [] };\n      if (answer.kind === 'done' && (orders.length > 0 || trades.length > 0))",
    ],
    2_000,
  ),
  one(
    'silence-is-refusal',
    'a request without a reply counts as refused',
    [
      'src/engine/orders/child-order-executor.ts',
      "await this.#run(state, { kind: 'record_unknown', now, label, reason: answer.reason });",
      "await this.#run(state, { kind: 'record_refusal', now, label, code: 0, message: '', retry: true });",
    ],
    200,
  ),
  one(
    'send-again',
    'a request without a reply is sent once more',
    [
      'src/engine/orders/child-order-executor.ts',
      "    if (answer.kind === 'unknown') {\n      await this.#run(state, { kind: 'record_unknown'",
      "    if (answer.kind === 'unknown') {\n      await venue.place({ ...intent, account: state.spec.accountId });\n      await this.#run(state, { kind: 'record_unknown'",
    ],
    200,
  ),
  one(
    'send-before-durable',
    'intents are sent before the ledger has confirmed them',
    [
      'src/engine/turns/turns.ts',
      'await this.#commit(decided, stored);',
      "(void this.#commit(decided, stored), 'committed' as const);",
    ],
    50,
  ),
  one(
    'no-version-check',
    'a turn that conflicts with another process counts as committed',
    [
      'src/engine/turns/turn-ledger.ts',
      "if (outcome.kind === 'committed') return 'committed';",
      "return 'committed';",
    ],
    500,
  ),
  one(
    'doubt-is-success',
    'a commit without a reply counts as committed',
    [
      'src/engine/turns/turn-ledger.ts',
      'if (failure.maybe) return await this.#findOut(turn);',
      "if (failure.maybe) return 'committed';",
    ],
    200,
  ),
  one(
    'doubt-sends',
    'a turn found stored sends its orders, whoever decided it',
    [
      'src/engine/turns/turn-ledger.ts',
      "return isThere ? 'found' : 'lost';",
      "return isThere ? 'committed' : 'lost';",
    ],
    20_000,
  ),
  one(
    'no-fence',
    'a request is sent however little of its validity is left',
    [
      'src/engine/orders/child-order-executor.ts',
      'return validUntil - clock.now() < settings.validForMs / 2;',
      'return false;',
    ],
    500,
  ),
  one(
    'no-fence-on-cancel',
    'a request is sent although a cancel has overtaken it',
    [
      'src/engine/orders/child-order-executor.ts',
      "if (state.status !== 'pending' && state.status !== 'active' && !isCover) {",
      'if (false as boolean) {',
    ],
    5_000,
  ),
  {
    name: 'attempt-beside-attempt',
    what: 'a slice places while its child may be at the venue',
    changes: [
      {
        file: 'src/core/portfolio/slices/work-slice.ts',
        find: 'if (own.length === 0) placeChild(draft, leg, manner);',
        put: 'placeChild(draft, leg, manner);',
      },
      {
        file: 'src/core/portfolio/slices/work-slice.ts',
        find: 'minus(minus(current.quantity, current.filled), totalOutstanding(own))',
        put: 'minus(current.quantity, current.filled)',
      },
    ],
    within: 1_000,
  },
  one(
    'unknown-is-over',
    'a child without a reply counts as terminal',
    [
      'src/core/order/child-order.ts',
      "child.state === 'sending' || child.state === 'live' || child.state === 'unknown';",
      "child.state === 'sending' || child.state === 'live';",
    ],
    200,
  ),
  one(
    'unknown-not-counted',
    'quantity that may be at the venue is not counted as committed',
    [
      'src/core/order/child-order.ts',
      'return isWorking(child) ? minus(child.quantity, child.filled) : missingFills(child);',
      "return child.state === 'live' ? minus(child.quantity, child.filled) : missingFills(child);",
    ],
    100,
  ),
  one(
    'edit-beside-edit',
    'an order is edited again while an edit has no reply',
    [
      'src/core/portfolio/slices/work-slice.ts',
      "child.state !== 'live' || child.edit !== undefined) return;",
      "child.state !== 'live') return;",
    ],
    500,
  ),
  one(
    'silent-edit-is-refused',
    'an edit without a reply counts as refused',
    [
      'src/engine/orders/child-order-executor.ts',
      "await this.#run(state, { kind: 'record_edit_unknown', now, label, number, reason });",
      "await this.#run(state, { kind: 'record_edit_refusal', now, label, number, code: 0, message: reason });",
    ],
    20_000,
  ),
];

/** Rules that keep fills and totals correct. */
const FILLS: readonly Mutant[] = [
  one(
    'fills-counted-again',
    'a trade that is reported twice counts twice',
    [
      'src/core/portfolio/slices/record-report.ts',
      'if (child === undefined || child.trades.includes(trade.tradeId)) return;',
      'if (child === undefined) return;',
    ],
    100,
  ),
  one(
    'missing-fills-forgotten',
    'a closed order counts as terminal although fills of it are missing',
    [
      'src/core/order/child-order.ts',
      'isWorking(child) || isPositive(missingFills(child));',
      'isWorking(child);',
    ],
    500,
  ),
  one(
    'fees-overwritten',
    'a fee replaces the fees before it',
    ['src/core/portfolio/aggregate/evolve.ts', 'plus(paid, money(event.fee))', 'money(event.fee)'],
    200,
  ),
  one(
    'shadow-counts-again',
    'a mirror copies a fill as often as it is reported',
    [`${CORE}/record-mirror.ts`, 'if (isMirrored(draft.state.mirrored, fill)) continue;', ''],
    500,
  ),
  one(
    'shadow-skips-missing-fills',
    'a mirror copies a fill although an earlier one is missing',
    [
      `${CORE}/record-mirror.ts`,
      'trades === undefined && number > count + 1;',
      'trades === undefined && number < count;',
    ],
    5_000,
  ),
  one(
    'recall-forgets-trades',
    'a settled child is recalled without its booked trades',
    [
      `${CORE}/aggregate/replay.ts`,
      'if (child !== undefined) found.set(label, child);',
      'if (child !== undefined) found.set(label, { ...child, trades: [] });',
    ],
    2_000,
  ),
  one(
    'shadow-not-told-again',
    'a mirror is not notified again of fills lost in a crash',
    [
      'src/engine/mirrors/notify-shadows.ts',
      'if (mirror) await this.#options.engine.turns.run(shadow.id, mirror);',
      '',
    ],
    5_000,
  ),
];

/** Rules that keep the lifecycle of a portfolio in order. */
const COURSE: readonly Mutant[] = [
  one(
    'ends-with-open-orders',
    'a cancelled portfolio ends at once, even with open orders',
    [
      `${CORE}/advance.ts`,
      'if (hasUnsettled(draft.state) || isHedging) return;',
      'if (isHedging) return;',
    ],
    500,
  ),
  one(
    'cancel-sent-once',
    'a cancel without effect is not sent again',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'if (child.cancel !== undefined && draft.now < child.cancel.retryAt) return;',
      'if (child.cancel !== undefined) return;',
    ],
    5_000,
  ),
  one(
    'cancel-without-rest',
    'a cancel is sent again at every evaluation',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'if (child.cancel !== undefined && draft.now < child.cancel.retryAt) return;',
      '',
    ],
    500,
  ),
  one(
    'places-while-cancelling',
    'a portfolio that is being cancelled continues to place',
    [
      `${CORE}/advance.ts`,
      "draft.state.status === 'cancelling' || draft.state.broken",
      'draft.state.broken',
    ],
    500,
  ),
  one(
    'cancels-what-is-over',
    'a portfolio that has ended can be cancelled',
    [
      `${CORE}/decide.ts`,
      "if (isTerminal(status) || status === 'cancelling') return;",
      "if (status === 'cancelling') return;",
    ],
    500,
  ),
  one(
    'cancelling-twice',
    'a second cancel starts cancelling again',
    [
      `${CORE}/decide.ts`,
      "if (isTerminal(status) || status === 'cancelling') return;",
      'if (isTerminal(status)) return;',
    ],
    1_000,
  ),
  one(
    'slice-early',
    'a slice starts a tenth of a second before it is due',
    ['src/core/schedule/slice-plan.ts', 'dueAt(guess + 1) <= now', 'dueAt(guess + 1) <= now + 100'],
    500,
  ),
  one(
    'leaking-plan',
    'the planned curve is rounded down',
    ['src/core/schedule/slice-plan.ts', "rounding: 'half_up'", "rounding: 'down'"],
    200,
  ),
  one(
    'no-sweeper',
    'due portfolios that were not woken are not found',
    [
      'src/engine/scheduling/overdue-sweeper.ts',
      '(portfolio) => !engine.turns.isRunning(portfolio) && !wakes.isTended(portfolio),',
      '() => false,',
    ],
    2_000,
  ),
  one(
    'sweeper-too-late',
    'the sweeper ignores what has been due for less than ten seconds',
    [
      'src/engine/scheduling/overdue-sweeper.ts',
      'const GRACE_MS = 500;',
      'const GRACE_MS = 10_000;',
    ],
    5_000,
  ),
  one(
    'no-stray-search',
    'foreign orders with our label are left open',
    [
      'src/engine/orders/execution-reports.ts',
      'await this.#cancelForeignOrder(venue, account, order);',
      'void order;',
    ],
    200,
  ),
  one(
    'strays-of-others',
    "others' orders are treated as foreign orders",
    [
      'src/engine/orders/execution-reports.ts',
      'venue.openOrders({ account, labelPrefix: prefix })',
      "venue.openOrders({ account, labelPrefix: '' })",
    ],
    500,
  ),
  one(
    'idle-accounts-unwatched',
    'foreign orders are found only on accounts with an active portfolio',
    ['src/engine/orders/open-order-reconciliation.ts', '...(venues.accounts?.() ?? []), ', ''],
    500,
  ),
  one(
    'decides-as-of-then',
    'a delayed command is decided as of its issue',
    ['src/engine/turns/turns.ts', 'asOf(one.command, at)', 'one.command'],
    2_000,
  ),
  one(
    'key-forgotten',
    'an idempotency key does not stop a second submit',
    [
      'src/engine/api/submit-portfolio.ts',
      'return turnRecord({ state, events, settings, venue: name, ...place });',
      'return turnRecord({ state, events, settings, venue: name, shard: place.shard });',
    ],
    1_000,
  ),
  one(
    'anybody-cancels',
    'a portfolio can be cancelled from another account',
    ['src/engine/api/engine-operations.ts', 'row.account !== account', 'row.account === undefined'],
    200,
  ),
];

/** Controls of the properties of an order, and of whether one may be sent. */
const CONTROLS: readonly Mutant[] = [
  one(
    'pause-ignored',
    'a paused portfolio continues',
    [`${CORE}/advance.ts`, 'else if (draft.state.paused !== undefined) cancelForPause(draft);', ''],
    1_000,
  ),
  one(
    'halt-does-not-stop-what-was-decided',
    'orders decided before a halt are still sent after it',
    [
      'src/engine/orders/child-order-executor.ts',
      "if (!maySend(tradingUnder(switches, state) ?? 'active', intent)) {",
      'if (false as boolean) {',
    ],
    20_000,
  ),
  {
    name: 'halt-ignored',
    what: 'neither deciding nor sending checks the trading switches',
    changes: [
      {
        file: 'src/engine/orders/child-order-executor.ts',
        find: "if (!maySend(tradingUnder(switches, state) ?? 'active', intent)) {",
        put: 'if (false as boolean) {',
      },
      {
        file: 'src/core/portfolio/slices/work-slice.ts',
        find: "const tradingOf = ({ inputs }: Draft): TradingState => inputs.trading ?? 'active';",
        put: "const tradingOf = (_draft: Draft): TradingState => 'active';",
      },
    ],
    within: 1_000,
  },
  one(
    'halt-forgotten-at-start',
    'a daemon starts before it has read the switches',
    [
      'src/engine/kill-switch/trading-switches.ts',
      'await this.#read();\n    this.#again(POLL_EVERY_MS);',
      'this.#again(POLL_EVERY_MS);',
    ],
    10_000,
  ),
  one(
    'no-rest-between-attempts',
    'a slice tries again at once',
    [
      'src/core/portfolio/slices/work-slice.ts',
      'return later(triedAt, draft.inputs.settings.retryMs * times);',
      'return draft.now;',
    ],
    500,
  ),
  {
    name: 'attempts-without-end',
    what: 'a slice tries as often as it can',
    changes: [
      {
        file: 'src/core/portfolio/slices/work-slice.ts',
        find: "if (triesOf(current) >= settings.attemptsMax) return waiting(draft, leg, 'rejected');",
        put: '',
      },
      {
        file: `${CORE}/next-wake.ts`,
        find: 'if (triesOf(current) >= settings.attemptsMax) return undefined;',
        put: '',
      },
    ],
    within: 5_000,
  },
  one(
    'no-catch-up-cap',
    'a slice requests the whole shortfall',
    [
      'src/core/schedule/catch-up.ts',
      'smaller(smaller(wanted, cap), open)',
      'smaller(wanted, open)',
    ],
    500,
  ),
  {
    name: 'no-value-limit',
    what: 'an order may be worth any amount',
    changes: [
      {
        file: 'src/core/risk/order-check.ts',
        find: 'return isMore(usd, limits.orderUsdMax)',
        put: 'return isMore(usd, usd)',
      },
      {
        file: 'src/core/risk/order-cap.ts',
        find: 'cap !== undefined && isMore(quantity, cap.quantity) ? cap : undefined',
        put: 'undefined',
      },
    ],
    within: 500,
  },
  one(
    'limit-passed-by-a-tick',
    'a limit order is priced one tick beyond its limit',
    [
      'src/core/pricing/child-price.ts',
      'return place(request, leg.pricing.price);',
      "return place(request, shifted(leg.pricing.price, leg.side === 'buy' ? instrument.tickSize : (instrument.tickSize.negated() as Price)));",
    ],
    100,
  ),
  one(
    'collar-doubled',
    'a marketable order may be priced twice as far away as allowed',
    [
      'src/core/pricing/child-price.ts',
      "ratio('1').plus(collar) : ratio('1').minus(collar)",
      "ratio('1').plus(collar).plus(collar) : ratio('1').minus(collar).minus(collar)",
    ],
    100,
  ),
  one(
    'old-quotes-believed',
    'a price is based on a quote of any age',
    [
      'src/core/pricing/child-price.ts',
      'if (!isFresh(quote, now, request.quoteAgeMaxMs))',
      'if (false as boolean)',
    ],
    2_000,
  ),
  one(
    'hedge-runs-ahead',
    'a hedge leg does not wait for the fills of the others',
    [
      'src/core/portfolio/aggregate/positions.ts',
      'if (!spec.hedge) return spec.quantity;',
      'if (!spec.hedge || spec.hedge) return spec.quantity;',
    ],
    500,
  ),
];

export const MUTANTS: readonly Mutant[] = [
  ...PLACEMENT,
  ...FILLS,
  ...COURSE,
  ...CONTROLS,
  ...WORK,
  ...ACCOUNT,
  ...GUARDS,
  ...SCHEDULES,
  ...BY_HAND,
  ...BLOCKS,
  ...DOOR,
  ...LIMITS,
  ...START,
  ...OWNERS,
  ...SNAPSHOTS,
  ...LASTING,
  ...EXCHANGE,
  ...WIRE,
];

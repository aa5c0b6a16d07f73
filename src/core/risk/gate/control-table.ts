// All controls, PT-1 to PT-24: definition, source file, tests and configuration. The page of controls is generated
// from this table.

export interface ControlRow {
  readonly number: string;
  /** Name in refusals and metrics; absent if the control refuses no order. */
  readonly name?: string | undefined;
  readonly title: string;
  /** In complete sentences; explains any deviation from the rule it is based on. */
  readonly definition: string;
  readonly code: readonly string[];
  readonly test: readonly string[];
  /** Configuration keys. */
  readonly keys: readonly string[];
}

const GATE = 'src/core/risk/gate';
const RISK = 'src/engine/risk';
const STAGED = 'test/engine/risk';
const SESSION = 'src/gateway/order-api/session';
const CUTS = 'test/engine/kill-switch';
const TESTS = 'test/core/risk/gate';
const CAPS = 'test/core/portfolio/order-caps.test.ts';
const ORDER_TESTS = `${TESTS}/order-controls.test.ts`;
const ORDER_PROPERTIES = `${TESTS}/order-controls.property.test.ts`;
const WATCHING_PROPERTIES = `${TESTS}/watching-controls.property.test.ts`;

export const CONTROL_TABLE: readonly ControlRow[] = [
  {
    number: 'PT-1',
    name: 'price_collar',
    title: 'Price collar of one order',
    definition:
      'An order may pay only a limited distance beyond the mark price: for options the larger of a share of the mark and a number of ticks. It is blocked if there is no fresh mark price or mid, or if the two do not agree. Only the costly side counts. Of an order without a limit the opposite side of the book is checked; of a stop limit its trigger price.',
    code: [`${GATE}/price-collar.ts`, `${RISK}/gate-orders.ts`],
    test: [ORDER_PROPERTIES, ORDER_TESTS, `${STAGED}/gate.test.ts`],
    keys: [
      'controls.collar.bps',
      'controls.collar.optionShare',
      'controls.collar.optionTicks',
      'controls.collar.referenceAgeMaxMs',
      'controls.collar.divergenceBps',
    ],
  },
  {
    number: 'PT-2',
    name: 'price_drift',
    title: 'Price collar over a period',
    definition:
      'If the average of a leg’s fills within the window is further from the mark price at its first trade of the day than allowed, its portfolio is paused until a person resumes it. A daemon that starts, or begins to work an account, reads the fills of the day first; until then no child of the account leaves.',
    code: [`${GATE}/execution-cost.ts`, `${GATE}/judge-order.ts`, `${RISK}/watch-gate.ts`],
    test: [
      WATCHING_PROPERTIES,
      ORDER_TESTS,
      `${TESTS}/execution-cost.test.ts`,
      `${STAGED}/watch-gate.test.ts`,
    ],
    keys: ['controls.drift.windowSec', 'controls.drift.bps', 'controls.drift.optionBps'],
  },
  {
    number: 'PT-3',
    name: 'order_value',
    title: 'Value of one order',
    definition:
      'The value of an order in USD is limited overall and by instrument or account; an option counts with the value of its coin. An order of unknown value is blocked. The unit is the instrument’s, never the caller’s. Legs of blocks have a limit of their own (`block_value`). A portfolio whose planned slices exceed it is refused, also by an amendment; what comes to want more is divided into several orders.',
    code: ['src/core/risk/order-check.ts', 'src/core/risk/rfq-check.ts', `${GATE}/order-limits.ts`],
    test: [
      ORDER_PROPERTIES,
      ORDER_TESTS,
      CAPS,
      'test/core/entered-order.test.ts',
      'test/engine/order-entry/gated-rfq-desk.test.ts',
    ],
    keys: ['limits.orderUsdMax', 'limits.blockUsdMax', 'limits.legUsdMax', 'controls.orderUsdMax'],
  },
  {
    number: 'PT-4',
    name: 'order_volume',
    title: 'Amount of one order',
    definition:
      'The amount of an order is limited by instrument; an instrument that no limit covers is blocked. Size and price must also be on the instrument’s grid (`order_quantity`, `order_price`). It divides what a slice wants as PT-3 does.',
    code: [`${GATE}/order-limits.ts`, 'src/core/risk/order-check.ts', 'src/core/risk/order-cap.ts'],
    test: [ORDER_PROPERTIES, ORDER_TESTS, CAPS, 'test/engine/order-entry/order-desk.test.ts'],
    keys: ['controls.orderQuantityMax'],
  },
  {
    number: 'PT-5',
    name: 'messages',
    title: 'Message budget',
    definition:
      'Token buckets limit messages per account and venue (below the venue’s own limit), per instrument of a venue, and for the whole process; with several daemons each has an equal share of the last two. New orders and edits wait for the slowest bucket and leave the reserve untouched: a child waits for its token, a manual order is refused with the time to wait. Cancels are counted and never delayed. Block RFQs, and cancels that name no instrument, count for account and process.',
    code: [
      `${GATE}/message-budget.ts`,
      `${RISK}/message-budgets.ts`,
      'src/engine/orders/child-order-executor.ts',
      'src/engine/order-entry/enter-orders.ts',
    ],
    test: [
      `${TESTS}/message-budget.test.ts`,
      `${STAGED}/message-budgets.test.ts`,
      `${STAGED}/gate.test.ts`,
    ],
    keys: [
      'controls.messages.shareOfVenue',
      'controls.messages.perSecond',
      'controls.messages.instrumentPerSecond',
      'controls.messages.processPerSecond',
    ],
  },
  {
    number: 'PT-6',
    name: 'repeated_execution',
    title: 'Repeated automated execution',
    definition:
      'A strategy may submit a limited number of portfolios; then its switch is halted until a person switches it on again. The count is in the ledger: neither a restart nor a new day resets it. A portfolio whose orders the venue refuses too often in a row, by any daemon, is paused; one that is resumed begins at zero. A slice tries at most `engine.attemptsMax` orders.',
    code: [
      `${GATE}/repeated-execution.ts`,
      'src/core/portfolio/pause-portfolio.ts',
      `${RISK}/gate-portfolios.ts`,
      `${RISK}/watch-gate.ts`,
    ],
    test: [
      WATCHING_PROPERTIES,
      `${TESTS}/repeated-execution.test.ts`,
      `${STAGED}/watch-gate.test.ts`,
    ],
    keys: ['controls.executionsMax', 'controls.rejectsMax', 'engine.attemptsMax'],
  },
  {
    number: 'PT-7',
    name: 'duplicate',
    title: 'Duplicate order',
    definition:
      'A label is sent once; a request with an idempotency key is executed once. Two slices of a leg may not send the same order within moments while the first may still be open.',
    code: [`${GATE}/duplicate-order.ts`, 'src/values/ids.ts', 'src/gateway/http/idempotency.ts'],
    test: [ORDER_PROPERTIES, ORDER_TESTS, `${TESTS}/account-exposure.test.ts`],
    keys: ['controls.duplicateMs'],
  },
  {
    number: 'PT-8',
    name: 'position',
    title: 'Position',
    definition:
      'A position, with every working order on its side filled, stays within the limit, long and short. Orders in flight count from the moment they are cleared. Spot counts the net trades since midnight UTC. Orders that can only reduce a position are allowed. An order of a combo is checked in each leg, and counts there while it works. Quotes of Block RFQs are checked when they are made and do not count while they rest.',
    code: [`${GATE}/position-limit.ts`, `${GATE}/account-exposure.ts`, `${RISK}/gate-accounts.ts`],
    test: [
      ORDER_PROPERTIES,
      ORDER_TESTS,
      `${TESTS}/account-exposure.test.ts`,
      `${STAGED}/gate.test.ts`,
    ],
    keys: ['controls.positionMax'],
  },
  {
    number: 'PT-9',
    name: 'gross',
    title: 'Capital threshold',
    definition:
      'The value of everything an account has working and has traded since midnight UTC is limited; an order counts from the moment it is cleared.',
    code: [`${GATE}/gross-limit.ts`, `${GATE}/account-exposure.ts`],
    test: [ORDER_PROPERTIES, ORDER_TESTS, `${TESTS}/account-exposure.test.ts`],
    keys: ['controls.grossUsdMax'],
  },
  {
    number: 'PT-10',
    name: 'permission',
    title: 'Permission',
    definition:
      'An account trades only the kinds of instruments permitted for it; an account without a permission is blocked. Which key may act for which account, and with which scope, is checked at the gateway.',
    code: [`${GATE}/permission.ts`, 'src/gateway/auth/auth.ts'],
    test: [ORDER_PROPERTIES],
    keys: ['controls.permits', 'keys'],
  },
  {
    number: 'PT-11',
    title: 'Conservation',
    definition:
      'The filled, working and unknown quantities of a leg never exceed its total: this is asserted before every commit, together with the intent. It is not a limit, so it has no option and cannot be overridden.',
    code: [
      'src/core/portfolio/aggregate/invariants.ts',
      'src/core/portfolio/aggregate/positions.ts',
    ],
    test: ['test/core/portfolio.model.test.ts', 'test/simulation/simulation.test.ts'],
    keys: [],
  },
  {
    number: 'PT-12',
    name: 'strategy_limits',
    title: 'Limits of strategies',
    definition:
      'A portfolio submitted by a strategy has limited instruments, value and slices, and may use only the accounts named for strategies; any other is refused before it is submitted, and an amendment that would make one of it as well. The limits are in the configuration, out of reach of authors of strategy files.',
    code: [`${GATE}/strategy-limits.ts`, 'src/core/portfolio/admission/judge-terms.ts'],
    test: [
      WATCHING_PROPERTIES,
      `${STAGED}/watch-gate.test.ts`,
      'test/core/portfolio/judged-terms.test.ts',
      'test/main/strategy/strategy-file.test.ts',
    ],
    keys: [
      'controls.strategy.instrumentsMax',
      'controls.strategy.usdMax',
      'controls.strategy.slicesMax',
      'controls.strategy.accounts',
    ],
  },
  {
    number: 'PT-13',
    name: 'market_unrest',
    title: 'Reasonable market',
    definition:
      'After a jump of the mid (options: of the underlying) nothing is sent into a market for a while, and no order may take while the spread is too wide. Slices wait and continue by themselves. Mids are sampled every second while portfolios work in the market.',
    code: [`${GATE}/market-unrest.ts`, `${RISK}/market-trails.ts`],
    test: [
      ORDER_PROPERTIES,
      WATCHING_PROPERTIES,
      ORDER_TESTS,
      `${TESTS}/market-trail.test.ts`,
      `${STAGED}/watch-gate.test.ts`,
    ],
    keys: [
      'controls.market.jumpBps',
      'controls.market.windowSec',
      'controls.market.spreadBps',
      'controls.market.restSec',
    ],
  },
  {
    number: 'PT-14',
    name: 'self_match',
    title: 'Self-match',
    definition:
      'An order that would match an order of its own account in the book is not sent; the paper exchange refuses it too. A child at market stops one tick short of own orders behind the touch, and takes what is offered in front of them.',
    code: [
      `${GATE}/self-match.ts`,
      'src/core/portfolio/slices/judge-child.ts',
      'src/exchange/checks/self-trade.ts',
    ],
    test: [
      ORDER_PROPERTIES,
      ORDER_TESTS,
      'test/core/portfolio/own-orders.test.ts',
      `${STAGED}/gate.test.ts`,
    ],
    keys: ['controls.selfMatch'],
  },
  {
    number: 'PT-15',
    name: 'trading',
    title: 'Kill switch',
    definition:
      'The state is ACTIVE, REDUCING or HALTED for the deployment, an account, a strategy or a portfolio, and is stored in the ledger until a person changes it; a halt cancels every order and queries the venue until none is left.',
    code: [
      'src/core/risk/trading-switch.ts',
      'src/engine/kill-switch/trading-switches.ts',
      'src/engine/kill-switch/halt-mass-cancel.ts',
    ],
    test: [
      'test/core/trading-switch.test.ts',
      `${CUTS}/switched-desk.property.test.ts`,
      `${CUTS}/trading-switches.test.ts`,
      `${CUTS}/halt-mass-cancel.test.ts`,
      'test/daemon/reload.daemon.test.ts',
    ],
    keys: [],
  },
  {
    number: 'PT-16',
    title: 'Cancel on disconnect',
    definition:
      'A client of the order methods may request, for this connection or for all later ones of the account, that its orders be cancelled when the connection is lost; orders of other connections stay. A live venue can be asked to do the same for ours. An own order that may have been cancelled so counts as open, and is not replaced, until the venue reports that it is closed.',
    code: [
      `${SESSION}/disconnect-rules.ts`,
      `${SESSION}/session-orders.ts`,
      `${SESSION}/rid-connection.ts`,
    ],
    test: [
      'test/gateway/order-api/session/disconnect-rules.property.test.ts',
      'test/gateway/order-api/session/session-orders.test.ts',
      'test/gateway/order-api/session/method-stream.test.ts',
      'test/adapters/deribit/line/connection.test.ts',
    ],
    keys: ['venues.NAME.cancelOnDisconnect'],
  },
  {
    number: 'PT-17',
    title: 'Override',
    definition:
      'An override lets one order of a given account, instrument, side and size past one control, once, within five minutes at most. It is requested with one key and granted with another, and both are logged with the reason. PT-7, PT-10 and PT-11 cannot be overridden. A restart discards all overrides.',
    code: [`${GATE}/overrides.ts`, `${RISK}/gate.ts`, 'src/gateway/trading/override-methods.ts'],
    test: [
      WATCHING_PROPERTIES,
      `${TESTS}/overrides.test.ts`,
      'test/gateway/trading/override-routes.test.ts',
      `${STAGED}/gate.test.ts`,
    ],
    keys: [],
  },
  {
    number: 'PT-18',
    title: 'Alerts',
    definition:
      'Every refusal and every breach the auditor finds is logged and counted as it happens; alerts are rules over these counts. An alert for a breach fires within 5 s. Stored events are read again in rounds of a limited number of portfolios.',
    code: [
      'src/ports/risk-observer.ts',
      'src/adapters/telemetry/observer/risk-log.ts',
      'src/engine/audit/auditor.ts',
    ],
    test: [
      'test/adapters/telemetry/log-and-count.test.ts',
      'test/daemon/watched.daemon.test.ts',
      'test/monitoring/alert-rules.test.ts',
      'test/monitoring/breach-path.test.ts',
    ],
    keys: [],
  },
  {
    number: 'PT-19',
    title: 'Post-trade reconciliation',
    definition:
      'The auditor continuously compares our own records with the orders, fills and positions of the venues. A trade that is in no record after 3 s is passed to the engine as if its notice had just arrived. An order that is in no record after 3 s, a trade that is still in none 3 s after it was passed on, and a position that differs by a constant amount for 3 s, is reported immediately and halts the scope concerned. A position that differs by a changing amount is reported after 30 s, and sets its account to REDUCING after 120 s.',
    code: [
      'src/engine/audit/auditor.ts',
      'src/engine/audit/audit-venue.ts',
      'src/engine/audit/audit-positions.ts',
    ],
    test: [
      'test/engine/audit/audit-positions.property.test.ts',
      'test/engine/audit/audit-venue.test.ts',
      'test/engine/audit/late-notices.property.test.ts',
      'test/engine/audit/auditor.test.ts',
    ],
    keys: [],
  },
  {
    number: 'PT-20',
    name: 'slippage',
    title: 'Loss of a day',
    definition:
      'If execution has cost an account more than its limit since midnight UTC, relative to the mark price at the first trade of each leg, the account starts no portfolio until midnight; nor does it start any before the day’s trades are known. An amendment that adds to a total is refused alike. After a restart the cost is recomputed from those trades.',
    code: [`${GATE}/execution-cost.ts`, 'src/core/portfolio/admission/judge-terms.ts'],
    test: [
      WATCHING_PROPERTIES,
      ORDER_TESTS,
      `${TESTS}/execution-cost.test.ts`,
      `${STAGED}/watch-gate.test.ts`,
    ],
    keys: ['controls.slippageUsdMax'],
  },
  {
    number: 'PT-21',
    name: 'mmp',
    title: 'Market-maker protection',
    definition:
      'A tripped group is frozen until its frozen time ends, or until a person resets it if that time is 0; no flagged order or quote is sent while it is frozen. Trips of a venue’s own protection are applied as well.',
    code: [
      'src/core/mmp/decide-mmp.ts',
      'src/engine/mmp/mmp-guard.ts',
      'src/engine/mmp/mmp-fence.ts',
    ],
    test: [
      'test/core/mmp/windows.property.test.ts',
      'test/core/mmp/decide-mmp.test.ts',
      'test/engine/mmp/mmp-guard.test.ts',
    ],
    keys: [],
  },
  {
    number: 'PT-22',
    title: 'Stress capacity',
    definition:
      'The system must survive twice the highest load observed (`npm run bench`, `docs/capacity.md`). Twice the venue’s message limit is processed without loss, and cancels do not wait.',
    code: ['bench/slices.ts', 'bench/rid.ts', 'src/engine/orders/child-order-executor.ts'],
    test: ['bench/run.ts', `${STAGED}/stress-capacity.test.ts`],
    keys: [],
  },
  {
    number: 'PT-23',
    title: 'Inventory and change records',
    definition:
      'This page is generated from the table in the code. Verdicts name the rules and limits in force by a version. A changed limit is logged (`limit_changed`) with option, old and new value, version and cause, at a reload and at a start, compared with the values last recorded in the ledger. `controls.change` names who made the change, who approved it and why; a change without a note of its own, or approved by its author, is in force and is logged with `approved: false`.',
    code: [
      `${GATE}/control-table.ts`,
      'src/main/pages/control-page.ts',
      'src/main/config/rules/control-limit-rules.ts',
      'src/main/wiring/limit-changes.ts',
    ],
    test: [
      'test/main/generated-files.test.ts',
      'test/main/pages/control-page.test.ts',
      'test/main/wiring/limit-changes.test.ts',
      'test/daemon/reload.daemon.test.ts',
    ],
    keys: ['controls.change.by', 'controls.change.approvedBy', 'controls.change.reason'],
  },
  {
    number: 'PT-24',
    title: 'Records',
    definition:
      'Every event is kept for ever with its millisecond timestamp and sealed by a hash chain, and `twapd export` outputs it with its hash; manual and programmatic requests are kept with key, address and outcome. Nothing here deletes records.',
    code: [
      'src/ports/ledger.ts',
      'src/ports/audit-seals.ts',
      'src/ports/action-log.ts',
      'src/main/ledger/export-ledger.ts',
    ],
    test: [
      'test/adapters/append-only.test.ts',
      'test/main/commands/export.service.test.ts',
      'test/engine/audit/auditor.test.ts',
      'test/main/commands/actions.service.test.ts',
    ],
    keys: [],
  },
];

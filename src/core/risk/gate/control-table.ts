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
const ORDER_TESTS = `${TESTS}/order-controls.test.ts`;
const ORDER_PROPERTIES = `${TESTS}/order-controls.property.test.ts`;
const WATCHING_PROPERTIES = `${TESTS}/watching-controls.property.test.ts`;

export const CONTROL_TABLE: readonly ControlRow[] = [
  {
    number: 'PT-1',
    name: 'price_collar',
    title: 'Price collar of one order',
    definition:
      'An order pays at most so much beyond the mark: for options the larger of a share of the mark and a number of ticks. Without a fresh mark or middle, or where the two do not agree, it is blocked. Only the costly side counts: a price the market has to come to only rests. Without a limit the opposite side of the book is held against the mark; a stop limit is held against its trigger.',
    code: [`${GATE}/price-collar.ts`, `${GATE}/entered-terms.ts`],
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
      'When the average of the fills of a leg within the window is further from the mark at its first trade of the day than allowed, its portfolio is paused until a person resumes it. The mark of that trade stands for the market at arrival, so that a restart finds the same.',
    code: [`${GATE}/execution-cost.ts`, `${RISK}/watch-gate.ts`],
    test: [WATCHING_PROPERTIES, `${TESTS}/execution-cost.test.ts`, `${STAGED}/watch-gate.test.ts`],
    keys: ['controls.drift.windowSec', 'controls.drift.bps', 'controls.drift.optionBps'],
  },
  {
    number: 'PT-3',
    name: 'order_value',
    title: 'Value of one order',
    definition:
      'An order is worth at most so much in USD, in all and by instrument or account; an option counts as its coin. What cannot be valued is blocked. The unit is the instrument’s, never the caller’s. Legs of blocks have a limit of their own (`block_value`).',
    code: ['src/core/risk/order-check.ts', 'src/core/risk/rfq-check.ts', `${GATE}/order-limits.ts`],
    test: [
      ORDER_PROPERTIES,
      ORDER_TESTS,
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
      'An order has at most so much of its instrument; one that no limit speaks of is blocked. Size and price also have to be on the instrument’s grid (`order_quantity`, `order_price`).',
    code: [`${GATE}/order-limits.ts`, 'src/core/risk/order-check.ts'],
    test: [ORDER_PROPERTIES, ORDER_TESTS, 'test/engine/order-entry/order-desk.test.ts'],
    keys: ['controls.orderQuantityMax'],
  },
  {
    number: 'PT-5',
    name: 'messages',
    title: 'Message budget',
    definition:
      'Token buckets per account and venue, below what the venue grants, per instrument of a venue, and for the whole process. New orders and edits wait for the slowest of them and leave the reserve alone: a child waits for its token, an order by hand is refused with the time to wait. A cancel is counted and never held up. Block RFQs, and cancels that name no instrument, count for account and process.',
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
      'controls.messages.burst',
      'controls.messages.instrument.perSecond',
      'controls.messages.instrument.burst',
      'controls.messages.process.perSecond',
      'controls.messages.process.burst',
      'controls.messages.cancelReserve',
    ],
  },
  {
    number: 'PT-6',
    name: 'repeated_execution',
    title: 'Repeated automated execution',
    definition:
      'A strategy submits at most so many portfolios until a person switches it on again; then its switch is halted. The count is in the ledger: neither a restart nor a new day resets it. A portfolio whose orders the venue refuses so often in a row is paused; one slice tries at most `engine.attemptsMax` orders.',
    code: [`${GATE}/repeated-execution.ts`, `${RISK}/gate-portfolios.ts`, `${RISK}/watch-gate.ts`],
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
      'A label is sent once; a request with a key is done once. Two slices of a leg may not send the same order within moments while the first may still be open.',
    code: [`${GATE}/duplicate-order.ts`, 'src/values/ids.ts', 'src/gateway/http/idempotency.ts'],
    test: [ORDER_PROPERTIES, ORDER_TESTS, `${TESTS}/account-exposure.test.ts`],
    keys: ['controls.duplicateMs'],
  },
  {
    number: 'PT-8',
    name: 'position',
    title: 'Position',
    definition:
      'A position with every working order of its side filled stays within the limit, long and short. What is on its way counts from the moment it is let through. Spot counts what was bought and sold since midnight UTC. Orders that can only reduce are let through. Quotes of Block RFQs are judged when they are made and do not count while they rest.',
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
      'Value of everything an account has working and has traded since midnight UTC, counted from the moment an order is let through.',
    code: [`${GATE}/gross-limit.ts`, `${GATE}/account-exposure.ts`],
    test: [ORDER_PROPERTIES, ORDER_TESTS, `${TESTS}/account-exposure.test.ts`],
    keys: ['controls.grossUsdMax'],
  },
  {
    number: 'PT-10',
    name: 'permission',
    title: 'Permission',
    definition:
      'An account trades only the kinds of instruments it is permitted; one that nothing is said of is blocked. Which key may speak for which account, and with which scope, is held at the gateway.',
    code: [`${GATE}/permission.ts`, 'src/gateway/auth/auth.ts'],
    test: [ORDER_PROPERTIES, ORDER_TESTS],
    keys: ['controls.permits', 'keys'],
  },
  {
    number: 'PT-11',
    title: 'Conservation',
    definition:
      'Filled, working and unknown of a leg never exceed its quantity: asserted before every commit, together with the intent. No limit, so no option; never overridden.',
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
      'What a strategy submits has at most so many instruments, value and slices, on accounts named for strategies; anything else is refused before it is submitted. The limits stand in the configuration, out of reach of who writes the strategy file, so that none can lack them.',
    code: [`${GATE}/strategy-limits.ts`, `${RISK}/gate-portfolios.ts`],
    test: [
      WATCHING_PROPERTIES,
      `${STAGED}/watch-gate.test.ts`,
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
      'After a jump of the middle (options: of the underlying) nothing is sent into a market for a while, and no order takes where bid and ask are too far apart. Slices wait and go on by themselves. Middles are sampled every second while portfolios work in the market.',
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
      'An order that would meet an order of its own account in the book is not sent; the paper exchange refuses it too.',
    code: [`${GATE}/self-match.ts`, 'src/exchange/checks/self-trade.ts'],
    test: [ORDER_PROPERTIES, ORDER_TESTS, `${STAGED}/gate.test.ts`],
    keys: ['controls.selfMatch'],
  },
  {
    number: 'PT-15',
    name: 'trading',
    title: 'Kill switch',
    definition:
      'ACTIVE, REDUCING or HALTED for the deployment, an account, a strategy or a portfolio, kept in the ledger until a person sets it again; a halt takes back every order and asks until none is left.',
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
      'A client of the order methods may ask, for this connection or for every later one of the account, that the orders it made be taken back when the connection goes; those of other connections stay. A remote venue can be asked the same for ours. An own order that may be gone with a connection counts as open until the venue has said that it is closed: nothing is placed in its place before.',
    code: [
      `${SESSION}/disconnect-rules.ts`,
      `${SESSION}/session-orders.ts`,
      `${SESSION}/rid-connection.ts`,
    ],
    test: [
      'test/gateway/order-api/session/disconnect-rules.property.test.ts',
      'test/gateway/order-api/session/session-orders.test.ts',
      'test/gateway/order-api/session/method-stream.test.ts',
      'test/adapters/remote/remote-venue.test.ts',
    ],
    keys: ['venues.NAME.cancelOnDisconnect'],
  },
  {
    number: 'PT-17',
    title: 'Override',
    definition:
      'One order of an account, instrument, side and size is let past one control, once, within five minutes at most: asked for under one key and granted under another, both named in the log with the reason. Never of PT-7, PT-10 or PT-11. A restart forgets all of them.',
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
      'Every refusal and every breach the auditor finds is a log line and a count as it happens; alerts are rules over these counts. A breach is an alert that fires within 5 s: rest of the auditor, scrape and rule together wait 4.5 s at most as shipped. Stored events are read again in turns, so many portfolios a round; what is wrong there counts from its turn.',
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
    keys: ['engine.auditMs'],
  },
  {
    number: 'PT-19',
    title: 'Post-trade reconciliation',
    definition:
      'The auditor continuously compares our record with the orders, fills and positions of the venues. A trade that is not booked after 3 s is handed to the engine as if its execution report had just arrived. An order of ours that no record has after 3 s, a trade that is still not booked 3 s after its hand-over, and a position that differs by one amount for 3 s are reported at once and halt what they concern. A position whose difference keeps changing is reported after 30 s and reduces its account after 120 s.',
    code: [
      'src/engine/audit/auditor.ts',
      'src/engine/audit/audit-venue.ts',
      'src/engine/audit/audit-positions.ts',
    ],
    test: [
      'test/engine/audit/audit-positions.property.test.ts',
      'test/engine/audit/audit-venue.test.ts',
      'test/engine/audit/auditor.test.ts',
    ],
    keys: ['engine.auditMs'],
  },
  {
    number: 'PT-20',
    name: 'slippage',
    title: 'Loss of a day',
    definition:
      'When executing has cost an account more since midnight UTC, against the mark at the first trade of each leg, than its limit, it begins no portfolio until midnight, and none before the day’s trades are known. Found again from them after a restart.',
    code: [`${GATE}/execution-cost.ts`, `${RISK}/gate-portfolios.ts`],
    test: [WATCHING_PROPERTIES, `${TESTS}/execution-cost.test.ts`, `${STAGED}/watch-gate.test.ts`],
    keys: ['controls.slippageUsdMax'],
  },
  {
    number: 'PT-21',
    name: 'mmp',
    title: 'Market-maker protection',
    definition:
      'A tripped group freezes until its time is over, or until a person resets it where the time is 0; nothing with its flag leaves while it is frozen. A venue that protects by itself is followed.',
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
      'Twice the highest load seen has to be survived. How many slices and messages a second are is measured by `npm run bench`; who runs a deployment holds its own peak against that. Twice what a venue takes is worked off without loss, and cancels do not wait.',
    code: ['bench/slices.ts', 'bench/rid.ts', 'src/engine/orders/child-order-executor.ts'],
    test: ['bench/run.ts', `${STAGED}/stress-capacity.test.ts`],
    keys: [],
  },
  {
    number: 'PT-23',
    title: 'Inventory and change records',
    definition:
      'This page is made from the table the code keeps and held current by a test. Verdicts name the rules and limits in force by a version that changes with every limit. A limit that changed is logged (`limit_changed`) with option, old and new value, version and what brought it, at a reload and at a start, against what the ledger saw last. `controls.change` says who made it, who approved it and why; without a note of its own, or approved by its author, it is in force and told with `approved: false`.',
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
      'Every event is kept for ever with its millisecond, sealed by a chain of hashes, and `twapd export` gives it with its hash; requests of people and programs are kept with key, address and outcome. Nothing here deletes records.',
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

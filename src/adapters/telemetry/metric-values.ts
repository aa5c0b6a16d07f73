// Every label value and every bucket. Labels have fixed sets of values; none holds an id, except `portfolio`
// on the progress of a bounded number of active portfolios.

import type { EndReason } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { RepriceReason, SkipReason } from '../../core/terms/reasons.ts';
import type { DeskMethod, VenueMethod } from '../../ports/observer.ts';
import type {
  ControlStage,
  DeskOutcome,
  MmpKind,
  MmpLimit,
  MmpStatus,
  RfqEnd,
  RfqMethod,
  SwitchScope,
  SwitchState,
} from '../../ports/risk-observer.ts';

/** Seconds from due to sent: fine near the promised bounds, coarse where only "late" matters. */
export const LATENESS_SEC = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
export const REQUEST_SEC = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const COMMIT_SEC = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
];
export const SETTLE_SEC = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300];
export const SHARE = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1];

/** The compiler requires every one of them. */
const SKIPS: Readonly<Record<SkipReason, true>> = {
  nothing_due: true,
  below_minimum: true,
  no_reference: true,
  stale_reference: true,
  outside_band: true,
  risk_limit: true,
  rejected: true,
  late: true,
  wide_spread: true,
  slippage_cap: true,
  price_band: true,
  worst_price: true,
  participation: true,
  order_cap: true,
  message_budget: true,
  quiet_window: true,
  mmp_frozen: true,
  halted: true,
};
export const SKIP_REASONS = Object.keys(SKIPS);
const ENDS: Readonly<Record<EndReason, true>> = {
  filled: true,
  user_request: true,
  cancel_all: true,
  time_limit: true,
  expired: true,
  reject: true,
  risk: true,
  below_minimum: true,
};
export const END_REASONS = Object.keys(ENDS);
const REPRICES: Readonly<Record<RepriceReason, true>> = {
  reference: true,
  bound: true,
  step: true,
};
export const REPRICE_REASONS = Object.keys(REPRICES);
export const METHODS = [
  'place',
  'edit',
  'cancel',
  'query',
] as const satisfies readonly VenueMethod[];
export const DESK_METHODS = [
  'enter',
  'edit',
  'cancel',
  'cancel_all',
] as const satisfies readonly DeskMethod[];
export const DESK_OUTCOMES = [
  'done',
  'refused',
  'unknown',
  'blocked',
] as const satisfies readonly DeskOutcome[];
export const CLASSES = ['ok', 'final', 'later', 'done', 'unknown'] as const;
/** How a leg is priced. */
export const PRICINGS = ['market', 'limit', 'dynamic'] as const;
/** Why an order is cancelled; others appear when they first occur. */
export const CANCEL_REASONS = [
  'slice_over',
  'time_over',
  'no_reference',
  'stale_reference',
  'outside_band',
  'user_request',
] as const;
export const SIDES = ['buy', 'sell'] as const;
/** Where failures are known to occur; others appear when they first do. */
export const FAILURE_PLACES = [
  'ledger',
  'invariant',
  'sweep',
  'compare',
  'scrape',
  'observer',
  'strategy',
  'venue.open_orders',
  'queue.schedule',
  'work_order.place',
  'work_order.edit',
  'work_order.cancel',
  'work_order.settle',
] as const;
export const WS_PATHS = [
  '/ws/api',
  '/ws/api/v2',
  '/ws/portfolio',
  '/page/ws',
  '/page/ws/api',
] as const;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** States of a child that can still change the totals; `fills_missing`: closed, with fills not yet received. */
export const UNSETTLED_STATES = ['sending', 'live', 'unknown', 'fills_missing'] as const;

export const ORDER_CONTROLS = [
  'order_quantity',
  'order_price',
  'order_value',
  'order_volume',
  'price_collar',
  'price_drift',
  'messages',
  'repeated_execution',
  'duplicate',
  'position',
  'gross',
  'permission',
  'strategy_limits',
  'market_unrest',
  'self_match',
  'slippage',
  'input',
] as const;
/** What blocks a manual order: the controls, a trading switch, protection, and an unfinished recovery. */
export const DESK_BLOCKS = [...ORDER_CONTROLS, 'trading', 'mmp', 'recovery'] as const;
export const CONTROL_STAGES = [
  'submit',
  'child',
  'order',
  'quote',
] as const satisfies readonly ControlStage[];
export const SWITCH_SCOPES = [
  'deployment',
  'account',
  'strategy',
  'portfolio',
] as const satisfies readonly SwitchScope[];
export const SWITCH_STATES = [
  'active',
  'reducing',
  'halted',
] as const satisfies readonly SwitchState[];
export const MMP_KINDS = ['order', 'blockRfq'] as const satisfies readonly MmpKind[];
export const MMP_STATUSES = ['ready', 'frozen', 'waiting'] as const satisfies readonly MmpStatus[];
export const MMP_LIMITS = [
  'quantity',
  'delta',
  'vega',
  'trades',
] as const satisfies readonly MmpLimit[];
export const RFQ_METHODS = [
  'create',
  'cancel',
  'trade',
  'quote',
  'edit_quote',
  'cancel_quote',
  'cancel_all_quotes',
] as const satisfies readonly RfqMethod[];
export const RFQ_ENDS = [
  'traded',
  'cancelled',
  'expired',
  'failed',
] as const satisfies readonly RfqEnd[];

/** Share of an MMP limit used in a window; from 1 on it has tripped. */
export const MMP_USE = [0.1, 0.25, 0.5, 0.75, 0.9, 1, 2];
/** From a trip or a halt to the last cancel sent. */
export const SWEEP_SEC = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3, 10];
/** How far the legs of a part are from proportion, as a share of the part. */
export const IMBALANCE = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
export const IMBALANCE_COINS = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];

/** Filled less scheduled at the end of a slice, as a share of the leg's target. */
export const DEVIATION = [-0.5, -0.2, -0.1, -0.05, -0.02, -0.01, 0, 0.01, 0.02, 0.05, 0.1, 0.2];
/** Costs against a benchmark in basis points; negative is better than the benchmark. */
export const SLIPPAGE_BPS = [-100, -50, -20, -10, -5, -2, -1, 0, 1, 2, 5, 10, 20, 50, 100, 250];
export const BENCHMARKS = ['arrival', 'interval_twap'] as const;
/** Turns in one transaction. */
export const GROUP_TURNS = [1, 2, 5, 10, 20, 50, 100, 200, 500];

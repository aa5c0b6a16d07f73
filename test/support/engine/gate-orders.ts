// Orders for tests of the gate: harmless by default, with one field changed at a time.
import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import type {
  AccountView,
  GateContext,
  GateOrder,
  SentOrders,
  WorkingOrder,
} from '../../../src/core/risk/gate/gate-order.ts';
import { money, price, quantity, ZERO_MONEY, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import { NOON, perpetual, quote } from './markets.ts';

export const GATE_ACCOUNT = accountId('10001');

export const gateOrder = (change: Partial<GateOrder> = {}): GateOrder => ({
  account: GATE_ACCOUNT,
  instrument: perpetual(),
  side: 'buy',
  quantity: quantity('100'),
  price: price('100000'),
  usd: money('100'),
  reduceOnly: false,
  takes: true,
  waits: false,
  key: 'mine',
  ...change,
});

export const emptyView: AccountView = {
  position: () => ZERO_QUANTITY,
  working: () => ZERO_QUANTITY,
  grossUsd: () => ZERO_MONEY,
  ordersOn: () => [],
};

export const nothingSent: SentOrders = { twin: () => undefined };

export const workingOrder = (change: Partial<WorkingOrder> = {}): WorkingOrder => ({
  key: 'other',
  instrument: 'BTC-PERPETUAL',
  side: 'sell',
  rest: quantity('10'),
  price: price('100000'),
  usd: money('10'),
  isInBook: true,
  reduceOnly: false,
  ...change,
});

export const gateContext = (
  limits: Partial<ControlLimits>,
  change: Partial<GateContext> = {},
): GateContext => ({
  now: NOON,
  quote: quote(perpetual(), [99_990, 100_010]),
  limits: { version: '1-test', ...limits },
  account: emptyView,
  sent: nothingSent,
  ...change,
});

/** Limits wide enough for everything a test does, unless it narrows one. */
export const WIDE_LIMITS: ControlLimits = {
  version: '1-wide',
  collar: {
    bps: 1_000,
    optionShare: 1,
    optionTicks: 50,
    referenceAgeMaxMs: 15_000,
    divergenceBps: 500,
  },
  drift: { windowMs: 300_000, bps: 1_000, optionBps: 10_000 },
  orderUsdMax: new Map(),
  quantityMax: new Map([['*', quantity('1000000000')]]),
  messages: { shareOfVenue: 0.7, perSecond: 10_000, burst: 20_000, cancelReserve: 0.25 },
  repeats: { executionsMax: 1_000, rejectsMax: 50 },
  duplicateMs: 250,
  positionMax: new Map([['*', quantity('1000000000')]]),
  grossUsdMax: new Map([['*', money('1000000000')]]),
  permits: new Map([['*', new Set(['option', 'perpetual', 'future', 'spot'] as const)]]),
  market: { jumpBps: 1_000, windowMs: 60_000, spreadBps: 1_000, restMs: 60_000 },
  selfMatch: true,
  slippageUsdMax: new Map([['*', money('250000')]]),
};

// Every status of a portfolio against every command, and every state of a child against every possible report of the
// venue. The tables are complete by type: a new status, command or state requires a row.
import { describe, expect, test } from 'vitest';
import type { ChildState } from '../../src/core/order/child-order.ts';
import type { VenueOrder, VenueTrade } from '../../src/core/order/venue-report.ts';
import type { PortfolioCommand } from '../../src/core/portfolio/aggregate/portfolio-command.ts';
import type { EventKind } from '../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioStatus } from '../../src/core/portfolio/aggregate/portfolio-state.ts';
import { childIn } from '../../src/core/portfolio/aggregate/settled-children.ts';
import { price, quantity, ZERO_MONEY, ZERO_QUANTITY } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import {
  type ChildLabel,
  childLabelOf,
  currency,
  orderId,
  type RfqLabel,
  tradeId,
} from '../../src/values/ids.ts';
import { type Instant, later } from '../../src/values/instant.ts';
import { CoreDesk } from '../support/engine/core-desk.ts';
import { form, legForm } from '../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../support/engine/markets.ts';

const PERP = perpetual();
const ALL = quantity('100');
/** Past every deadline and margin of a child sent at noon. */
const LATE = later(NOON, 5_000);
type CommandKind = PortfolioCommand['kind'];
type Expected = readonly EventKind[] | 'impossible';

function desk(): CoreDesk {
  const priceOptions = { priceType: 'limit', price: price('99000'), priceIn: 'USD' } as const;
  const legs = [legForm({ quantity: ALL, priceOptions })];
  const twapTrade = { durationSec: 60, frequencySec: 60 };
  const made = new CoreDesk(form({ twapTrade, legs, execution: {} }), [PERP]);
  made.quotes.set(PERP.name, quote(PERP, [99_999.5, 100_000]));
  return made;
}

const labelIn = ({ events }: CoreDesk): ChildLabel => {
  const event = events.find(({ kind }) => kind === 'child_intended');
  return childLabelOf(event?.kind === 'child_intended' ? event.label : 'none');
};

const order = (label: string, state: VenueOrder['state'], filled = ZERO_QUANTITY): VenueOrder => ({
  orderId: orderId('o1'),
  label,
  instrument: PERP.name,
  side: 'buy',
  state,
  price: price('99000'),
  quantity: ALL,
  filledQuantity: filled,
  createdAt: NOON,
  updatedAt: NOON,
});

const trade = (label: string): VenueTrade => ({
  tradeId: tradeId('t1'),
  orderId: orderId('o1'),
  label,
  instrument: PERP.name,
  side: 'buy',
  price: price('99000'),
  quantity: ALL,
  fee: ZERO_MONEY,
  feeCurrency: currency('BTC'),
  liquidity: 'maker',
  at: NOON,
});

const report = (one: CoreDesk, state: VenueOrder['state'], at = NOON) => {
  const isFilled = state === 'filled';
  const label = labelIn(one);
  const orders = [order(label, state, isFilled ? ALL : ZERO_QUANTITY)];
  return one.run({
    kind: 'record_report',
    now: at,
    orders,
    trades: isFilled ? [trade(label)] : [],
  });
};

const advance = (one: CoreDesk, now = NOON) => one.run({ kind: 'advance', now });
const cancel = (one: CoreDesk, now = NOON) =>
  one.run({ kind: 'cancel', now, reason: 'user_request', by: '7' });

/** A portfolio in each status; the active and the cancelling one have a resting child. */
const STATUSES: Record<PortfolioStatus, (one: CoreDesk) => void> = {
  pending: () => undefined,
  active: (one) => {
    advance(one);
    report(one, 'open');
  },
  cancelling: (one) => {
    advance(one);
    report(one, 'open');
    cancel(one);
  },
  filled: (one) => {
    advance(one);
    report(one, 'filled');
  },
  cancelled: (one) => {
    advance(one);
    report(one, 'open');
    cancel(one);
    report(one, 'cancelled');
  },
};

type RfqKind = keyof typeof NO_RFQ;

/** Reports on a Block RFQ that the portfolio never requested. */
const rfqCommands = (now: Instant): Pick<Record<CommandKind, PortfolioCommand>, RfqKind> => {
  const about = { now, rfqLabel: 'tw1-test-1-rfq-1' as RfqLabel };
  const refusal = { code: 10009, message: 'no' };
  return {
    record_rfq: {
      kind: 'record_rfq',
      ...about,
      rfq: { rfqId: '1', status: 'filled', quantity: ALL, ratios: [] },
    },
    record_rfq_refusal: { kind: 'record_rfq_refusal', ...about, ...refusal, retry: true },
    record_rfq_unknown: { kind: 'record_rfq_unknown', ...about, reason: 'no reply' },
    record_rfq_absent: { kind: 'record_rfq_absent', ...about, askedAt: now },
    record_accept_refusal: { kind: 'record_accept_refusal', ...about, accept: 1, ...refusal },
    record_accept_unknown: { kind: 'record_accept_unknown', ...about, accept: 1, reason: 'none' },
  };
};

/** Each command as it would arrive a moment later. */
const commands = (one: CoreDesk): Record<CommandKind, PortfolioCommand> => {
  const label = labelIn(one);
  const now = later(NOON, 100);
  const refusal = { code: 10009, message: 'no' };
  return {
    advance: { kind: 'advance', now },
    record_report: {
      kind: 'record_report',
      now,
      orders: [order(label, 'filled', ALL)],
      trades: [trade(label)],
    },
    record_refusal: { kind: 'record_refusal', now, label, ...refusal, retry: false },
    record_unknown: { kind: 'record_unknown', now, label, reason: 'no reply' },
    record_absent: { kind: 'record_absent', now: LATE, label, askedAt: LATE },
    record_edit_refusal: { kind: 'record_edit_refusal', now, label, number: 1, ...refusal },
    record_edit_unknown: { kind: 'record_edit_unknown', now, label, number: 1, reason: 'none' },
    ...rfqCommands(now),
    record_ticks: {
      kind: 'record_ticks',
      now,
      instrument: one.state.spec.legs[0]?.instrument ?? '',
      tickSize: '2.5',
      tickSteps: [],
    },
    cancel: { kind: 'cancel', now, reason: 'user_request', by: '7' },
    amend: {
      kind: 'amend',
      now,
      by: '7',
      terms: { legs: [{ index: 0, quantity: quantity('200') }] },
    },
    pause: { kind: 'pause', now, by: '7' },
    resume: { kind: 'resume', now, by: '7' },
    mirror: { kind: 'mirror', now, fills: [] },
  };
};

const FILLED: readonly EventKind[] = ['fill_booked', 'child_closed', 'filled'];
const BROKEN: readonly EventKind[] = ['fill_booked', 'assumption_broken'];

const NO_RFQ = {
  record_rfq: [],
  record_rfq_refusal: [],
  record_rfq_unknown: [],
  record_rfq_absent: [],
  record_accept_refusal: [],
  record_accept_unknown: [],
} as const;

const TABLE: Record<PortfolioStatus, Record<CommandKind, Expected>> = {
  pending: {
    advance: ['started', 'slice_started', 'child_intended'],
    record_report: [],
    record_refusal: 'impossible',
    record_unknown: 'impossible',
    record_absent: 'impossible',
    record_edit_refusal: 'impossible',
    record_edit_unknown: 'impossible',
    record_ticks: ['ticks_changed', 'started', 'slice_started', 'child_intended'],
    ...NO_RFQ,
    cancel: ['cancelling', 'cancelled'],
    amend: ['amended', 'started', 'slice_started', 'child_intended'],
    pause: ['paused'],
    resume: [],
    mirror: [],
  },
  active: {
    advance: [],
    record_report: FILLED,
    record_refusal: [],
    record_unknown: [],
    record_absent: ['child_absent'],
    record_edit_refusal: [],
    record_edit_unknown: [],
    record_ticks: ['ticks_changed'],
    ...NO_RFQ,
    cancel: ['cancelling', 'cancel_intended'],
    amend: ['slice_ended', 'amended', 'slice_started', 'cancel_intended', 'child_intended'],
    pause: ['paused', 'cancel_intended'],
    resume: [],
    mirror: [],
  },
  cancelling: {
    advance: [],
    record_report: FILLED,
    record_refusal: [],
    record_unknown: [],
    record_absent: ['child_absent', 'cancel_intended'],
    record_edit_refusal: [],
    record_edit_unknown: [],
    record_ticks: ['ticks_changed'],
    ...NO_RFQ,
    cancel: [],
    amend: [],
    pause: [],
    resume: [],
    mirror: [],
  },
  filled: {
    advance: [],
    record_report: [],
    record_refusal: [],
    record_unknown: [],
    record_absent: [],
    record_edit_refusal: [],
    record_edit_unknown: [],
    record_ticks: [],
    ...NO_RFQ,
    cancel: [],
    amend: [],
    pause: [],
    resume: [],
    mirror: [],
  },
  cancelled: {
    advance: [],
    record_report: [...BROKEN],
    record_refusal: [],
    record_unknown: [],
    record_absent: [],
    record_edit_refusal: [],
    record_edit_unknown: [],
    record_ticks: [],
    ...NO_RFQ,
    cancel: [],
    amend: [],
    pause: [],
    resume: [],
    mirror: [],
  },
};

describe.each(Object.keys(TABLE) as PortfolioStatus[])('a portfolio that is %s', (status) => {
  test.each(Object.keys(TABLE[status]) as CommandKind[])(
    'the command %s has the effects given in the table',
    (kind) => {
      const one = desk();
      STATUSES[status](one);
      expect(one.state.status).toBe(status);
      const expected = TABLE[status][kind];
      const command = commands(one)[kind];
      if (expected === 'impossible') {
        expect(() => one.peek(command)).toThrow('has no child');
        return;
      }
      const { events, state, intents } = one.peek(command);
      expect(events.map((event) => event.kind)).toEqual(expected);
      const isOver = status === 'filled' || status === 'cancelled';
      if (isOver) expect([state.status, intents]).toEqual([status, []]);
    },
  );
});

/** A child in each state, its portfolio active. */
const CHILDREN: Record<ChildState, (one: CoreDesk) => void> = {
  sending: () => undefined,
  live: (one) => void report(one, 'open'),
  unknown: (one) => {
    const label = labelIn(one);
    one.run({ kind: 'record_unknown', now: NOON, label, reason: 'no reply' });
  },
  filled: (one) => void report(one, 'filled'),
  cancelled: (one) => void report(one, 'cancelled'),
  rejected: (one) => {
    const refusal = { code: 10009, message: 'no', retry: false };
    one.run({ kind: 'record_refusal', now: NOON, label: labelIn(one), ...refusal });
  },
  unsent: (one) => {
    for (const at of [later(NOON, 2_400), later(NOON, 2_600)]) {
      one.run({ kind: 'record_absent', now: at, label: labelIn(one), askedAt: at });
    }
  },
};

type Said = Exclude<VenueOrder['state'], 'untriggered' | 'triggered'>;
const FILL: readonly EventKind[] = ['fill_booked', 'child_closed', 'filled'];
const LIVE_AGAIN: readonly EventKind[] = ['assumption_broken', 'child_live'];
const TAKEN_BACK: readonly EventKind[] = ['cancel_intended', 'cancelling'];

const CHILD_TABLE: Record<ChildState, Record<Said, readonly EventKind[]>> = {
  sending: {
    open: ['child_live'],
    filled: ['child_live', ...FILL],
    cancelled: ['child_live', 'child_closed'],
    rejected: ['child_rejected'],
  },
  live: { open: [], filled: FILL, cancelled: ['child_closed'], rejected: ['child_closed'] },
  unknown: {
    open: ['child_live'],
    filled: ['child_live', ...FILL],
    cancelled: ['child_live', 'child_closed'],
    rejected: ['child_rejected'],
  },
  // A closed child stays closed: an older report that arrives later changes nothing.
  filled: { open: [], filled: [], cancelled: [], rejected: [] },
  // A fill the venue had not counted before still counts.
  cancelled: { open: [], filled: ['fill_booked', 'filled'], cancelled: [], rejected: [] },
  rejected: {
    open: [...LIVE_AGAIN, ...TAKEN_BACK],
    filled: [...LIVE_AGAIN, 'fill_booked', 'child_closed', 'cancelling', 'filled'],
    cancelled: [...LIVE_AGAIN, 'child_closed', 'cancelling', 'cancelled'],
    rejected: [],
  },
  // Another child was sent in its place, and must be answered before the portfolio can end.
  unsent: {
    open: [...LIVE_AGAIN, ...TAKEN_BACK],
    filled: [...LIVE_AGAIN, 'fill_booked', 'child_closed', 'cancelling'],
    cancelled: [...LIVE_AGAIN, 'child_closed', 'cancelling'],
    rejected: [],
  },
};

describe.each(Object.keys(CHILD_TABLE) as ChildState[])('a child that is %s', (state) => {
  test.each(Object.keys(CHILD_TABLE[state]) as Said[])(
    'a report of %s has the effects given in the table',
    (said) => {
      const one = desk();
      advance(one);
      const label = labelIn(one);
      CHILDREN[state](one);
      const child = childIn(one.state, label);
      expect(must(child, 'the child is known').state).toBe(state);
      const { events } = report(one, said, one.state.updatedAt);
      expect(events.map(({ kind }) => kind)).toEqual(CHILD_TABLE[state][said]);
    },
  );
});

// What each kind of event changes in a state of which every field is set: exactly the fields listed here, and the
// version and time of the state. A field that an event should clear, and one that it should leave, are both seen.
import { describe, expect, test } from 'vitest';
import type { ChildOrder } from '../../../src/core/order/child-order.ts';
import { evolve } from '../../../src/core/portfolio/aggregate/evolve.ts';
import type {
  EventKind,
  PortfolioEvent,
} from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type {
  LegState,
  PortfolioState,
} from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { settledChild } from '../../../src/core/portfolio/aggregate/settled-children.ts';
import { amendedSpec, termsOf } from '../../../src/core/terms/amend-terms.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { Decimal, formatDecimal } from '../../../src/values/decimal.ts';
import {
  childLabel,
  deploymentId,
  orderId,
  portfolioId,
  rfqLabel,
} from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';

const PERP = perpetual();
const AT = later(NOON, 9_000);
const at = (ms: number) => later(NOON, ms);
const DEV = deploymentId('test');
const PORTFOLIO = portfolioId('1795176000000000');
const named = (slice: number, attempt: number) =>
  childLabel({ deployment: DEV, portfolio: PORTFOLIO, leg: 1, slice, attempt });
const LABEL = named(4, 3);
const EARLIER = named(3, 1);
const NEXT = named(4, 4);

const LEG: LegState = {
  nextSlice: 5,
  rebase: { from: at(1_000), slice: 2, done: quantity('10') },
  current: {
    slice: 4,
    dueAt: at(4_000),
    endsAt: at(5_000),
    planned: quantity('30'),
    quantity: quantity('40'),
    filled: quantity('10'),
    attempts: 3,
    capped: 1,
    triedAt: at(4_100),
    refusals: 2,
    staleAttempts: 1,
    waiting: 'order_cap',
    arrival: price('100000'),
  },
  filled: quantity('110'),
  mirroredFrom: quantity('55'),
  value: money('0.0011'),
  fees: new Map([['BTC', money('0.1')]]),
  slicesBegun: 5,
  slicesPlaced: 4,
  lastPlaced: 3,
  skipped: quantity('20'),
  tape: { count: quantity('1000'), sum: quantity('300') },
  rejectedInRow: 2,
  refusal: { code: 10_009, message: 'no', at: at(4_050) },
  reprices: 6,
};

const CHILD: ChildOrder = {
  label: LABEL,
  leg: 1,
  slice: 4,
  attempt: 3,
  side: 'sell',
  quantity: quantity('30'),
  price: price('100000'),
  timeInForce: 'good_til_cancelled',
  reduceOnly: false,
  state: 'live',
  intendedAt: at(4_100),
  pricedAt: at(4_200),
  validUntil: at(5_100),
  orderId: orderId('o1'),
  filled: quantity('10'),
  trades: ['t1'],
  venueFilled: quantity('20'),
  closedAt: at(4_500),
  edits: 2,
  edit: { number: 2, price: price('99990'), validUntil: at(5_200), state: 'sending' },
  cancel: { reason: 'slice_over', requestedAt: at(4_800), retryAt: at(4_900) },
  absentSince: at(4_700),
};

const RFQ: PortfolioState['rfq'] = {
  number: 2,
  label: rfqLabel({ deployment: DEV, portfolio: PORTFOLIO, number: 2 }),
  stage: 'open',
  parts: [
    { leg: 0, quantity: quantity('20'), ratio: quantity('1') },
    { leg: 1, quantity: quantity('40') },
  ],
  intendedAt: at(6_000),
  validUntil: at(7_000),
  endsAt: at(8_000),
  retryAt: at(6_500),
  absentSince: at(7_100),
  id: 'r1',
  quantity: quantity('20'),
  best: { price: price('-5'), makers: 2, isWhole: true },
  accepts: 3,
  accept: {
    number: 3,
    price: price('-5'),
    labels: [LABEL],
    validUntil: at(7_500),
    state: 'sending',
  },
  cancel: { reason: 'time_over', retryAt: at(7_900) },
};

/** Every field is set, whether or not they can be together. */
function taken(): PortfolioState {
  const legs = [legForm(), legForm()];
  const { state } = new CoreDesk(form({ legs }), [PERP]);
  return {
    ...state,
    version: 40,
    status: 'active',
    paused: { by: '5', at: at(10) },
    resumedAt: at(20),
    refusedInRow: 3,
    lastEditedBy: '5',
    legs: [LEG, LEG],
    part: {
      part: 1,
      stage: 'work',
      startedAt: at(1_000),
      stageAt: at(1_000),
      begunAt: at(1_500),
      lookedAt: at(1_000),
    },
    partsDone: 1,
    partBase: [quantity('100'), quantity('50')],
    rfq: RFQ,
    children: new Map([
      [LABEL, CHILD],
      [EARLIER, { ...CHILD, label: EARLIER, slice: 3, attempt: 1 }],
    ]),
    fills: 7,
    mirrored: { count: 4, trades: undefined },
    amendments: 1,
  };
}

const PLACES = new Map([
  [LABEL, 'own'],
  [EARLIER, 'earlier'],
  [NEXT, 'next'],
]);

/** Every value of a state by its path; instants in milliseconds from noon, what is absent left out. */
function valuesOf(state: PortfolioState): Map<string, string> {
  const found = new Map<string, string>();
  const note = (path: string, value: unknown): void => {
    if (value === undefined) return;
    if (value instanceof Decimal) found.set(path, formatDecimal(value));
    else if (value instanceof Map) for (const [key, one] of value) note(`${path}.${key}`, one);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) note(`${path}.${key}`, one);
    } else if (typeof value === 'number' && value >= NOON) found.set(path, `+${value - NOON}`);
    else found.set(path, String(value));
  };
  const { version: _version, updatedAt: _at, instruments, children, ended, ...rest } = state;
  note('', rest);
  note(
    '.ticks',
    [...instruments.values()].map(({ tickSize }) => tickSize),
  );
  for (const [label, place] of PLACES) {
    const known = [...children].find(([key]) => key === label)?.[1];
    const child = known ?? settledChild(ended, label);
    if (child === undefined) continue;
    note(`.${place}.is`, known === undefined ? 'settled' : 'unsettled');
    const { label: _label, ...terms } = child;
    note(`.${place}`, terms);
  }
  return found;
}

/** The changed values as `path: value`; without a value it is gone. */
function changed(before: PortfolioState, after: PortfolioState): Record<string, string | null> {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const paths = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => was.get(path) !== is.get(path),
  );
  return Object.fromEntries(paths.map((path) => [path.slice(1), is.get(path) ?? null]));
}

type Fields<K extends EventKind> = Omit<Extract<PortfolioEvent, { kind: K }>, 'kind' | 'at'>;
type Row<K extends EventKind> = readonly [
  what: string,
  fields: Fields<K>,
  changes: Record<string, string | null>,
  from?: (state: PortfolioState) => PortfolioState,
];

const child =
  (change: Partial<ChildOrder>) =>
  (state: PortfolioState): PortfolioState => ({
    ...state,
    children: new Map([[LABEL, { ...CHILD, ...change }]]),
  });
const leg =
  (change: Partial<LegState>) =>
  (state: PortfolioState): PortfolioState => ({
    ...state,
    legs: [LEG, { ...LEG, ...change }],
  });
const gone = (path: string, ...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${path}.${name}`, null]));

const NO_EDIT = gone('own.edit', 'number', 'price', 'validUntil', 'state');
const NO_CANCEL = gone('own.cancel', 'reason', 'requestedAt', 'retryAt');
const SLICE_FIELDS = Object.keys(must(LEG.current, 'a slice'));
const NO_SLICE = (at: number) => gone(`legs.${at}.current`, ...SLICE_FIELDS);
const NO_BEST = gone('rfq.best', 'price', 'makers', 'isWhole');
const NO_ACCEPT = gone('rfq.accept', 'number', 'price', 'labels.0', 'validUntil', 'state');
const NO_RFQ_CANCEL = gone('rfq.cancel', 'reason', 'retryAt');
const SPEC = taken().spec;
const LONGER = must(amendedSpec(SPEC, { durationMs: 3_000_000, legs: [] }), 'it changes the end');

const FILL = {
  label: LABEL,
  tradeId: 't2',
  orderId: 'o1',
  quantity: '15',
  price: '50000',
  fee: '0.03',
  feeCurrency: 'BTC',
  liquidity: 'taker',
  tradedAt: at(8_900),
} as const;
const STARTED = {
  leg: 1,
  slice: 7,
  dueAt: at(8_000),
  endsAt: at(8_500),
  planned: '12',
  quantity: '13',
} as const;
const NEW_SLICE = {
  'legs.1.nextSlice': '8',
  'legs.1.slicesBegun': '6',
  'legs.1.current.slice': '7',
  'legs.1.current.dueAt': '+8000',
  'legs.1.current.endsAt': '+8500',
  'legs.1.current.planned': '12',
  'legs.1.current.quantity': '13',
  'legs.1.current.filled': '0',
  'legs.1.current.attempts': '0',
  ...gone('legs.1.current', 'capped', 'triedAt', 'refusals', 'staleAttempts', 'waiting', 'arrival'),
};
/** 15 USD at 50,000 are 0.0003 coins, in addition to 0.0011. */
const FILLED = {
  'legs.1.filled': '125',
  'legs.1.value': '0.0014',
  'legs.1.fees.BTC': '0.13',
  fills: '8',
};
const OWN_FILL = { 'own.filled': '25', 'own.trades.1': 't2' };

/** Every kind of event. */
const TABLE: { readonly [K in EventKind]: readonly Row<K>[] } = {
  submitted: [],
  started: [
    ['status alone', {}, { status: 'active' }, (state) => ({ ...state, status: 'pending' })],
  ],
  slices_missed: [
    ['without giving up', { leg: 1, from: 5, to: 8 }, { 'legs.1.nextSlice': '9' }],
    [
      'giving up more',
      { leg: 1, from: 5, to: 8, skipped: '7' },
      { 'legs.1.nextSlice': '9', 'legs.1.skipped': '27' },
    ],
  ],
  slice_started: [
    ['nothing of the one before stays', STARTED, NEW_SLICE],
    [
      'a count of the volume below the last one has restarted: 300 + 70',
      { ...STARTED, traded: '70' },
      { ...NEW_SLICE, 'legs.1.tape.count': '70', 'legs.1.tape.sum': '370' },
    ],
    [
      'a hedge of what was executed',
      { ...STARTED, isCover: true },
      { ...NEW_SLICE, 'legs.1.current.isCover': 'true' },
    ],
  ],
  slice_arrived: [
    ['the price', { leg: 1, slice: 4, price: '99' }, { 'legs.1.current.arrival': '99' }],
  ],
  slice_waiting: [
    ['the reason', { leg: 1, slice: 4, reason: 'halted' }, { 'legs.1.current.waiting': 'halted' }],
  ],
  slice_ended: [
    ['the slice of its leg alone', { leg: 1, slice: 4, filled: '10', returned: '30' }, NO_SLICE(1)],
  ],
  part_started: [
    [
      'a part starts without a fill',
      { part: 2, stage: 'sweep', targets: ['1', '2'] },
      {
        'part.part': '2',
        'part.stage': 'sweep',
        'part.startedAt': '+9000',
        'part.stageAt': '+9000',
        'part.lookedAt': '+9000',
        'part.begunAt': null,
      },
    ],
  ],
  part_waiting: [['the look alone', { part: 1 }, { 'part.lookedAt': '+9000' }]],
  part_chased: [
    [
      'stage and look, not the start',
      { part: 1, stage: 'chase', missing: ['1', '2'] },
      { 'part.stage': 'chase', 'part.stageAt': '+9000', 'part.lookedAt': '+9000' },
    ],
  ],
  part_ended: [
    [
      'the part, and the fills by then',
      { part: 1, filled: ['200', '70'] },
      {
        ...gone('part', 'part', 'stage', 'startedAt', 'stageAt', 'begunAt', 'lookedAt'),
        partsDone: '2',
        'partBase.0': '200',
        'partBase.1': '70',
      },
    ],
  ],
  child_intended: [
    [
      'the attempt counts, the wait is over, and the slice counts as placed once',
      {
        label: NEXT,
        leg: 1,
        slice: 4,
        attempt: 4,
        side: 'sell',
        timeInForce: 'fill_or_kill',
        postOnly: false,
        reduceOnly: true,
        quantity: '5',
        price: '99995',
        validUntil: at(9_800),
      },
      {
        'legs.1.current.attempts': '4',
        'legs.1.current.triedAt': '+9000',
        'legs.1.current.waiting': null,
        'legs.1.slicesPlaced': '5',
        'legs.1.lastPlaced': '4',
        'next.is': 'unsettled',
        'next.leg': '1',
        'next.slice': '4',
        'next.attempt': '4',
        'next.side': 'sell',
        'next.quantity': '5',
        'next.price': '99995',
        'next.timeInForce': 'fill_or_kill',
        'next.reduceOnly': 'true',
        'next.state': 'sending',
        'next.intendedAt': '+9000',
        'next.pricedAt': '+9000',
        'next.validUntil': '+9800',
        'next.filled': '0',
        'next.edits': '0',
      },
    ],
  ],
  child_live: [
    [
      'an order that was held for closed: it is open, and no refusal is in a row',
      { label: LABEL, orderId: 'o2', price: '99990' },
      {
        'own.state': 'live',
        'own.orderId': 'o2',
        'own.price': '99990',
        ...gone('own', 'absentSince', 'venueFilled'),
        'legs.1.rejectedInRow': '0',
        ...gone('legs.1.refusal', 'code', 'message', 'at'),
        refusedInRow: '0',
      },
      child({ state: 'cancelled' }),
    ],
    [
      'a leg without refusals: those of other legs are not in a row any more either',
      { label: LABEL, orderId: 'o1' },
      { ...gone('own', 'absentSince', 'venueFilled'), refusedInRow: '0' },
      leg({ rejectedInRow: 0 }),
    ],
  ],
  child_rejected: [
    [
      'for good',
      { label: LABEL, code: 10_004, message: 'nay', retry: false },
      {
        'own.state': 'rejected',
        ...NO_CANCEL,
        'legs.1.rejectedInRow': '3',
        'legs.1.refusal.code': '10004',
        'legs.1.refusal.message': 'nay',
        'legs.1.refusal.at': '+9000',
        'legs.1.current.refusals': '3',
        refusedInRow: '4',
      },
    ],
    [
      'for now',
      { label: LABEL, code: 10_041, message: 'nay', retry: true },
      {
        'own.state': 'rejected',
        ...NO_CANCEL,
        'legs.1.rejectedInRow': '3',
        'legs.1.refusal.code': '10041',
        'legs.1.refusal.message': 'nay',
        'legs.1.refusal.at': '+9000',
        refusedInRow: '4',
      },
    ],
    [
      'not sent: the venue has not refused it',
      { label: LABEL, code: 0, message: 'nay', retry: true },
      {
        'own.state': 'rejected',
        ...NO_CANCEL,
        'legs.1.rejectedInRow': '3',
        'legs.1.refusal.code': '0',
        'legs.1.refusal.message': 'nay',
        'legs.1.refusal.at': '+9000',
      },
    ],
  ],
  child_unknown: [
    ['the state alone', { label: LABEL, reason: 'no answer' }, { 'own.state': 'unknown' }],
  ],
  child_absent: [
    ['a second time keeps the first', { label: LABEL }, {}],
    [
      'the first time',
      { label: LABEL },
      { 'own.absentSince': '+9000' },
      child({ absentSince: undefined }),
    ],
  ],
  child_unsent: [
    ['nothing is asked of it any more', { label: LABEL }, { 'own.state': 'unsent', ...NO_CANCEL }],
  ],
  child_closed: [
    [
      'with fills that are missing',
      { label: LABEL, orderId: 'o3', state: 'cancelled', filled: '12', reason: '' },
      {
        'own.state': 'cancelled',
        'own.orderId': 'o3',
        'own.venueFilled': '12',
        'own.closedAt': '+9000',
        'own.absentSince': null,
        ...NO_EDIT,
        ...NO_CANCEL,
      },
    ],
    [
      'with every fill booked: it is settled',
      { label: LABEL, orderId: 'o1', state: 'cancelled', filled: '10', reason: '' },
      {
        'own.is': 'settled',
        'own.state': 'cancelled',
        'own.venueFilled': '10',
        'own.closedAt': '+9000',
        'own.absentSince': null,
        ...NO_EDIT,
        ...NO_CANCEL,
      },
    ],
  ],
  edit_intended: [
    [
      'the price is computed now, and in force once it is answered',
      { label: LABEL, number: 3, price: '99980', validUntil: at(9_900) },
      {
        'own.edits': '3',
        'own.pricedAt': '+9000',
        'own.edit.number': '3',
        'own.edit.price': '99980',
        'own.edit.validUntil': '+9900',
        'legs.1.reprices': '7',
      },
    ],
  ],
  edit_done: [
    [
      'the price',
      { label: LABEL, number: 2, price: '99991' },
      { 'own.price': '99991', ...NO_EDIT },
    ],
  ],
  edit_refused: [['the price stays', { label: LABEL, number: 2, code: 1, message: '' }, NO_EDIT]],
  edit_unknown: [
    [
      'it may be in force',
      { label: LABEL, number: 2, reason: '' },
      { 'own.edit.state': 'unknown' },
    ],
  ],
  cancel_intended: [
    [
      'once more: since when it is requested stays',
      { label: LABEL, reason: 'halted', retryAt: at(9_500) },
      { 'own.cancel.reason': 'halted', 'own.cancel.retryAt': '+9500' },
    ],
  ],
  fill_booked: [
    ['a part of the order', FILL, { ...FILLED, ...OWN_FILL, 'legs.1.current.filled': '25' }],
    [
      'the last part of an order that the cap made smaller: the next follows at once',
      { ...FILL, quantity: '20', price: '100000' },
      {
        ...FILLED,
        'legs.1.filled': '130',
        'legs.1.value': '0.0013',
        'own.filled': '30',
        'own.trades.1': 't2',
        'legs.1.current.filled': '30',
        'legs.1.current.capped': '2',
        'legs.1.current.triedAt': null,
      },
    ],
    [
      'of an earlier slice, in another currency',
      { ...FILL, label: EARLIER, feeCurrency: 'USDC' },
      {
        'legs.1.filled': '125',
        'legs.1.value': '0.0014',
        'legs.1.fees.USDC': '0.03',
        fills: '8',
        'earlier.filled': '25',
        'earlier.trades.1': 't2',
      },
    ],
    [
      'the first of a part starts its time',
      FILL,
      { ...FILLED, ...OWN_FILL, 'legs.1.current.filled': '25', 'part.begunAt': '+9000' },
      (state) => ({ ...state, part: { ...must(state.part, 'a part'), begunAt: undefined } }),
    ],
  ],
  child_recalled: [],
  fill_mirrored: [
    [
      'a share of a fill: the mirror has 110 + 15 of 55 + 40',
      {
        leg: 1,
        number: 5,
        tradeId: 't9',
        quantity: '15',
        original: '40',
        price: '50000',
        liquidity: 'maker',
        tradedAt: at(8_000),
      },
      {
        'legs.1.filled': '125',
        'legs.1.value': '0.0014',
        'legs.1.mirroredFrom': '95',
        'mirrored.count': '5',
      },
    ],
  ],
  assumption_broken: [['the mark alone', { label: '', what: '' }, { broken: 'true' }]],
  paused: [
    [
      'refusals count from now',
      { by: '8' },
      { 'paused.by': '8', 'paused.at': '+9000', refusedInRow: '0', lastEditedBy: '8' },
    ],
  ],
  resumed: [
    [
      'refusals count from now',
      { by: '8' },
      { ...gone('paused', 'by', 'at'), resumedAt: '+9000', refusedInRow: '0', lastEditedBy: '8' },
    ],
  ],
  amended: [
    [
      'one leg restarts, the other is repriced',
      {
        by: '8',
        number: 2,
        before: termsOf(SPEC),
        after: termsOf(LONGER),
        replans: [{ from: at(2_000), slice: 5, done: '60' }, null],
        repriced: [1],
      },
      {
        'spec.durationMs': '3000000',
        amendments: '2',
        lastEditedBy: '8',
        'legs.0.rebase.from': '+2000',
        'legs.0.rebase.slice': '5',
        'legs.0.rebase.done': '60',
        ...gone('legs.1.rebase', 'from', 'slice', 'done'),
        'legs.1.current.staleAttempts': '3',
      },
    ],
  ],
  ticks_changed: [
    [
      'the grid of prices',
      { instrument: PERP.name, tickSize: '2', tickSteps: [] },
      { 'ticks.0': '2' },
    ],
  ],
  hedge_left_open: [
    ['the quantity', { leg: 1, quantity: '8' }, { 'legs.1.current.leftOpen': '8' }],
  ],
  time_over: [['the time alone', {}, { timeOverAt: '+9000' }]],
  cancelling: [
    [
      'who and why',
      { reason: 'risk', by: '8' },
      { status: 'cancelling', reason: 'risk', lastEditedBy: '8' },
    ],
  ],
  cancelled: [
    [
      'no slice and no pause is left',
      { reason: 'time_limit', residual: ['1', '2'] },
      {
        status: 'cancelled',
        reason: 'time_limit',
        ...gone('paused', 'by', 'at'),
        ...NO_SLICE(0),
        ...NO_SLICE(1),
      },
    ],
  ],
  filled: [
    [
      'no slice and no pause is left',
      {},
      {
        status: 'filled',
        reason: 'filled',
        ...gone('paused', 'by', 'at'),
        ...NO_SLICE(0),
        ...NO_SLICE(1),
      },
    ],
  ],
  rfq_skipped: [],
  rfq_intended: [
    [
      'accepts of those before count on, and nothing else of them stays',
      {
        number: 3,
        rfqLabel: 'tw1-new',
        legs: [{ leg: 0, quantity: '9', hedgePrice: '77' }],
        validUntil: at(9_500),
        endsAt: at(9_900),
      },
      {
        'rfq.number': '3',
        'rfq.label': 'tw1-new',
        'rfq.stage': 'sending',
        'rfq.parts.0.quantity': '9',
        'rfq.parts.0.hedgePrice': '77',
        'rfq.parts.0.ratio': null,
        ...gone('rfq.parts.1', 'leg', 'quantity'),
        'rfq.intendedAt': '+9000',
        'rfq.validUntil': '+9500',
        'rfq.endsAt': '+9900',
        ...gone('rfq', 'retryAt', 'absentSince', 'id', 'quantity'),
        ...NO_BEST,
        ...NO_ACCEPT,
        ...NO_RFQ_CANCEL,
      },
    ],
  ],
  rfq_refused: [
    [
      'for now',
      { number: 2, code: 1, message: '', retryAt: at(9_300) },
      { 'rfq.stage': 'refused', 'rfq.retryAt': '+9300', ...NO_RFQ_CANCEL },
    ],
    [
      'for good',
      { number: 2, code: 1, message: '' },
      { 'rfq.stage': 'over', 'rfq.outcome': 'refused', 'rfq.overAt': '+9000' },
    ],
  ],
  rfq_unknown: [['the stage alone', { number: 2, reason: '' }, { 'rfq.stage': 'unknown' }]],
  rfq_absent: [['a second time keeps the first', { number: 2 }, {}]],
  rfq_opened: [
    [
      'the ratios of the legs it names',
      { number: 2, rfqId: 'r2', quantity: '10', ratios: [{ leg: 1, ratio: '4' }] },
      { 'rfq.id': 'r2', 'rfq.quantity': '10', 'rfq.absentSince': null, 'rfq.parts.1.ratio': '4' },
    ],
  ],
  rfq_quoted: [
    [
      'another best offer',
      { number: 2, price: '-6', makers: 3, isWhole: false },
      { 'rfq.best.price': '-6', 'rfq.best.makers': '3', 'rfq.best.isWhole': 'false' },
    ],
    ['no offer any more', { number: 2, makers: 0, isWhole: false }, NO_BEST],
  ],
  rfq_accept_intended: [
    [
      'one more accept',
      { number: 2, accept: 4, price: '-7', labels: [LABEL, EARLIER], validUntil: at(9_600) },
      {
        'rfq.accepts': '4',
        'rfq.accept.number': '4',
        'rfq.accept.price': '-7',
        'rfq.accept.labels.1': EARLIER,
        'rfq.accept.validUntil': '+9600',
      },
    ],
  ],
  rfq_accept_refused: [
    [
      'the offer is gone with it',
      { number: 2, accept: 3, code: 1, message: '' },
      { ...NO_ACCEPT, ...NO_BEST },
    ],
  ],
  rfq_accept_unknown: [
    ['it may trade', { number: 2, accept: 3, reason: '' }, { 'rfq.accept.state': 'unknown' }],
  ],
  rfq_cancel_intended: [
    [
      'the reason and the next try',
      { number: 2, reason: 'paused', retryAt: at(9_700) },
      { 'rfq.cancel.reason': 'paused', 'rfq.cancel.retryAt': '+9700' },
    ],
  ],
  rfq_over: [
    [
      'nothing is open of it',
      { number: 2, outcome: 'traded', price: '-5.5' },
      {
        'rfq.stage': 'over',
        'rfq.outcome': 'traded',
        'rfq.price': '-5.5',
        'rfq.overAt': '+9000',
        ...NO_ACCEPT,
        ...NO_BEST,
        ...NO_RFQ_CANCEL,
      },
    ],
  ],
};

const ROWS = Object.entries(TABLE).flatMap(([kind, rows]) =>
  (rows as readonly Row<EventKind>[]).map((row) => ({ kind, row, what: row[0] })),
);

describe('the state after one event', () => {
  test.each(ROWS)('$kind changes what it says and nothing else: $what', ({ kind, row }) => {
    const [, fields, changes, from = (state: PortfolioState) => state] = row;
    const before = from(taken());
    const after = evolve(before, { kind, at: AT, ...fields } as PortfolioEvent);
    expect(changed(before, after)).toEqual(changes);
    expect([after.version, after.updatedAt]).toEqual([41, AT]);
  });
});

// The residual of a portfolio as a Block RFQ: requested once, accepted at most once at a time, booked leg by leg,
// cancelled on cancel, pause or halt; the fallback action takes what it leaves.
import { describe, expect, test } from 'vitest';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { halt } from '../../conformance/switch-records.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { type Offer, type RfqMishap, ScriptRfqs } from '../../support/engine/script-rfqs.ts';

const PERP = perpetual();
const CALL = option();
const HIGH = option({ name: 'BTC-25DEC26-120000-C' as Instrument['name'] });

/** Rests far from the market and never fills. */
const resting = (at: string, priceIn: string) =>
  ({ priceType: 'limit', price: price(at), priceIn }) as const;
const IDLE = legForm({ priceOptions: resting('90000', 'USD') });
const idleOption = (of: Instrument, side: 'buy' | 'sell', size: string) =>
  legForm({
    instrument: of.name,
    instrumentType: 'option',
    side,
    quantity: quantity(size),
    priceOptions: resting(side === 'buy' ? '0.0005' : '5', 'BTC'),
  });

type Rfq = NonNullable<PortfolioForm['execution']['rfq']>;

interface Stage {
  readonly world: World;
  readonly rfqs: ScriptRfqs;
  readonly portfolio: PortfolioId;
  readonly switches: TradingSwitches;
}

async function staged(
  rfq: Rfq = { limitBps: 10 },
  change: Partial<PortfolioForm> = {},
): Promise<Stage> {
  const clock = new VirtualClock(NOON);
  const rfqs = new ScriptRfqs(clock);
  const records = new MemorySwitchRecords();
  const switches = await TradingSwitches.open({ records, clock, observer: witness() });
  const w = world({ clock, rfqs, switches, instruments: [PERP, CALL, HIGH] });
  show(w);
  await w.engine.start();
  const asked = form({
    twapTrade: { durationSec: 10, frequencySec: 5 },
    legs: [IDLE],
    execution: { endAction: 'rfq', rfq },
    ...change,
  });
  return { world: w, rfqs, switches, portfolio: await submitted(w, asked) };
}

function show(w: World): void {
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  w.venue.show(quote(CALL, [0.049, 0.051]));
  w.venue.show(quote(HIGH, [0.019, 0.021]));
}

/** Lets time pass with fresh quotes. */
async function pass(w: World, forMs: number): Promise<void> {
  for (let past = 0; past < forMs; past += 1_000) {
    show(w);
    await w.run(1_000);
  }
}

const kinds = (w: World): string[] =>
  w.observer.events.map(({ kind }) => kind).filter((kind) => kind.startsWith('rfq_'));

const told = <K extends string>(w: World, kind: K) =>
  w.observer.events.filter((event) => event.kind === kind);

const info = async ({ world: w, portfolio }: Stage) => await w.operations.info(portfolio);
const at = (one: string, makers = 1): Offer => ({ price: price(one), makers });

/** Requested at 10 s; quotes are seen from 15 s and accepted from 20 s; the RFQ is cancelled at 40 s. */
const BEFORE_QUOTES = 12_000;

describe('a residual RFQ that trades', () => {
  test('a residual RFQ is for the whole, accepts the best quote within the limit, and books its fees', async () => {
    const stage = await staged();
    const { world: w, rfqs } = stage;
    await pass(w, BEFORE_QUOTES);
    expect(rfqs.asked).toEqual(['create']);
    expect(rfqs.kept[0]?.record.label).toMatch(/^tw1-test-[0-9a-z]+-rfq-1$/);
    rfqs.offer = at('100050', 3);
    await pass(w, 12_000);
    expect(rfqs.asked).toEqual(['create', 'accept']);
    expect(await info(stage)).toMatchObject({
      status: 'filled',
      legs: [{ filled: '600', averagePrice: '100050', fees: [{ amount: '0.0003' }] }],
    });
    expect(kinds(w)).toEqual([
      'rfq_intended',
      'rfq_opened',
      'rfq_quoted',
      'rfq_accept_intended',
      'rfq_over',
    ]);
    expect(told(w, 'rfq_over')).toMatchObject([{ outcome: 'traded', price: '100050' }]);
    expect(w.observer.failures).toEqual([]);
  });

  test('a residual RFQ collects quotes for the given time and then accepts the best one', async () => {
    const { world: w, rfqs } = await staged({ limitBps: 10, collectMs: 20_000, waitMs: 60_000 });
    rfqs.offer = at('100010');
    await pass(w, 29_000);
    expect(rfqs.asked).toEqual(['create']);
    rfqs.offer = at('100002');
    await pass(w, 3_000);
    expect(told(w, 'rfq_over')).toMatchObject([{ outcome: 'traded', price: '100002' }]);
  });

  test('a residual RFQ with wholeOnly waits for a quote that a single maker offers for the whole', async () => {
    const { world: w, rfqs } = await staged({ limitBps: 10, wholeOnly: true });
    rfqs.offer = at('100001', 2);
    await pass(w, 30_000);
    expect(rfqs.asked).toEqual(['create']);
    rfqs.offer = { ...at('100003'), isWhole: true };
    await pass(w, 3_000);
    expect(told(w, 'rfq_over')).toMatchObject([{ outcome: 'traded', price: '100003' }]);
  });

  test.each([
    { what: 'a buyer at most', side: 'buy', limit: '99000', offers: ['99000.5', '99000'] },
    { what: 'a seller at least', side: 'sell', limit: '101000', offers: ['-100999.5', '-101000'] },
  ] as const)(
    'a residual RFQ accepts within its own limit price only: $what',
    async ({ side, limit, offers: [worse, good] }) => {
      const idle = legForm({
        side,
        priceOptions: resting(side === 'buy' ? '90000' : '110000', 'USD'),
      });
      const { world: w, rfqs } = await staged({ limitPrice: price(limit) }, { legs: [idle] });
      rfqs.offer = at(worse);
      await pass(w, 30_000);
      expect(rfqs.asked).toEqual(['create']);
      rfqs.offer = at(good);
      await pass(w, 3_000);
      expect(told(w, 'rfq_over')).toMatchObject([{ outcome: 'traded', price: good }]);
    },
  );

  test('a residual RFQ is for the remaining quantity only', async () => {
    const stage = await staged(
      { limitBps: 10 },
      { legs: [legForm({ priceOptions: resting('100000', 'USD') })] },
    );
    const { world: w, rfqs } = stage;
    await w.run(4_000);
    // From here on the market is above the limit of the leg.
    for (let past = 4; past < 12; past += 1) {
      w.venue.show(quote(PERP, [100_010, 100_020]));
      await w.run(1_000);
    }
    expect(rfqs.kept[0]?.record.quantity.toString()).toBe('300');
    rfqs.offer = at('100000');
    await pass(w, 12_000);
    expect(await info(stage)).toMatchObject({ status: 'filled', legs: [{ filled: '600' }] });
    expect(text(w.venue.filled(PERP.name))).toBe('300');
  });

  test('several legs form one structure, limited by their combined value', async () => {
    const legs = [idleOption(CALL, 'buy', '50'), idleOption(HIGH, 'sell', '100')];
    const stage = await staged({ limitBps: 100 }, { legs });
    const { world: w, rfqs } = stage;
    await pass(w, BEFORE_QUOTES);
    expect(rfqs.kept[0]?.record.legs.map(({ ratio }) => ratio.toString())).toEqual(['1', '2']);
    // 0.05 − 2 × 0.02 = 0.01 at the mark price; one percent of 0.05 + 0.04 is 0.0009.
    rfqs.offer = at('0.011');
    await pass(w, 18_000);
    expect(rfqs.asked).toEqual(['create']);
    rfqs.offer = at('0.0109', 2);
    await pass(w, 3_000);
    expect(await info(stage)).toMatchObject({
      status: 'filled',
      legs: [{ filled: '50' }, { filled: '100' }],
    });
    expect(told(w, 'rfq_accept_intended')).toMatchObject([{ price: '0.0109', limit: '0.0109' }]);
  });

  test('a residual RFQ of options includes the hedge, sized to the options, at the mark price', async () => {
    const hedge = legForm({ side: 'sell', quantity: quantity('2000'), hedge: true });
    const stage = await staged({ limitBps: 100 }, { legs: [idleOption(CALL, 'buy', '50'), hedge] });
    const { world: w, rfqs } = stage;
    await pass(w, BEFORE_QUOTES);
    expect(rfqs.kept[0]?.record).toMatchObject({
      legs: [{ side: 'buy' }],
      hedge: { side: 'sell' },
    });
    expect(rfqs.kept[0]?.record.hedge?.quantity.toString()).toBe('2000');
    expect(rfqs.kept[0]?.record.hedge?.price.toString()).toBe('100000');
    rfqs.offer = at('0.05', 3);
    await pass(w, 12_000);
    expect(await info(stage)).toMatchObject({
      status: 'filled',
      legs: [{ filled: '50' }, { filled: '2000', averagePrice: '100000' }],
    });
  });
});

test('the plan describes the residual RFQ and warns if the block limit would block it', async () => {
  const { world: w } = await staged();
  const legs = [idleOption(CALL, 'buy', '50'), legForm({ side: 'sell', hedge: true })];
  const rfq = { limitBps: 25, fallback: 'market', makers: ['M1', 'M2'] } as const;
  const planned = async (of: World) => {
    const asked = form({ legs, execution: { endAction: 'rfq', rfq } });
    const outcome = await of.operations.plan(asked, BY);
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    return outcome.value.verdict?.findings.filter(({ about }) => about === 'end');
  };
  const note =
    'the residual, at most buy 50 BTC-25DEC26-100000-C + sell 600 BTC-PERPETUAL as the hedge, is sent ' +
    'to M1, M2 as one Block RFQ; the best quote within 25 bps of the mark is accepted until ' +
    '2026-11-20T12:01:30.000Z, then market';
  expect(await planned(w)).toEqual([{ kind: 'note', about: 'end', message: note }]);

  const clock = new VirtualClock(NOON);
  const settings = { blockUsdMax: money('1000000') };
  const rfqs = new ScriptRfqs(clock);
  const small = world({ clock, rfqs, settings, instruments: [PERP, CALL, HIGH] });
  show(small);
  expect(await planned(small)).toMatchObject([
    { kind: 'note' },
    { kind: 'warning', leg: 0, message: expect.stringContaining('5000000 USD') },
  ]);
});

describe('a residual RFQ that does not trade', () => {
  test.each([
    { fallback: 'cancel', status: 'cancelled', filled: '0' },
    { fallback: 'market', status: 'filled', filled: '600' },
    { fallback: 'sweep', status: 'filled', filled: '600' },
  ] as const)(
    'a residual RFQ without an acceptable quote is left to the fallback: $fallback',
    async ({ fallback, status, filled }) => {
      const stage = await staged({ limitBps: 1, fallback });
      const { world: w, rfqs } = stage;
      rfqs.offer = at('100200');
      await pass(w, 45_000);
      expect(rfqs.asked).toEqual(['create', 'cancel']);
      expect(rfqs.open).toEqual([]);
      expect(told(w, 'rfq_over')).toMatchObject([{ outcome: 'cancelled' }]);
      expect(await info(stage)).toMatchObject({ status, legs: [{ filled }] });
      expect(text(w.venue.filled(PERP.name))).toBe(filled);
    },
  );

  test('a residual RFQ is not requested again after a definite refusal', async () => {
    const stage = await staged({ limitBps: 10, fallback: 'market' });
    stage.rfqs.mishaps.push({ code: 10002 });
    await pass(stage.world, 14_000);
    expect(stage.rfqs.asked).toEqual(['create']);
    expect(await info(stage)).toMatchObject({ status: 'filled' });
  });

  test('a residual RFQ is requested again under another label after a temporary refusal', async () => {
    const stage = await staged();
    stage.rfqs.mishaps.push({ code: 10041 }, { code: 10041 });
    await pass(stage.world, 16_000);
    expect(stage.rfqs.asked).toEqual(['create', 'create', 'create']);
    expect(stage.rfqs.kept.map(({ record }) => record.label)).toEqual([
      expect.stringMatching(/-rfq-3$/),
    ]);
  });

  test('a quote that is gone when it is accepted does no harm: the next one is accepted', async () => {
    const stage = await staged();
    stage.rfqs.offer = at('100010');
    await pass(stage.world, 15_000);
    stage.rfqs.mishaps.push({ code: 13907 });
    await pass(stage.world, 8_000);
    expect(stage.rfqs.asked).toEqual(['create', 'accept', 'accept']);
    expect(await info(stage)).toMatchObject({ status: 'filled', legs: [{ filled: '600' }] });
  });
});

describe('a missing reply to a residual RFQ request', () => {
  interface Case {
    readonly what: string;
    readonly create?: RfqMishap;
    readonly accept?: RfqMishap;
    readonly status: string;
    readonly outcome: string;
  }
  test.each([
    { what: 'create, done', create: 'lose_reply', status: 'filled', outcome: 'traded' },
    { what: 'create, lost', create: 'lose_request', status: 'cancelled', outcome: 'unsent' },
    { what: 'create, late', create: { lateMs: 1_500 }, status: 'filled', outcome: 'traded' },
    { what: 'create, too late', create: { lateMs: 9_000 }, status: 'cancelled', outcome: 'unsent' },
    { what: 'accept, done', accept: 'lose_reply', status: 'filled', outcome: 'traded' },
    { what: 'accept, lost', accept: 'lose_request', status: 'cancelled', outcome: 'cancelled' },
    { what: 'accept, late', accept: { lateMs: 3_000 }, status: 'cancelled', outcome: 'cancelled' },
  ] satisfies Case[])(
    'a missing reply ($what) leaves one RFQ and books nothing twice',
    async ({ create, accept, status, outcome }: Case) => {
      const stage = await staged();
      const { world: w, rfqs } = stage;
      rfqs.mishaps.push(create, accept);
      rfqs.offer = at('100010');
      await pass(w, 60_000);
      expect(rfqs.asked.filter((method) => method === 'create')).toHaveLength(1);
      expect(rfqs.asked.filter((method) => method === 'accept').length).toBeLessThan(2);
      expect(rfqs.open).toEqual([]);
      expect(told(w, 'rfq_over')).toMatchObject([{ outcome }]);
      const filled = status === 'filled' ? '600' : '0';
      expect(await info(stage)).toMatchObject({ status, legs: [{ filled }] });
      expect(text(rfqs.filled(PERP.name))).toBe(filled);
      expect(told(w, 'assumption_broken')).toEqual([]);
    },
  );

  test('the quantity stays outstanding while the venue is silent, and is resolved afterwards', async () => {
    const stage = await staged({ limitBps: 10, fallback: 'market' });
    const { world: w, rfqs } = stage;
    rfqs.offer = at('100010');
    await pass(w, 18_000);
    rfqs.mishap = () => 'lose_request';
    rfqs.mishaps.push('lose_reply');
    rfqs.isMute = true;
    await pass(w, 120_000);
    expect(await info(stage)).toMatchObject({ status: 'active', legs: [{ outstanding: '600' }] });
    rfqs.isMute = false;
    await pass(w, 20_000);
    expect(await info(stage)).toMatchObject({ status: 'filled', legs: [{ filled: '600' }] });
    expect(text(w.venue.filled(PERP.name))).toBe('0');
  });
});

describe('events that stop a residual RFQ', () => {
  test.each(['cancel', 'pause'] as const)(
    'a %s cancels the residual RFQ, and nothing follows',
    async (by) => {
      const stage = await staged({ limitBps: 10, fallback: 'market' });
      const { world: w, rfqs, portfolio } = stage;
      await pass(w, BEFORE_QUOTES);
      rfqs.offer = at('100010');
      await w.operations[by](portfolio, BY);
      await pass(w, 30_000);
      expect(rfqs.asked).toEqual(['create', 'cancel']);
      const reason = by === 'cancel' ? 'user_request' : 'time_limit';
      expect(await info(stage)).toMatchObject({
        status: 'cancelled',
        reason,
        legs: [{ filled: '0' }],
      });
      expect(text(w.venue.filled(PERP.name))).toBe('0');
    },
  );

  test('a halt cancels the residual RFQ, and none is requested if the halt is already in force', async () => {
    const { world: w, rfqs, switches } = await staged({ limitBps: 10, fallback: 'market' });
    await pass(w, BEFORE_QUOTES);
    rfqs.offer = at('100010');
    await switches.set(halt({ scope: 'deployment', of: '', state: 'halted', at: w.clock.now() }));
    await pass(w, 60_000);
    expect(rfqs.asked).toEqual(['create', 'cancel']);
    expect(told(w, 'rfq_cancel_intended')).toMatchObject([{ reason: 'halted' }]);
    expect(text(w.venue.filled(PERP.name))).toBe('0');

    const before = await staged();
    await pass(before.world, 5_000);
    await before.switches.set(halt({ scope: 'deployment', of: '', state: 'reducing', at: NOON }));
    await pass(before.world, 60_000);
    expect(before.rfqs.asked).toEqual([]);
    expect(told(before.world, 'rfq_skipped')).toMatchObject([{ why: 'halted' }]);
  });

  test.each([
    { first: 'the cancel', accept: { slowMs: 300 }, cancel: undefined, filled: '0' },
    { first: 'the accept', accept: { slowMs: 300 }, cancel: { slowMs: 900 }, filled: '600' },
  ])(
    'a cancel during an accept takes effect in the order of arrival at the venue: first $first',
    async (order) => {
      const stage = await staged();
      const { world: w, rfqs, portfolio } = stage;
      rfqs.offer = at('100010');
      await pass(w, 18_000);
      rfqs.mishaps.push(order.accept, order.cancel);
      for (let step = 0; step < 30 && rfqs.asked.length < 2; step += 1) await w.run(100);
      expect(rfqs.asked).toEqual(['create', 'accept']);
      await w.operations.cancel(portfolio, BY);
      await pass(w, 30_000);
      expect((await info(stage))?.legs[0]?.filled).toBe(order.filled);
      expect(text(rfqs.filled(PERP.name))).toBe(order.filled);
      expect(rfqs.open).toEqual([]);
    },
  );

  test('a manual accept of the residual RFQ fills the portfolio', async () => {
    const stage = await staged();
    const { world: w, rfqs } = stage;
    await pass(w, BEFORE_QUOTES);
    const [kept] = rfqs.kept;
    if (kept !== undefined) rfqs.trade(kept, at('100400', 2));
    await pass(w, 5_000);
    expect(await info(stage)).toMatchObject({
      status: 'filled',
      legs: [{ filled: '600', averagePrice: '100400' }],
    });
    expect(told(w, 'assumption_broken')).toEqual([]);
  });

  test('a residual RFQ presumed not sent that appears after all is cancelled', async () => {
    const stage = await staged();
    const { world: w, rfqs } = stage;
    rfqs.mishaps.push({ lateMs: 20_000 });
    await pass(w, 25_000);
    expect(await info(stage)).toMatchObject({ status: 'cancelled' });
    await pass(w, 10_000);
    rfqs.notify();
    await pass(w, 2_000);
    expect(rfqs.asked).toEqual(['create', 'cancel']);
    expect(rfqs.open).toEqual([]);
  });

  test('a residual RFQ that an earlier process has given up is cancelled', async () => {
    const { world: w, rfqs, portfolio } = await staged();
    rfqs.mishaps.push({ lateMs: 40_000 });
    await pass(w, 25_000);
    w.engine.stop();
    const again = world({ ...w, rfqs, instruments: [PERP, CALL, HIGH] });
    await again.engine.start();
    expect(again.engine.turns.peek(portfolio)).toBeUndefined();
    await pass(again, 30_000);
    expect(rfqs.asked).toEqual(['create', 'cancel']);
    expect(rfqs.open).toEqual([]);
  });

  test('after a downtime far beyond the end, no residual RFQ is requested', async () => {
    const { world: w, rfqs } = await staged();
    await w.run(4_000);
    w.engine.stop();
    await w.run(3_600_000);
    const again = world({ ...w, rfqs, instruments: [PERP, CALL, HIGH] });
    show(again);
    await again.engine.start();
    await pass(again, 5_000);
    expect(rfqs.asked).toEqual([]);
    expect(told(again, 'rfq_skipped')).toMatchObject([{ why: 'late' }]);
  });
});

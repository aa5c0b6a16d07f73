// Smart Balance through the engine: the process dies at every await and is restarted; cancel, dummy accounts, news
// and the record of a portfolio with parts.

import { describe, expect, test } from 'vitest';
import { nextSliceAt } from '../../../src/core/portfolio/next-wake.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { ImbalanceReport } from '../../../src/engine/imbalance-report.ts';
import { portfolioRecord } from '../../../src/gateway/portfolios/portfolio-record.ts';
import { observing } from '../../../src/ports/observer.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { accountId, type PortfolioId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { type Life, life } from '../../support/daemon/mortal.ts';
import {
  BalanceRun,
  balanceForm,
  CALL,
  COIN,
  callLeg,
  coinLeg,
  PERP,
  perpLeg,
} from '../../support/engine/balance-run.ts';
import {
  BY,
  submitted,
  type World,
  type WorldParts,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, quote } from '../../support/engine/markets.ts';
import type { Mishap } from '../../support/engine/script-venue.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';

const atMid = (currency: string) =>
  ({
    priceOptions: {
      priceType: 'dynamic',
      price: price('100000'),
      priceIn: currency,
      dynamicPriceStrategy: 'mid',
      dynamicMs: 500,
    },
  }) as const;

/** A leading perpetual, a resting spot leg, and a hedge: three parts of two seconds. */
const FORM = balanceForm(
  [
    perpLeg({ quantity: quantity('300'), priority: true }),
    coinLeg({ quantity: quantity('0.03'), ...atMid('USDC') }),
    perpLeg({ quantity: quantity('150'), hedge: true }),
  ],
  { eachLimitMs: 2_000 },
);

const parts = (more: WorldParts = {}): WorldParts => ({ instruments: [PERP, COIN], ...more });

function show(w: World, at = 0): void {
  w.venue.show(quote(PERP, [99_999.5 + at, 100_000 + at]));
  w.venue.show(quote(COIN, [99_990 + at, 100_010 + at]));
}

async function live(w: World): Promise<void> {
  for (let step = 0; step < 12; step += 1) {
    show(w, step);
    await w.run(1_000);
  }
  await w.run(60_000);
}

interface Story {
  readonly world: World;
  readonly portfolio: PortfolioId;
  readonly died: Life;
}

/** Submits with a key like a client that retries, dies at the given await, restarts, and runs to the end. */
async function story(dieAt: number, mishaps: readonly Mishap[]): Promise<Story> {
  const died = life(dieAt);
  const first = world(parts({ life: died }));
  first.venue.mishaps.push(...mishaps);
  show(first);
  void first.engine.start().then(() => first.operations.submit(FORM, BY, 'story'));
  await first.run(100);
  for (let step = 0; step < 8 && !died.isDead; step += 1) {
    show(first, step);
    await first.run(1_000);
  }
  died.isDead = true;
  const { clock, ledger, venue } = first;
  const second = world(parts({ clock, ledger, venue }));
  void second.engine.start();
  await second.run(700);
  const again = await second.operations.submit(FORM, BY, 'story');
  if (again.kind === 'refused') throw new Error(JSON.stringify(again.rejections));
  await live(second);
  return { world: second, portfolio: again.value.portfolio, died };
}

async function expectWhole({ world: w, portfolio, died }: Story): Promise<void> {
  const at = `died ${died.where ?? 'later'}`;
  const info = await w.operations.info(portfolio);
  expect(info, at).toMatchObject({ status: 'filled', balance: { parts: 3, partsDone: 3 } });
  expect(
    info?.legs.map((leg) => leg.filled),
    at,
  ).toEqual(['300', '0.03', '150']);
  expect([text(w.venue.filled(PERP.name)), text(w.venue.filled(COIN.name))], at).toEqual([
    '450',
    '0.03',
  ]);
  const labels = w.venue.kept.map((kept) => kept.order.label);
  expect(new Set(labels).size, `${at}: one order per child`).toBe(labels.length);
  expect(
    w.venue.kept.every((kept) => kept.order.state !== 'open'),
    at,
  ).toBe(true);
  const broken = w.observer.events.filter((event) => event.kind === 'assumption_broken');
  expect([...broken, ...w.observer.failures], at).toEqual([]);
}

async function running(asked: PortfolioForm, more: WorldParts = {}) {
  const w = world(parts(more));
  show(w);
  const news: { readonly messageType: string; readonly portfolio: PortfolioId }[] = [];
  w.bus.subscribe((one) => news.push(one));
  await w.engine.start();
  const id = await submitted(w, asked);
  const told = (portfolio = id) =>
    news.filter((one) => one.portfolio === portfolio).map((one) => one.messageType);
  return { w, id, told };
}

describe('crashing at an await', () => {
  test('a run without a crash has enough awaits to make crashing at each of them worthwhile', async () => {
    const whole = await story(0, []);
    await expectWhole(whole);
    expect(whole.died.count).toBeGreaterThan(60);
  });

  test.each([
    { name: 'a clean venue', mishaps: [] },
    { name: 'a lost reply', mishaps: ['lose_reply'] },
    {
      name: 'a lost request and a refusal',
      mishaps: ['lose_request', { code: 10041, later: true }],
    },
  ] satisfies { name: string; mishaps: Mishap[] }[])(
    'a crash at any await, with $name, keeps totals exact and duplicates nothing',
    async ({ mishaps }) => {
      const { died: golden } = await story(0, mishaps);
      for (let at = 1; at <= golden.count; at += 1) await expectWhole(await story(at, mishaps));
    },
  );
});

describe('the imbalance report', () => {
  test('the imbalance is reported after fills and for each part, as a share of the bound and in delta', () => {
    const measured: {
      share: number;
      delta?: number | undefined;
      deltaBound?: number | undefined;
    }[] = [];
    const ended: { part: number; imbalance: number }[] = [];
    const run = new BalanceRun(balanceForm([perpLeg(), coinLeg(), callLeg()]));
    const venue = new ScriptVenue(new VirtualClock(NOON), []);
    venue.quote = (name) => run.desk.quotes.get(name);
    const report = new ImbalanceReport({
      venues: { forAccount: () => venue, all: () => [venue] },
      observer: observing({
        legs_measured: (one) => measured.push(one),
        part_ended: (one) => ended.push(one),
      }),
    });
    const reportFrom = (index: number) =>
      report.committed({ state: run.desk.state, events: run.desk.events.slice(index) });
    run.pass();
    reportFrom(0);
    for (const instrument of [CALL.name, PERP.name, COIN.name]) {
      const index = run.desk.events.length;
      run.serve(1, instrument);
      reportFrom(index);
    }
    expect(run.filled).toEqual(['330', '0.0033', '0.3']);
    // 0.3 calls of half a coin each, then 0.0033 more coins, then a perpetual of the same size against them.
    expect(measured.map(({ delta }) => delta?.toFixed(4))).toEqual(['0.1500', '0.1533', '0.0000']);
    // One lot of the calls remains, which cannot be divided by three.
    expect(measured.map(({ share }) => share)).toEqual([1, 1, expect.closeTo(0.0833, 4)]);
    for (const { delta = 0, deltaBound = 0 } of measured) {
      expect(Math.abs(delta)).toBeLessThanOrEqual(deltaBound);
    }
    expect(ended).toMatchObject([{ part: 0, imbalance: 1 }]);
  });
});

describe('a Smart Balance portfolio', () => {
  test('a Smart Balance portfolio runs as fast as its legs fill, and reports each part', async () => {
    const { w, id, told } = await running(balanceForm([perpLeg(), coinLeg()]));
    await w.run(1_000);
    const info = await w.operations.info(id);
    expect(info).toMatchObject({ status: 'filled', portfolioType: 'BALANCE' });
    expect(
      told().filter(
        (type) => type.startsWith('PORTFOLIO_PART_') && type !== 'PORTFOLIO_PART_FILLED',
      ),
    ).toEqual([0, 1, 2].flatMap(() => ['PORTFOLIO_PART_STARTED', 'PORTFOLIO_PART_DONE']));
    expect(told().at(-1)).toBe('PORTFOLIO_FILLED');
  });

  test("a Smart Balance record has parts, time and fees per currency in the interface's fields", async () => {
    const { w, id } = await running(balanceForm([perpLeg(), coinLeg()]));
    await w.run(1_000);
    const info = await w.operations.info(id);
    if (info === undefined) throw new Error('it is stored');
    const record = portfolioRecord(info, { describe: () => ({ name: 'main', exchange: 'PAPER' }) });
    expect(record.balanceTrade).toMatchObject({
      parts: 3,
      eachLimitMs: '10000',
      totalLimitMs: '0',
      totalEndAction: 1,
      totalMs: String(info.updatedAt - info.submittedAt),
    });
    const sums = new Map<string, number>();
    for (const leg of info.legs) {
      for (const { currency, amount } of leg.fees) {
        sums.set(currency, (sums.get(currency) ?? 0) + Number(amount));
      }
    }
    expect(record.balanceTrade?.fees.length).toBe(sums.size);
    for (const { fee, defaultPvCcy } of record.balanceTrade?.fees ?? []) {
      expect(Number(fee)).toBeCloseTo(sums.get(defaultPvCcy) ?? Number.NaN, 10);
    }
    expect(record.twapTrade).toBeUndefined();
  });

  test('an overdue part is chased, even by a process started later', async () => {
    const { w, id } = await running(balanceForm([perpLeg(), coinLeg(atMid('USDC'))]));
    await w.run(1_000);
    expect((await w.operations.info(id))?.legs.map((leg) => leg.filled)).toEqual(['330', '0']);
    w.engine.stop();
    const { clock, ledger, venue } = w;
    const second = world(parts({ clock, ledger, venue }));
    await second.engine.start();
    await second.run(8_900);
    expect((await second.operations.info(id))?.legs.map((leg) => leg.filled)).toEqual(['330', '0']);
    show(second);
    await second.run(1_000);
    expect((await second.operations.info(id))?.legs.map((leg) => leg.filled)).toEqual([
      '660',
      '0.0033',
    ]);
  });

  test('a Smart Balance portfolio is cancelled once, and its resting orders are cancelled', async () => {
    const { w, id, told } = await running(balanceForm([perpLeg(atMid('USD')), coinLeg()]));
    await w.run(3_000);
    expect(await w.operations.cancel(id, BY)).toMatchObject({ kind: 'done' });
    expect(await w.operations.cancel(id, BY)).toMatchObject({ kind: 'done' });
    await w.run(5_000);
    expect(await w.operations.info(id)).toMatchObject({
      status: 'cancelled',
      reason: 'user_request',
    });
    expect(told().filter((type) => type === 'PORTFOLIO_CANCELLING')).toHaveLength(1);
    expect(told().filter((type) => type === 'PORTFOLIO_CANCELLED')).toHaveLength(1);
    expect(w.venue.kept.every((kept) => kept.order.state !== 'open')).toBe(true);
  });

  test('a Smart Balance portfolio is mirrored into a dummy account', async () => {
    const asked = { ...balanceForm([perpLeg(), coinLeg()]), dummyAccounts: [accountId('20001')] };
    const { w, id } = await running(asked, { dummies: ['20001'] });
    await w.run(2_000);
    const info = await w.operations.info(id);
    const shadow = info && (await w.operations.info(info.mirrors[0] as PortfolioId));
    expect(shadow).toMatchObject({ status: 'filled', account: '20001', portfolioType: 'BALANCE' });
    expect(shadow?.balance).toMatchObject({ parts: 3, partsDone: 3 });
    expect(shadow?.legs.map((leg) => leg.filled)).toEqual(['1000', '0.01']);
  });

  test('a portfolio without time limit or fills is checked rarely, and continues once it fills', async () => {
    const limit = { priceType: 'limit', price: price('90000'), priceIn: 'USD' } as const;
    const { w, id } = await running(balanceForm([perpLeg({ priceOptions: limit })]));
    await w.run(1_000);
    const events = w.observer.events.length;
    await w.run(3_600_000);
    expect(w.observer.events.length - events).toBeLessThan(15);
    expect(await w.operations.info(id)).toMatchObject({ status: 'active' });
    w.venue.show(quote(PERP, [89_999, 89_999.5]));
    await w.run(5_000);
    expect(await w.operations.info(id)).toMatchObject({ status: 'filled' });
  });

  test('a paused portfolio without an end requests no wake-ups, and continues once resumed', async () => {
    const { w, id } = await running(balanceForm([perpLeg(atMid('USD')), coinLeg()]));
    await w.run(1_000);
    await w.operations.pause(id, BY);
    await w.run(2_000);
    const state = w.engine.turns.peek(id);
    expect(state && nextSliceAt(state)).toBeUndefined();
    expect(w.venue.kept.every((kept) => kept.order.state !== 'open')).toBe(true);
    await w.run(600_000);
    await w.operations.resume(id, BY);
    show(w);
    await w.run(1_000);
    w.venue.show(quote(PERP, [99_990, 99_990.5]));
    await w.run(5_000);
    const info = await w.operations.info(id);
    expect(Number(info?.balance?.partsDone)).toBeGreaterThan(0);
  });

  test('a Smart Balance plan lists the parts of each leg in proportion', async () => {
    const { w } = await running(FORM);
    const plan = await w.operations.plan(FORM, BY);
    if (plan.kind === 'refused') throw new Error(JSON.stringify(plan.rejections));
    expect(plan.value.legs.map((leg) => leg.slices)).toEqual([3, 3, 0]);
    expect(plan.value.slices.map(({ leg, quantity: size }) => `${leg}: ${size}`)).toEqual([
      '0: 100',
      '1: 0.01',
      '0: 100',
      '1: 0.01',
      '0: 100',
      '1: 0.01',
    ]);
  });
});

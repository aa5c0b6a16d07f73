// The verdict on a plan through the real engine and paper exchange: its estimates agree with the actual outcome.
import { afterEach, describe, expect, test } from 'vitest';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Settings } from '../../../src/core/terms/settings.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import type { PlanView } from '../../../src/engine/interface/operations.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { planRecord, planRecordSchema } from '../../../src/gateway/portfolios/plan-view.ts';
import { money, price, quantity, text, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryEventBus } from '../../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../../src/virtual/virtual-queue.ts';
import { BY, form, legForm, SETTINGS, settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const ACCOUNT = accountId('10001');
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function stage(settings: Partial<Settings> = {}) {
  const clock = new VirtualClock(NOON);
  const observer = witness();
  const fail = (error: unknown): void =>
    observer.observe({ event: 'failed', where: 'port', error });
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }],
    market: (bornAt) => seededMarket({ seed: 'verdict', startAt: bornAt }),
    quietWindows: [{ fromMs: 12 * 3_600_000 + 60_000, toMs: 12 * 3_600_000 + 3_540_000 }],
    onFault: fail,
  });
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const { engine, submission } = assembleEngine({
    ...ALONE,
    gate: unlimitedGate({ clock, observer }),
    clock,
    observer,
    ledger,
    limits: () => ({
      ...DEFAULT_SUBMIT_LIMITS,
      durationSecMin: 1,
      frequencySecMin: 1,
      dummyAccounts: new Set(),
    }),
    settings: { ...SETTINGS, ...settings },
    venues: { forAccount: () => venue, all: () => [venue] },
    bus: new MemoryEventBus(fail),
    queue: new VirtualQueue(clock, { onFault: fail }),
    sweepMs: 1_000,
    compareMs: 5_000,
    onBroken: fail,
  });
  const operations = new EngineOperations({ engine, submission, ledger, clock });
  await engine.start();
  closers.push(async () => {
    engine.stop();
    await venue.close();
  });
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  venue.watch(instrumentName('BTC-PERPETUAL'));
  await pass(3_000);
  return { operations, pass, engine };
}

type Stage = Awaited<ReturnType<typeof stage>>;

async function planned({ operations, pass }: Stage, asked: PortfolioForm): Promise<PlanView> {
  const answer = operations.plan(asked, BY);
  await pass(100);
  const outcome = await answer;
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
  return outcome.value;
}

const verdictOf = async (on: Stage, asked: PortfolioForm) =>
  must((await planned(on, asked)).verdict, 'a plan has a verdict');

describe('the verdict on a plan', () => {
  test('the verdict lists cost, fees, orders and margin, and has no findings against an ordinary plan', async () => {
    const on = await stage();
    const plan = await planned(on, form());
    const verdict = must(plan.verdict, 'a verdict');
    expect(verdict.canComplete).toBe(true);
    expect(verdict.findings).toEqual([]);
    const [leg] = verdict.legs;
    expect(leg?.costBps).toBeGreaterThan(0);
    expect(leg?.costBps).toBeLessThan(20);
    expect(text(leg?.beyondDepth ?? quantity('1'))).toBe('0');
    expect(verdict.orders).toEqual({ children: 6, mostAtOnce: 1, perSecond: 0 });
    const [margin] = verdict.margin;
    expect(margin?.currency).toBe('BTC');
    expect(toNumber(must(margin?.available, 'paper accounts tell'))).toBe(100);
    expect(() => planRecordSchema.parse(planRecord(plan))).not.toThrow();
  });

  test("the verdict's estimates match the actual fills while the market does not move", async () => {
    const on = await stage();
    const asked = form({
      twapTrade: { durationSec: 2, frequencySec: 1 },
      legs: [legForm({ quantity: quantity('40') })],
    });
    const [expected] = (await verdictOf(on, asked)).legs;
    const outcome = await on.operations.submit(asked, BY);
    if (outcome.kind === 'refused') throw new Error('refused');
    await on.pass(5_000);
    const done = must(await on.operations.info(outcome.value.portfolio), 'it is stored');
    expect(done.status).toBe('filled');
    const [leg] = done.legs;
    const off = Number(leg?.averagePrice) / toNumber(must(expected?.average, 'an average')) - 1;
    expect(Math.abs(off) * 10_000).toBeLessThan(5);
    const fee = Number(leg?.fees[0]?.amount);
    expect(fee / toNumber(must(expected, 'a leg').fee)).toBeCloseTo(1, 1);
  });

  test('insufficient margin is a fault in the verdict', async () => {
    const on = await stage();
    const verdict = await verdictOf(
      on,
      form({ legs: [legForm({ quantity: quantity('2000000000') })] }),
    );
    expect(verdict.canComplete).toBe(false);
    expect(verdict.findings.map(({ kind, about }) => `${kind} ${about}`)).toContain('fault margin');
    expect(verdict.findings.map(({ about }) => about)).toContain('depth');
  });

  test('the verdict notes orders that would rest and warns about slices that would wait', async () => {
    const on = await stage();
    const limited = legForm({
      priceOptions: { priceType: 'limit', price: price('1000'), priceIn: 'USD' },
    });
    const resting = await verdictOf(on, form({ legs: [limited] }));
    expect(resting.findings).toMatchObject([{ kind: 'note', leg: 0, about: 'price' }]);
    const waiting = await verdictOf(on, form({ execution: { spreadMaxBps: 0.000_001 } }));
    expect(waiting.findings).toMatchObject([{ kind: 'warning', message: /wide_spread/ }]);
    expect(waiting.legs[0]?.average).toBeUndefined();
  });

  test('a settlement during the schedule is a warning, and a note if blackout windows avoid it', async () => {
    const on = await stage();
    const overnight = { durationSec: 86_400, frequencySec: 3_600 };
    const verdict = await verdictOf(on, form({ twapTrade: overnight }));
    expect(verdict.findings).toMatchObject([{ kind: 'warning', about: 'settlement' }]);
    const kept = form({ twapTrade: overnight, execution: { avoidWindows: true } });
    expect((await verdictOf(on, kept)).findings).toMatchObject([
      { kind: 'note', about: 'settlement' },
    ]);
  });

  test('a participation limit on almost no volume is a fault in the verdict', async () => {
    const on = await stage();
    const verdict = await verdictOf(on, form({ execution: { participationMax: 0.000_000_1 } }));
    expect(verdict.findings).toMatchObject([{ kind: 'fault', leg: 0, about: 'participation' }]);
    expect(verdict.canComplete).toBe(false);
  });

  test('the verdict counts the orders of dynamic legs per second and at the same time', async () => {
    const on = await stage();
    const dynamic = legForm({
      priceOptions: {
        priceType: 'dynamic',
        price: price('100000'),
        priceIn: 'USD',
        dynamicPriceStrategy: 'mid',
        dynamicMs: 250,
      },
    });
    const verdict = await verdictOf(on, form({ legs: [dynamic, dynamic] }));
    expect(verdict.orders).toEqual({ children: 12, mostAtOnce: 2, perSecond: 8 });
  });
});

describe('findings that plan and submit both refuse', () => {
  const refusals = async (on: Stage, asked: PortfolioForm) => {
    const answers = [on.operations.plan(asked, BY), on.operations.submit(asked, BY)];
    await on.pass(100);
    return (await Promise.all(answers)).map((outcome) =>
      outcome.kind === 'refused' ? outcome.rejections.map(({ field }) => field) : 'accepted',
    );
  };

  test('plan and submit refuse slices worth more than the order limit', async () => {
    const on = await stage({ orderUsdMax: money('99') });
    const field = ['legs[0].quantity'];
    expect(await refusals(on, form())).toEqual([field, field]);
    const smaller = form({ legs: [legForm({ quantity: quantity('540') })] });
    expect(await refusals(on, smaller)).toEqual(['accepted', 'accepted']);
  });

  test('plan and submit refuse blackout windows that leave no slice to catch up in', async () => {
    const on = await stage();
    const twapTrade = { durationSec: 600, frequencySec: 100 };
    const execution = { avoidWindows: true, endAction: 'cancel' } as const;
    const field = ['execution.avoidWindows'];
    expect(await refusals(on, form({ twapTrade, execution }))).toEqual([field, field]);
    const swept = { ...execution, endAction: 'market' } as const;
    expect(await refusals(on, form({ twapTrade, execution: swept }))).toEqual([
      'accepted',
      'accepted',
    ]);
  });
});

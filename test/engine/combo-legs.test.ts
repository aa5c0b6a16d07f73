// Portfolios whose leg is a combo, on the paper venue in virtual time: worked in slices like any leg, filled in the legs
// of the combo at once.
import { afterEach, describe, expect, it } from 'vitest';
import { openPaperVenue } from '../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../src/adapters/paper/paper-venue.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../src/core/portfolio/admission/submit-limits.ts';
import type { PortfolioForm } from '../../src/core/terms/form.ts';
import { EngineOperations } from '../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../src/engine/assemble-engine.ts';
import { PositionAudit } from '../../src/engine/audit/audit-positions.ts';
import { VenueAudit } from '../../src/engine/audit/audit-venue.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { unlimitedGate } from '../../src/engine/risk/watch-gate.ts';
import { seededMarket } from '../../src/exchange/market/market.ts';
import { price, quantity, text } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, type PortfolioId, venueName } from '../../src/values/ids.ts';
import { later, SECOND_MS } from '../../src/values/instant.ts';
import type { Instrument, Side } from '../../src/values/instrument.ts';
import { MemoryEventBus } from '../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { VirtualQueue } from '../../src/virtual/virtual-queue.ts';
import { value } from '../conformance/venue-act.ts';
import { settle } from '../simulation/settle.ts';
import { BY, form, legForm, SETTINGS } from '../support/engine/engine-world.ts';
import { NOON } from '../support/engine/markets.ts';
import { witness } from '../support/engine/quiet-observer.ts';

const ACCOUNT = accountId('10001');

class ComboStage {
  readonly clock = new VirtualClock(NOON);
  readonly ledger = new MemoryLedger({ now: () => this.clock.now() });
  readonly seen = witness();
  readonly venue: PaperVenue;
  readonly engine: Engine;
  readonly operations: EngineOperations;

  constructor() {
    const { clock, ledger } = this;
    const fail = (error: unknown): void =>
      this.seen.observe({ event: 'failed', where: 'port', error });
    const venue = openPaperVenue({
      name: venueName('paper'),
      clock,
      accounts: [{ account: ACCOUNT }],
      onFault: fail,
      market: (bornAt) => seededMarket({ seed: 'combo legs', startAt: bornAt }),
    });
    this.venue = venue;
    const { engine, submission } = assembleEngine({
      ...ALONE,
      gate: unlimitedGate({ clock, observer: this.seen }),
      clock,
      ledger,
      settings: SETTINGS,
      observer: this.seen,
      queue: new VirtualQueue(clock, { onFault: fail }),
      bus: new MemoryEventBus(fail),
      venues: { forAccount: () => venue, all: () => [venue] },
      limits: () => ({
        ...DEFAULT_SUBMIT_LIMITS,
        durationSecMin: 1,
        frequencySecMin: 1,
        dummyAccounts: new Set(),
      }),
      sweepMs: 1_000,
      compareMs: 30_000,
      onBroken: fail,
    });
    this.engine = engine;
    this.operations = new EngineOperations({ engine, submission, ledger, clock });
  }

  async started(): Promise<void> {
    await this.venue.attach(ACCOUNT);
    await this.engine.start();
  }

  pass(forMs: number): Promise<void> {
    return this.clock.run(later(this.clock.now(), forMs), settle);
  }

  listed(kind: Instrument['kind']): readonly Instrument[] {
    return this.venue
      .instruments()
      .filter((one) => one.kind === kind && one.base === 'BTC' && one.marginKind === 'inverse');
  }

  async created(legs: readonly (readonly [Instrument, Side, string?])[]): Promise<Instrument> {
    const trades = legs.map(([{ name }, side, size]) => ({
      instrument: name,
      side,
      ...(size !== undefined && { quantity: quantity(size) }),
    }));
    return value(await this.venue.combos.create({ account: ACCOUNT, trades })).instrument;
  }

  async submitted(asked: PortfolioForm): Promise<PortfolioId> {
    const outcome = await this.operations.submit(asked, BY);
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    return outcome.value.portfolio;
  }

  async position({ name }: Pick<Instrument, 'name'>): Promise<string> {
    const all = value(await this.venue.positions({ account: ACCOUNT }));
    const own = all.find(({ instrument }) => instrument === name);
    return own === undefined ? '0' : text(own.quantity);
  }
}

/** A call spread near the money: two calls of one expiry. */
function calls(stage: ComboStage): readonly [Instrument, Instrument] {
  const all = stage
    .listed('option')
    .filter(({ option }) => option?.type === 'call')
    .toSorted((a, b) => (b.expiresAt ?? 0) - (a.expiresAt ?? 0));
  const last = all
    .filter(({ expiresAt }) => expiresAt === all[0]?.expiresAt)
    .toSorted((a, b) => Number(must(a.option, 'a').strike) - Number(must(b.option, 'b').strike));
  const middle = Math.floor(last.length / 2);
  return [must(last[middle], 'a call'), must(last[middle + 1], 'a higher call')];
}

let stage: ComboStage;
afterEach(async () => {
  await stage.venue.close();
});

describe('a leg that is a combo', () => {
  it('a call spread is bought in six slices without a moment at which one leg is ahead of the other', async () => {
    stage = new ComboStage();
    await stage.started();
    const [low, high] = calls(stage);
    const spread = await stage.created([
      [low, 'buy'],
      [high, 'sell'],
    ]);
    const leg = legForm({
      instrument: spread.name,
      instrumentType: 'option_combo',
      quantity: quantity('0.6'),
      priceOptions: { priceType: 'market' },
    });
    const portfolio = await stage.submitted(form({ legs: [leg] }));
    for (let second = 0; second < 70; second += 1) {
      await stage.pass(SECOND_MS);
      const [bought, sold] = [await stage.position(low), await stage.position(high)];
      expect(sold).toBe(bought === '0' ? '0' : `-${bought}`);
    }
    const info = must(await stage.operations.info(portfolio), 'a summary');
    expect(info).toMatchObject({
      status: 'filled',
      legs: [{ filled: '0.6', remaining: '0', kind: 'option_combo', slices: { placed: 6 } }],
    });
    expect(await stage.position(low)).toBe('0.6');
    expect(await stage.position(high)).toBe('-0.6');
  });

  it('a future spread with a negative price is sold at it, its average is the mean of its fills, and the audit of positions agrees', async () => {
    stage = new ComboStage();
    await stage.started();
    const nearest = stage
      .listed('future')
      .toSorted((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0));
    const [near, far] = [must(nearest[0], 'a future'), must(nearest.at(-1), 'a later future')];
    // One far future less two near ones: below zero in any market.
    const spread = await stage.created([
      [far, 'buy', '10'],
      [near, 'sell', '20'],
    ]);
    const baselines = {
      of: async () => undefined,
      put: async () => undefined,
      remove: async () => undefined,
    };
    const audit = new PositionAudit(stage.venue, ACCOUNT, {
      baselines,
      overlapMs: 1_000,
      graceMs: 0,
    });
    for (let second = 0; second < 4; second += 1) {
      await stage.pass(SECOND_MS);
      // The first position is agreed a second later.
      expect(await audit.check()).toEqual({ found: [], isAnswered: second > 0 });
    }
    stage.venue.watch(spread.name);
    await stage.pass(SECOND_MS);
    const mark = must(stage.venue.quote(spread.name)?.mark, 'a mark price');
    expect(Number(mark)).toBeLessThan(-10_000);
    const leg = legForm({
      instrument: spread.name,
      instrumentType: 'future_combo',
      side: 'sell',
      quantity: quantity('600'),
      priceOptions: {
        priceType: 'limit',
        price: price(String(Math.floor(Number(mark)) - 20)),
        priceIn: 'USD',
      },
    });
    const portfolio = await stage.submitted(form({ legs: [leg] }));
    await stage.pass(70 * SECOND_MS);
    const info = must(await stage.operations.info(portfolio), 'a summary');
    expect(info).toMatchObject({ status: 'filled', legs: [{ filled: '600', remaining: '0' }] });
    const trades = value(
      await stage.venue.trades({
        account: ACCOUNT,
        kinds: ['future_combo'],
        count: 100,
        sorting: 'asc',
      }),
    ).trades;
    expect(trades.map(({ quantity: size }) => text(size))).toEqual(Array(6).fill('100'));
    const sum = trades.reduce((all, one) => all + Number(one.price), 0);
    expect(Number(info.legs[0]?.averagePrice)).toBeCloseTo(sum / 6, 3);
    for (const one of spread.legs ?? []) {
      expect(await stage.position({ name: one.instrument })).toBe(String(-600 * one.ratio));
    }
    for (let second = 0; second < 3; second += 1) {
      expect(await audit.check()).toEqual({ found: [], isAnswered: true });
      await stage.pass(SECOND_MS);
    }
  });

  it('a trade of a combo that no portfolio has booked is found by the audit, once, and none of its legs', async () => {
    stage = new ComboStage();
    await stage.started();
    const [low, high] = calls(stage);
    const spread = await stage.created([
      [low, 'buy'],
      [high, 'sell'],
    ]);
    const handed: string[] = [];
    const audit = new VenueAudit(stage.venue, ACCOUNT, {
      deployment: SETTINGS.deployment,
      stateOf: async () => undefined,
      storedOf: async () => undefined,
      overlapMs: 1_000,
      lookBackMs: 0,
      isUnaccounted: () => false,
      durableTo: () => stage.clock.now(),
      now: () => stage.clock.now(),
      handOver: ({ instrument, quantity: size }) => handed.push(`${text(size)} ${instrument}`),
    });
    const leg = legForm({
      instrument: spread.name,
      instrumentType: 'option_combo',
      quantity: quantity('0.6'),
    });
    await stage.submitted(form({ legs: [leg] }));
    for (let second = 0; second < 8; second += 1) {
      await stage.pass(SECOND_MS);
      await audit.check();
    }
    expect(handed).toEqual([`0.1 ${spread.name}`]);
  });

  it('the plan of a combo has its cost, fee and margin, as they then are', async () => {
    stage = new ComboStage();
    await stage.started();
    const [low, high] = calls(stage);
    const spread = await stage.created([
      [low, 'buy'],
      [high, 'sell'],
    ]);
    stage.venue.watch(spread.name);
    await stage.pass(SECOND_MS);
    const leg = legForm({
      instrument: spread.name,
      instrumentType: 'option_combo',
      quantity: quantity('0.6'),
      priceOptions: { priceType: 'market' },
    });
    const planned = await stage.operations.plan(form({ legs: [leg] }), BY);
    if (planned.kind === 'refused') throw new Error(JSON.stringify(planned.rejections));
    const { legs, margin, findings } = must(planned.value.verdict, 'a verdict');
    const [estimate] = legs;
    const quote = must(stage.venue.quote(spread.name), 'a quote');
    const { mid, average, cost, fee } = must(estimate, 'an estimate');
    const [from, at] = [Number(must(mid, 'a mid')), Number(must(average, 'an average'))];
    expect(at).toBe(Number(must(quote.ask, 'an ask').price));
    expect(Number(must(cost, 'a cost'))).toBeCloseTo(0.6 * (at - from), 8);
    expect(findings.filter(({ about }) => about === 'margin')).toEqual([]);
    const [line] = margin;
    expect(line).toMatchObject({ currency: 'BTC' });
    const portfolio = await stage.submitted(form({ legs: [leg] }));
    await stage.pass(70 * SECOND_MS);
    const info = must(await stage.operations.info(portfolio), 'a summary');
    expect(info).toMatchObject({ status: 'filled' });
    const filter = {
      account: ACCOUNT,
      count: 100,
      sorting: 'asc',
      kinds: ['option_combo'],
    } as const;
    const { trades } = value(await stage.venue.trades(filter));
    const charged = trades.reduce((sum, one) => sum + Number(one.fee), 0);
    expect(Number(fee)).toBeCloseTo(charged, 6);
  });

  it('what a combo cannot do is refused by field', async () => {
    stage = new ComboStage();
    await stage.started();
    const [low, high] = calls(stage);
    const spread = await stage.created([
      [low, 'buy'],
      [high, 'sell'],
    ]);
    const refusals = async (
      change: Parameters<typeof legForm>[0],
      of: Partial<PortfolioForm> = {},
    ) => {
      const leg = legForm({
        instrument: spread.name,
        instrumentType: 'option_combo',
        quantity: quantity('0.6'),
        ...change,
      });
      const outcome = await stage.operations.submit(form({ legs: [leg], ...of }), BY);
      return outcome.kind === 'refused' ? outcome.rejections.map(({ field }) => field) : [];
    };
    const dynamic = {
      priceType: 'dynamic',
      price: price('0.001'),
      priceIn: 'BTC',
      dynamicMs: 1_000,
    } as const;
    const following = (dynamicPriceStrategy: 'model' | 'mark') => ({
      priceOptions: { ...dynamic, dynamicPriceStrategy },
    });
    expect(await refusals({ reduceOnly: true })).toEqual(['legs[0].reduceOnly']);
    expect(await refusals({ hedge: true })).toContain('legs[0].hedge');
    expect(await refusals(following('model'))).toEqual([
      'legs[0].priceOptions.dynamicPriceStrategy',
    ]);
    expect(
      await refusals({ priceOptions: { ...dynamic, priceType: 'limit', priceIn: 'IV' } }),
    ).toEqual(['legs[0].priceOptions.priceIn']);
    expect(
      await refusals({}, { execution: { endAction: 'rfq', rfq: { limitBps: 10 } } }),
    ).toContain('legs[0].instrument');
    const balanceTrade = {
      parts: 2,
      eachLimitMs: 5_000,
      totalLimitMs: 0,
      totalEndAction: 'cancel_remaining',
    } as const;
    const inParts = { portfolioType: 'BALANCE', twapTrade: undefined, balanceTrade, execution: {} };
    expect(await refusals({}, inParts)).toEqual(['legs[0].instrument']);
    expect(await refusals(following('mark'))).toEqual([]);
  });
});

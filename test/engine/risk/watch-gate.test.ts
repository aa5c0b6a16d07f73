// What the gate does beyond single orders: it pauses portfolios, halts strategies and blocks accounts.

import { describe, expect, it } from 'vitest';
import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import { ALONE } from '../../../src/engine/assemble-engine.ts';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import { MarketTrails } from '../../../src/engine/risk/market-trails.ts';
import { WatchedGate } from '../../../src/engine/risk/watch-gate.ts';
import type { Observation } from '../../../src/ports/observer.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, tradeId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import { BY, form, submitted, world } from '../../support/engine/engine-world.ts';
import { WIDE_LIMITS } from '../../support/engine/gate-orders.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';

const ACCOUNT = accountId('10001');
const PERP = perpetual();

/** Limits on portfolios only: the scripted venue reports no account data. */
async function stage(limits: Partial<ControlLimits>) {
  const clock = new VirtualClock(NOON);
  const venue = new ScriptVenue(clock, [PERP]);
  const refusals: Observation<'control_refused'>[] = [];
  const observer = witness({ control_refused: (one) => refusals.push(one) });
  const gate = new WatchedGate({
    ...ALONE,
    clock,
    observer,
    venues: { forAccount: () => venue, all: () => [venue] },
    limits: () => ({ version: '1-test', ...limits }),
  });
  const records = new MemorySwitchRecords();
  const switches = await TradingSwitches.open({ records, clock, observer });
  const w = world({ clock, venue, gate, switches, observer });
  await w.engine.start();
  venue.show({ ...quote(PERP, [99_990, 100_010]), instrument: PERP.name });
  return { w, gate, refusals, switches, clock, venue };
}

const named = { strategy: 'nightly' };

describe('PT-6: repeated execution', () => {
  it('PT-6: a portfolio is paused after repeated refusals by the venue, which an accepted order resets', async () => {
    const { w, refusals, venue } = await stage({ repeats: { executionsMax: 9, rejectsMax: 3 } });
    venue.mishap = () => ({ code: 10_009, later: true });
    const portfolio = await submitted(w, form());
    await w.run(20_000);
    const state = must(w.engine.turns.peek(portfolio), 'it is at work');
    expect(state.paused).toMatchObject({ by: 'control' });
    expect(refusals).toMatchObject([{ control: 'repeated_execution', portfolio }]);
    const rejected = w.observer.events.filter(({ kind }) => kind === 'child_rejected');
    expect(rejected).toHaveLength(3);
  });

  it('PT-6: a strategy at its last execution is halted until a person reactivates it', async () => {
    const { w, switches, clock, refusals } = await stage({
      repeats: { executionsMax: 2, rejectsMax: 9 },
    });
    for (let run = 0; run < 2; run += 1) {
      await submitted(w, form(named));
      await w.run(1_000);
    }
    expect(await w.operations.submit(form(named), BY)).toMatchObject({ kind: 'refused' });
    expect(switches.strictestFor({ account: ACCOUNT, ...named })).toMatchObject({
      state: 'halted',
      by: { uid: 'control' },
    });
    expect(refusals).toMatchObject([{ control: 'repeated_execution', stage: 'submit' }]);
    await submitted(w, form());
    const on = { scope: 'strategy', of: 'nightly', state: 'active', reason: 'looked' } as const;
    await switches.set({ ...on, by: BY, at: clock.now() });
    await submitted(w, form(named));
  });
});

describe('PT-5: what is used of the message budgets', () => {
  const messages = { shareOfVenue: 1, perSecond: 1, burst: 40, cancelReserve: 0.25 };

  it('PT-5: an account is listed with its own budget and its own limits at the venue, not those of others', async () => {
    const { gate, venue, clock } = await stage({ messages });
    const other = accountId('10002');
    const rateBudgets = () => [
      { bucket: 'messages' as const, account: ACCOUNT, tokens: 12.5, burst: 20 },
      { bucket: 'messages' as const, account: other, tokens: 1, burst: 20 },
      { bucket: 'questions' as const, tokens: 30, burst: 30 },
    ];
    Object.assign(venue, { rateBudgets });
    for (const _ of [1, 2]) gate.gate.count({ venue, account: ACCOUNT });
    const account = ACCOUNT;
    const unit = 'messages';
    expect(gate.limitUseOf(account, clock.now())).toEqual([
      { account, control: 'messages', unit, limit: '40', used: '2' },
      { account, control: 'venue_messages', unit, limit: '20', used: '8' },
      { account, control: 'venue_questions', unit, limit: '30', used: '0' },
    ]);
  });

  it('PT-5: an account without limits on messages has no such row', async () => {
    const { gate, clock } = await stage({});
    expect(gate.limitUseOf(ACCOUNT, clock.now())).toEqual([]);
  });
});

describe('PT-12: limits of strategies', () => {
  const strategy = {
    instrumentsMax: 1,
    usdMax: money('600'),
    slicesMax: 6,
    accounts: new Set(['*']),
  };

  it.each([
    ['within the limits', form(named), strategy, true],
    [
      'with one slice too many',
      form({ ...named, twapTrade: { durationSec: 70, frequencySec: 10 } }),
      strategy,
      false,
    ],
    ['worth too much', form(named), { ...strategy, usdMax: money('599') }, false],
    [
      'on an account that is not listed',
      form(named),
      { ...strategy, accounts: new Set(['10002']) },
      false,
    ],
    ['on a listed account', form(named), { ...strategy, accounts: new Set(['10001']) }, true],
    ['without a strategy', form(), { ...strategy, usdMax: money('1') }, true],
  ])(
    'PT-12: only an allowed portfolio of a strategy is admitted: %s',
    async (_, asked, limits, isAdmitted) => {
      const { w, refusals } = await stage({ strategy: limits });
      const { kind } = await w.operations.submit(asked, BY);
      expect(kind).toBe(isAdmitted ? 'done' : 'refused');
      expect(refusals.map(({ control }) => control)).toEqual(isAdmitted ? [] : ['strategy_limits']);
    },
  );
});

describe('PT-12: amendments of a strategy', () => {
  it('PT-12: an amendment beyond the limits of strategies is refused and counted, also as a preview', async () => {
    const limits = {
      instrumentsMax: 1,
      usdMax: money('600'),
      slicesMax: 6,
      accounts: new Set(['*']),
    };
    const { w, refusals } = await stage({ strategy: limits });
    const portfolio = await submitted(w, form(named));
    const legs = [{ leg: 0, quantity: quantity('610'), filledSeen: quantity('0') }];
    for (const isPreview of [true, false]) {
      const answer = await w.operations.amend({ portfolio, form: { legs }, isPreview, by: BY });
      expect(answer).toMatchObject({ rejections: [{ kind: 'risk_limit', field: 'strategy' }] });
    }
    expect(refusals.map(({ control }) => control)).toEqual(['strategy_limits', 'strategy_limits']);
    const less = [{ leg: 0, quantity: quantity('500'), filledSeen: quantity('0') }];
    const answer = await w.operations.amend({
      portfolio,
      form: { legs: less },
      isPreview: false,
      by: BY,
    });
    expect(answer).toMatchObject({ kind: 'done' });
  });
});

describe('PT-20: slippage of an account', () => {
  it('PT-20: a portfolio is refused on an account that has lost too much, and on that one only', async () => {
    const { w, gate, refusals } = await stage({
      slippageUsdMax: new Map([
        ['10001', money('1000')],
        ['*', money('1000')],
      ]),
    });
    // Not read yet: the scripted venue has no account data.
    expect(await w.operations.submit(form(), BY)).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'unavailable', field: 'accountId' }],
    });
    gate.accounts.lossUsd = (account) => money(account === ACCOUNT ? '1000.01' : '0');
    expect(await w.operations.submit(form(), BY)).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'risk_limit', field: 'accountId' }],
    });
    expect(refusals).toMatchObject([
      { control: 'slippage', stage: 'submit' },
      { control: 'slippage', stage: 'submit' },
    ]);
    await submitted(w, form({ accountId: accountId('10002') }));
  });
});

describe('PT-2: price drift', () => {
  it('PT-2: a portfolio whose fills have drifted is paused, identified by the label of the fill', async () => {
    const drift = { windowMs: 60_000, bps: 100, optionBps: 100 };
    const { w, gate, refusals, venue } = await stage({ drift });
    const portfolio = await submitted(w, form());
    await w.run(5_000);
    // Not read yet: the scripted venue has no account data.
    expect(w.venue.kept).toEqual([]);
    expect(refusals[0]).toMatchObject({ control: 'price_drift', stage: 'child', portfolio });
    refusals.length = 0;
    gate.accounts.viewOf = (account) => gate.accounts.sentFor(account);
    await w.run(5_000);
    const child = must(w.venue.kept[0], 'a child was sent').order;
    const { label, orderId } = child;
    const told = { label, orderId, account: ACCOUNT, instrument: PERP.name, side: 'buy' } as const;
    const trade = { ...told, quantity: quantity('10'), markPrice: price('100000'), at: NOON };
    const isPaused = async (id: string, at: string): Promise<boolean> => {
      gate.accounts.recordTrade(venue, { ...trade, tradeId: tradeId(id), price: price(at) });
      await w.run(100);
      return w.engine.turns.peek(portfolio)?.paused !== undefined;
    };
    expect(await isPaused('x1', '101000')).toBe(false);
    expect(await isPaused('x2', '101002')).toBe(true);
    expect(refusals).toMatchObject([{ control: 'price_drift', portfolio, leg: 0 }]);
  });
});

describe('PT-13: market moves', () => {
  it('PT-13: followed markets are sampled, and markets without followers are dropped', () => {
    const clock = new VirtualClock(NOON);
    const venue = new ScriptVenue(clock, [PERP]);
    const market = must(WIDE_LIMITS.market, 'limits of markets');
    const trails = new MarketTrails({ clock, limits: () => ({ ...WIDE_LIMITS, market }) });
    trails.start();
    const stops = [trails.follow(venue, PERP.name), trails.follow(venue, PERP.name)];
    const show = (middle: number): void => {
      venue.show({ ...quote(PERP, [middle - 10, middle + 10]), instrument: PERP.name });
      trails.sample();
    };
    show(100_000);
    expect(trails.unrest(venue, PERP.name, NOON)).toBeUndefined();
    show(111_000);
    expect(trails.unrest(venue, PERP.name, NOON)?.why).toContain('100000 to 111000');
    stops.pop()?.();
    show(111_000);
    expect(trails.unrest(venue, PERP.name, NOON)?.why).toContain('100000 to 111000');
    stops.pop()?.();
    expect(trails.unrest(venue, PERP.name, NOON)).toBeUndefined();
    trails.follow(venue, PERP.name);
    show(111_000);
    expect(trails.unrest(venue, PERP.name, NOON)).toBeUndefined();
    trails.stop();
  });
});

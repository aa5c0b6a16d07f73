// Windows, trips, freezes and resets of market-maker protection.
import { describe, expect, test } from 'vitest';
import { decideMmp } from '../../../src/core/mmp/decide-mmp.ts';
import { foldMmp } from '../../../src/core/mmp/evolve-mmp.ts';
import type { MmpCommand } from '../../../src/core/mmp/mmp-command.ts';
import type { MmpConfig, MmpKind } from '../../../src/core/mmp/mmp-config.ts';
import type { MmpEvent } from '../../../src/core/mmp/mmp-event.ts';
import { exposureOf } from '../../../src/core/mmp/mmp-exposure.ts';
import { mmpFromRecord, mmpToRecord } from '../../../src/core/mmp/mmp-record.ts';
import { EMPTY_MMP, frozenGroup, groupOf, type MmpPlace } from '../../../src/core/mmp/mmp-state.ts';
import { money, price, quantity, text } from '../../../src/values/amounts.ts';
import { type Instant, instant } from '../../../src/values/instant.ts';
import { NOON, option, perpetual } from '../../support/engine/markets.ts';

const at = (sec: number): Instant => instant(NOON + Math.round(sec * 1_000));
const BTC = { index: 'btc_usd', group: '' } as const;

const config = (change: Partial<MmpConfig> = {}): MmpConfig => ({
  ...BTC,
  intervalMs: 10_000,
  frozenMs: 30_000,
  quantityLimit: quantity('5'),
  deltaLimit: quantity('4'),
  ...change,
});

/** A protection that applies commands and keeps its history. */
class Protection {
  readonly kind: MmpKind;
  readonly events: MmpEvent[] = [];
  state = EMPTY_MMP;
  #trades = 0;

  constructor(kind: MmpKind = 'order') {
    this.kind = kind;
  }

  do(command: MmpCommand) {
    const decision = decideMmp(this.kind, this.state, command);
    this.state = decision.state;
    this.events.push(...decision.events);
    return decision;
  }

  configure(sec: number, change: Partial<MmpConfig> = {}) {
    return this.do({ kind: 'configure', now: at(sec), config: config(change), by: '7' });
  }

  reset(sec: number, place: { index: string; group: string } = BTC) {
    return this.do({ kind: 'reset', now: at(sec), ...place, by: '7' });
  }

  /** A perpetual trade of `coins`, negative for a sell. */
  trade(sec: number, coins: number, where: { index?: string; group?: string; vega?: string } = {}) {
    this.#trades += 1;
    const { index = 'btc_usd', group = '', vega = '0' } = where;
    const part = {
      index,
      quantity: quantity(String(Math.abs(coins))),
      delta: quantity(String(coins)),
      vega: money(vega),
    };
    const id = `t${this.#trades}`;
    const when = { now: at(sec), tradedAt: at(sec) };
    this.do({ kind: 'count', tradeId: id, ...when, group, parts: [part] });
    return this.row(sec, { index, group });
  }

  row(sec: number, place: { index: string; group: string } = BTC) {
    const group = groupOf(this.state, place);
    return {
      start: group?.window && (group.window.openedAt - NOON) / 1_000,
      quantity: group?.window && text(group.window.quantity),
      delta: group?.window && text(group.window.delta),
      frozen: frozenGroup(this.state, place, at(sec)) !== undefined,
    };
  }
}

describe('the MMP window', () => {
  test('windows, trips and freezes follow the reference table', () => {
    const mmp = new Protection();
    mmp.configure(0);
    const open = (start: number, size: string, delta: string) => ({
      start,
      quantity: size,
      delta,
      frozen: false,
    });
    expect(mmp.trade(0, 2)).toEqual(open(0, '2', '2'));
    expect(mmp.trade(4, -1)).toEqual(open(0, '3', '1'));
    expect(mmp.trade(9.9, 1)).toEqual(open(0, '4', '2'));
    expect(mmp.trade(10, 3)).toEqual(open(10, '3', '3'));
    expect(mmp.trade(12, 1)).toEqual({ frozen: true });
    const trip = mmp.events.at(-1);
    expect(trip).toMatchObject({ kind: 'tripped', limit: 'delta', frozenUntil: at(42) });
    expect(mmp.row(20).frozen).toBe(true);
    expect(mmp.row(41.999).frozen).toBe(true);
    expect(mmp.row(42).frozen).toBe(false);
    expect(mmp.trade(42, 1)).toEqual(open(42, '1', '1'));
  });

  test('a freeze can be reset manually before it ends', () => {
    const mmp = new Protection();
    mmp.configure(0);
    mmp.trade(0, 5);
    expect(mmp.row(10).frozen).toBe(true);
    mmp.reset(29.9);
    expect(mmp.row(29.9)).toEqual({ frozen: false });
    expect(mmp.trade(30, 1)).toMatchObject({ start: 30, quantity: '1' });
  });

  test('a freeze younger than a second is ended by no reset and no configuration', () => {
    const mmp = new Protection();
    mmp.configure(0, { frozenMs: 0 });
    mmp.trade(5, 5);
    const fault = { code: 11030, param: 'indexName' };
    expect(mmp.reset(5.999).fault).toMatchObject(fault);
    expect(mmp.configure(5.999).fault).toMatchObject(fault);
    expect(mmp.configure(5.999, { intervalMs: 0 }).fault).toMatchObject(fault);
    expect(mmp.row(5.999).frozen).toBe(true);
    expect(mmp.reset(6).fault).toBeUndefined();
    expect(mmp.row(6).frozen).toBe(false);
  });

  test('a freeze with a frozen time of 0 lasts until a manual reset', () => {
    const mmp = new Protection();
    mmp.configure(0, { frozenMs: 0 });
    mmp.trade(0, 5);
    expect(mmp.row(1e6).frozen).toBe(true);
    mmp.reset(1e6);
    expect(mmp.row(1e6).frozen).toBe(false);
  });

  test('trades from a freeze, or from before the configuration, do not count', () => {
    const mmp = new Protection();
    mmp.configure(0);
    mmp.trade(-0.001, 4);
    expect(mmp.row(0)).toEqual({ frozen: false });
    mmp.trade(1, 5);
    mmp.trade(2, 4);
    mmp.trade(30.999, 4);
    expect(mmp.row(31)).toEqual({ frozen: false });
    const late = { now: at(40), tradedAt: at(30.5), tradeId: 'late', group: '', kind: 'count' };
    const part = exposureOf(perpetual(), bought('100000', '50000'));
    mmp.do({ ...late, parts: [part] } as MmpCommand);
    expect(mmp.events.filter(({ kind }) => kind === 'counted')).toHaveLength(1);
  });

  test('a trade reported late counts, unless its own window has ended', () => {
    const mmp = new Protection();
    mmp.configure(0, { quantityLimit: quantity('100'), deltaLimit: undefined });
    mmp.trade(0, 1);
    mmp.trade(20, 1);
    expect(mmp.trade(15, 1)).toMatchObject({ start: 20, quantity: '2' });
    expect(mmp.trade(10, 1)).toMatchObject({ start: 20, quantity: '2' });
  });
});

describe('MMP limits', () => {
  test.each([
    ['quantity', { quantityLimit: quantity('2') }, [1, -1]],
    ['delta', { deltaLimit: quantity('2') }, [-1, -1]],
    ['vega', { vegaLimit: money('3') }, [-1, -1, -1]],
  ] as const)('the %s limit trips when it is reached', (limit, limits, coins) => {
    const mmp = new Protection();
    const none = { quantityLimit: undefined, deltaLimit: undefined };
    mmp.configure(0, { ...none, ...limits });
    for (const [index, size] of coins.entries()) {
      expect(mmp.row(index).frozen).toBe(false);
      mmp.trade(index, size, { vega: String(size) });
    }
    expect(mmp.events.at(-1)).toMatchObject({ kind: 'tripped', limit });
  });

  test('the delta limit counts net, so opposite trades offset each other', () => {
    const mmp = new Protection();
    mmp.configure(0, { quantityLimit: undefined });
    for (const coins of [3, -6, 3, 3, -6]) expect(mmp.trade(1, coins).frozen).toBe(false);
    expect(mmp.trade(1, -1).frozen).toBe(true);
  });

  test('the trade count limit counts a block trade once, whatever its indexes', () => {
    const mmp = new Protection('blockRfq');
    const limits = { quantityLimit: undefined, deltaLimit: undefined, tradeCountLimit: 2 };
    mmp.configure(0, { ...limits, index: 'all' });
    const part = {
      index: 'btc_usd',
      quantity: quantity('9'),
      delta: quantity('0'),
      vega: money('0'),
    };
    const block = (tradeId: string, group: string) =>
      mmp.do({
        kind: 'count',
        now: at(1),
        tradedAt: at(1),
        tradeId,
        group,
        parts: [part, { ...part, index: 'eth_usd' }, part],
      });
    block('a', '');
    expect(mmp.row(1, { index: 'all', group: '' })).toMatchObject({
      quantity: '27',
      frozen: false,
    });
    block('b', 'wings');
    expect(mmp.events.at(-1)).toMatchObject({ kind: 'tripped', index: 'all', limit: 'trades' });
    for (const index of ['btc_usd', 'sol_usdc']) {
      expect(mmp.row(2, { index, group: 'any' }).frozen).toBe(true);
    }
  });

  test('limits are separate for each group and index', () => {
    const mmp = new Protection();
    mmp.configure(0);
    mmp.configure(0, { group: 'wings' });
    mmp.configure(0, { index: 'eth_usd' });
    mmp.trade(1, 5, { group: 'wings' });
    expect(mmp.row(1, { index: 'btc_usd', group: 'wings' }).frozen).toBe(true);
    expect(mmp.row(1).frozen).toBe(false);
    expect(mmp.trade(1, 4, { index: 'eth_usd' }).frozen).toBe(true);
    expect(mmp.row(1)).toEqual({ frozen: false });
    expect(mmp.trade(1, 9, { index: 'sol_usdc' })).toEqual({ frozen: false });
  });
});

describe('the MMP configuration', () => {
  const faultOf = (change: Partial<MmpConfig>, kind: MmpKind = 'order') =>
    new Protection(kind).configure(0, change).fault;

  test.each([
    [{ index: 'doge_usd' }, -32602, 'indexName'],
    [{ intervalMs: -1_000 }, -32602, 'interval'],
    [{ intervalMs: 1_500 }, -32602, 'interval'],
    [{ intervalMs: 3_601_000 }, -32602, 'interval'],
    [{ frozenMs: 3_601_000 }, -32602, 'frozenTime'],
    [{ frozenMs: -1_000 }, -32602, 'frozenTime'],
    [{ group: 'x'.repeat(65) }, -32602, 'mmpGroup'],
    [{ quantityLimit: undefined, deltaLimit: undefined }, 11049, 'quantityLimit'],
    [{ quantityLimit: quantity('0') }, 11049, 'quantityLimit'],
    [{ deltaLimit: quantity('-1') }, 11049, 'deltaLimit'],
    [{ vegaLimit: money('1.00001') }, 11049, 'vegaLimit'],
    [{ maxQuoteQuantity: quantity('0') }, 11049, 'maxQuoteQuantity'],
    [{ maxQuoteQuantity: quantity('2.50001') }, 11049, 'maxQuoteQuantity'],
    [{ tradeCountLimit: 5 }, 11047, 'tradeCountLimit'],
    [{ index: 'all' }, 11047, 'indexName'],
  ] as const)('an invalid configuration is refused: %o', (change, code, param) => {
    expect(faultOf(change)).toMatchObject({ code, param });
  });

  test('a window and a freeze may last an hour, and the quote size may be the only limit', () => {
    const hour = { intervalMs: 3_600_000, frozenMs: 3_600_000 };
    const only = { quantityLimit: undefined, deltaLimit: undefined };
    expect(faultOf({ ...hour, ...only, maxQuoteQuantity: quantity('2.5') })).toBeUndefined();
    expect(faultOf({ index: 'hype_usdc' })).toBeUndefined();
  });

  test('a Block RFQ configuration may cover all indexes', () => {
    expect(faultOf({ index: 'all' }, 'blockRfq')).toBeUndefined();
    expect(faultOf({ index: 'all', tradeCountLimit: 5 }, 'blockRfq')).toBeUndefined();
    expect(faultOf({ tradeCountLimit: 5 }, 'blockRfq')).toMatchObject({ code: 11047 });
    expect(faultOf({ index: 'all', tradeCountLimit: 1_001 }, 'blockRfq')).toMatchObject({
      code: 11049,
    });
  });

  test('a window of 0 removes the configuration and needs no limit', () => {
    const mmp = new Protection();
    mmp.configure(0);
    mmp.trade(1, 5);
    const none = { intervalMs: 0, quantityLimit: undefined, deltaLimit: undefined };
    expect(mmp.configure(2, none).fault).toBeUndefined();
    expect(mmp.row(2)).toEqual({ frozen: false });
    expect(mmp.state.groups.size).toBe(0);
    expect(mmp.configure(3, none).events).toEqual([]);
  });

  test('a new configuration resets the window and the freeze', () => {
    const mmp = new Protection();
    mmp.configure(0, { frozenMs: 0 });
    mmp.trade(1, 5);
    mmp.configure(2);
    expect(mmp.row(2)).toEqual({ frozen: false });
    expect(groupOf(mmp.state, BTC)?.trips).toBe(1);
    mmp.trade(1.5, 3);
    expect(mmp.trade(2, 3)).toMatchObject({ quantity: '3', frozen: false });
  });

  test('a group name belongs to one index, and the number of groups is limited', () => {
    const mmp = new Protection();
    mmp.configure(0, { group: 'wings' });
    expect(mmp.configure(1, { group: 'wings' }).fault).toBeUndefined();
    expect(mmp.configure(1, { group: 'wings', index: 'eth_usd' }).fault).toMatchObject({
      code: 11030,
      param: 'mmpGroup',
    });
    for (let n = 2; n <= 16; n += 1) mmp.configure(1, { group: `g${n}` });
    expect(mmp.configure(1, { group: 'g17' }).fault).toMatchObject({ code: 11030 });
    expect(mmp.configure(1, { group: 'g16' }).fault).toBeUndefined();
    expect(mmp.configure(1, { index: 'eth_usd' }).fault).toBeUndefined();
  });

  test('only the Block RFQ protection can be reset for all indexes', () => {
    expect(new Protection().reset(0, { index: 'all', group: '' }).fault).toMatchObject({
      code: -32602,
    });
    const mmp = new Protection('blockRfq');
    expect(mmp.reset(0, { index: 'all', group: '' }).fault).toBeUndefined();
  });
});

describe('the overshoot of a tripped group', () => {
  const overshootOf = ({ state }: Protection, place: MmpPlace = BTC): string | undefined => {
    const freeze = groupOf(state, place)?.freeze;
    return freeze && text(freeze.overshoot);
  };
  const late = (
    mmp: Protection,
    when: { readonly tradedSec: number; readonly sec: number },
    coins: string,
    group = '',
  ) =>
    mmp.do({
      kind: 'count',
      tradeId: `late ${when.tradedSec} ${when.sec}`,
      now: at(when.sec),
      tradedAt: at(when.tradedSec),
      group,
      parts: [
        { index: 'btc_usd', quantity: quantity(coins), delta: quantity('0'), vega: money('0') },
      ],
    });

  test('trades from the one that reached the limit until the freeze ends add up, buys and sells alike', () => {
    const mmp = new Protection();
    mmp.configure(0);
    mmp.trade(10, 3);
    expect(overshootOf(mmp)).toBeUndefined();
    mmp.trade(12, -2.5);
    expect(overshootOf(mmp)).toBe('0');
    mmp.trade(12, 0.4);
    mmp.trade(41.999, -1.1);
    expect(overshootOf(mmp)).toBe('1.5');
    expect(mmp.events.at(-1)).toEqual({
      kind: 'exceeded',
      at: at(41.999),
      tradedAt: at(41.999),
      tradeId: 't4',
      index: 'btc_usd',
      group: '',
      quantity: '1.1',
    });
    // The freeze is over: this one opens a window.
    expect(mmp.trade(42, 1)).toMatchObject({ start: 42, quantity: '1' });
    expect(overshootOf(mmp)).toBe('1.5');
  });

  test('a trade made before the limit was reached, or after the freeze, is none of it, however late it is reported', () => {
    const mmp = new Protection();
    mmp.configure(0);
    mmp.trade(10, 3);
    late(mmp, { tradedSec: 12, sec: 12.5 }, '2');
    expect(overshootOf(mmp)).toBe('0');
    // Made while the trade that reached the limit was on its way here.
    late(mmp, { tradedSec: 12.2, sec: 12.6 }, '0.7');
    late(mmp, { tradedSec: 11.999, sec: 12.7 }, '5');
    expect(overshootOf(mmp)).toBe('0.7');
    late(mmp, { tradedSec: 42.499, sec: 60 }, '0.2');
    expect(overshootOf(mmp)).toBe('0.9');
    late(mmp, { tradedSec: 42.5, sec: 60 }, '0.3');
    expect(overshootOf(mmp)).toBe('0.9');
    expect(mmp.row(60).quantity).toBe('0.3');
  });

  test("after the venue's own trip, and without an end, everything counts until a reset", () => {
    const mmp = new Protection();
    mmp.configure(0, { frozenMs: 0 });
    mmp.do({ kind: 'venue_tripped', now: at(1), ...BTC });
    late(mmp, { tradedSec: 0.999, sec: 2 }, '3');
    mmp.trade(1, 2);
    mmp.trade(90_000, 1);
    expect(overshootOf(mmp)).toBe('3');
    mmp.reset(90_001);
    expect(overshootOf(mmp)).toBeUndefined();
    mmp.trade(90_002, 1);
    expect(overshootOf(mmp)).toBeUndefined();
  });

  test('a trip of another group is not exceeded, and a new trip begins at zero', () => {
    const mmp = new Protection();
    mmp.configure(0);
    mmp.configure(0, { group: 'wings' });
    mmp.trade(1, 5);
    mmp.trade(2, 1, { group: 'wings' });
    mmp.trade(2, 1.5);
    expect(overshootOf(mmp)).toBe('1.5');
    expect(overshootOf(mmp, { index: 'btc_usd', group: 'wings' })).toBeUndefined();
    mmp.trade(40, 6);
    expect(overshootOf(mmp)).toBe('0');
  });

  test('it is stored, and a freeze stored before there was one reads as zero from its trip on', () => {
    const mmp = new Protection();
    mmp.configure(0);
    late(mmp, { tradedSec: 1, sec: 3 }, '5');
    mmp.trade(4, 0.25);
    const record = JSON.parse(JSON.stringify(mmpToRecord(mmp.state)));
    expect(mmpFromRecord(record)).toEqual(mmp.state);
    expect(foldMmp(JSON.parse(JSON.stringify(mmp.events)))).toEqual(mmp.state);
    for (const group of record.groups) {
      delete group.freeze.overshoot;
      delete group.freeze.reachedAt;
    }
    const [group] = mmpFromRecord(record).groups.values();
    expect(group?.freeze).toMatchObject({ at: at(3), reachedAt: at(3) });
    expect(group?.freeze && text(group.freeze.overshoot)).toBe('0');
  });
});

describe("trips of the venue's own protection", () => {
  test('a trip reported by the venue freezes the group as if a limit had been reached', () => {
    const mmp = new Protection();
    const told = (sec: number) => mmp.do({ kind: 'venue_tripped', now: at(sec), ...BTC });
    expect(told(0).events).toEqual([]);
    mmp.configure(0);
    told(1);
    expect(mmp.events.at(-1)).toMatchObject({ kind: 'tripped', frozenUntil: at(31) });
    expect(told(2).events).toEqual([]);
  });
});

describe('the protection state', () => {
  test('the state is the fold of its events and survives the conversion to JSON', () => {
    const mmp = new Protection('blockRfq');
    mmp.configure(0, { index: 'all', tradeCountLimit: 3, vegaLimit: money('2.5') });
    mmp.configure(0, { index: 'eth_usd', maxQuoteQuantity: quantity('7.25') });
    mmp.configure(0, { group: 'wings', frozenMs: 0 });
    for (const coins of [1, -2, 5, 1]) mmp.trade(coins + 3, coins, { group: 'wings', vega: '0.1' });
    mmp.reset(20, { index: 'btc_usd', group: 'wings' });
    mmp.trade(21, 0.5, { group: 'wings' });
    const stored = JSON.parse(JSON.stringify(mmp.events)) as MmpEvent[];
    expect(foldMmp(stored)).toEqual(mmp.state);
    expect(mmpFromRecord(JSON.parse(JSON.stringify(mmpToRecord(mmp.state))))).toEqual(mmp.state);
  });
});

const bought = (size: string, at: string) => ({
  side: 'buy' as const,
  quantity: quantity(size),
  price: price(at),
  at: NOON,
});

const quoteWith = (greeks: { delta: number; vega: number }, seenAt = NOON) => ({
  seenAt,
  greeks: { gamma: 0, theta: 0, rho: 0, ...greeks },
});

describe('the exposure of a trade', () => {
  test('the exposure is in coins, also for contracts sized in USD', () => {
    const exposed = exposureOf(perpetual(), bought('100000', '50000'));
    expect([text(exposed.quantity), text(exposed.delta), text(exposed.vega)]).toEqual([
      '2',
      '2',
      '0',
    ]);
    const sold = exposureOf(perpetual(), { ...bought('100000', '30000'), side: 'sell' });
    expect([text(sold.quantity), text(sold.delta)]).toEqual(['3.33333333', '-3.33333333']);
  });

  test('the delta of an option settled in coin is that of the transaction', () => {
    const trade = { ...bought('10', '0.03'), mark: price('0.031') };
    const call = option();
    const exposed = exposureOf(call, trade, quoteWith({ delta: 0.55, vega: 12.5 }));
    expect([text(exposed.quantity), text(exposed.delta), text(exposed.vega)]).toEqual([
      '10',
      '5.19',
      '125',
    ]);
    const linear = exposureOf(
      { ...call, marginKind: 'linear' },
      trade,
      quoteWith({ delta: 0.55, vega: 0 }),
    );
    expect(text(linear.delta)).toBe('5.5');
    // A put sold: −10 × (−0.45 − 0.031), and the vega of a short position.
    const put = option({ option: { strike: price('100000'), type: 'put' } });
    const sold = exposureOf(
      put,
      { ...trade, side: 'sell' },
      quoteWith({ delta: -0.45, vega: 12.5 }),
    );
    expect([text(sold.quantity), text(sold.delta), text(sold.vega)]).toEqual([
      '10',
      '4.81',
      '-125',
    ]);
  });

  test('the greeks come from a quote of at most ten seconds before or after, otherwise from the data reported with the trade; without them, or at zero volatility, the worst case counts', () => {
    const trade = { ...bought('1', '0.03'), mark: price('0') };
    const call = { ...option(), marginKind: 'linear' as const };
    const told = exposureOf(call, { ...trade, underlying: price('100000'), iv: 0.6 });
    expect(Number(text(told.delta))).toBeGreaterThan(0);
    expect(Number(text(told.delta))).toBeLessThan(1);
    expect(Number(text(told.vega))).toBeGreaterThan(0);
    expect(text(exposureOf(call, trade).delta)).toBe('1');
    // The payoff of this call, delta 0, would add nothing to the window.
    const flat = { ...trade, underlying: price('90000'), iv: 0 };
    expect(text(exposureOf(call, flat).delta)).toBe('1');
    const known = { ...trade, underlying: price('100000'), iv: 0.6 };
    for (const apartMs of [-10_000, 10_000]) {
      const near = quoteWith({ delta: 0.9, vega: 7 }, instant(NOON + apartMs));
      const { delta, vega } = exposureOf(call, known, near);
      expect([text(delta), text(vega)]).toEqual(['0.9', '7']);
    }
    const stale = quoteWith({ delta: 0.9, vega: 0 }, instant(NOON + 10_001));
    expect(exposureOf(call, known, stale)).toEqual(told);
    expect(text(exposureOf(call, trade, stale).delta)).toBe('0.9');
    const put = { ...call, option: { strike: price('100000'), type: 'put' as const } };
    expect(text(exposureOf(put, { ...trade, side: 'sell' }).delta)).toBe('1');
  });
});

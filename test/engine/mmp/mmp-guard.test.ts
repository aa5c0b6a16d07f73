// Flagged orders, end to end on the paper exchange: what a trip cancels, what it blocks and for how long, also with
// several processes, restarts and an unavailable ledger.

import { afterEach, describe, expect, test } from 'vitest';
import { refusal } from '../../../src/core/order/answer-class.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import type { MmpRecords, MmpTurn } from '../../../src/ports/mmp-records.ts';
import type { Worked } from '../../../src/ports/trading-desk.ts';
import { price, quantity, text, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { value } from '../../conformance/venue-act.ts';
import { NOON } from '../../support/engine/markets.ts';
import { MAKER, MmpStage, type Process } from '../../support/engine/mmp-stage.ts';

const stages: { readonly stage: MmpStage; readonly processes: Process[] }[] = [];
afterEach(async () => {
  for (const { stage, processes } of stages.splice(0)) await stage.close(processes);
});

async function begin(count = 1, view?: (records: MmpRecords, index: number) => MmpRecords) {
  const stage = new MmpStage();
  const processes: Process[] = [];
  stages.push({ stage, processes });
  for (let index = 0; index < count; index += 1) {
    processes.push(await stage.started(view?.(stage.records, index)));
  }
  const [first] = processes;
  if (first === undefined) throw new Error('there is a process');
  return { stage, processes, first };
}

/** Coins that an order traded after its trades had reached the limit. */
function afterTrip({ trades }: Worked, limit: number): number {
  let [traded, beyond] = [0, 0];
  for (const trade of trades) {
    const coins = toNumber(trade.quantity) / toNumber(trade.price);
    if (traded >= limit) beyond += coins;
    traded += coins;
  }
  return beyond;
}

const TRIGGER = { kind: 'refused', code: 13030, message: 'mmp_trigger' };
const BOOKED = { kind: 'order', account: MAKER, index: 'btc_usd', group: '' } as const;

test('a process that starts has the venue hold the margin of what is configured, and a change at once', async () => {
  const { stage, processes, first } = await begin();
  const held = async () => {
    const summary = value(await stage.venue.summary(MAKER, currency('BTC')));
    return text(summary.initialMargin);
  };
  await stage.configure(first, { maxQuoteQuantity: quantity('20') });
  expect(await held()).toBe('0.6');
  // A restarted exchange knows of no protection.
  stage.venue.holdMargins(MAKER, []);
  expect(await held()).toBe('0');
  const second = await stage.started();
  processes.push(second);
  expect(await held()).toBe('0.6');
  await stage.configure(second, { maxQuoteQuantity: quantity('50') });
  expect(await held()).toBe('1.5');
  await stage.configure(second, { maxQuoteQuantity: undefined });
  expect(await held()).toBe('0');
});

describe('a trip of market maker protection', () => {
  test('a trip cancels every flagged order and leaves the others', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    for (let n = 0; n < 5; n += 1) await stage.quote(first, { label: 'flagged' });
    await stage.quote(first, { label: 'plain', mmp: false });
    await stage.take(first, 1);
    expect(await stage.open()).toHaveLength(6);
    await stage.take(first, 1.1);
    expect(await stage.open()).toEqual(['plain']);
    const history = await stage.venue.ordersLabelled({ account: MAKER, label: 'flagged' });
    expect(history).toMatchObject({
      value: Array(5).fill({ state: 'cancelled', cancelReason: 'mmp_trigger', mmpCancelled: true }),
    });
    expect(first.swept).toMatchObject([{ ...BOOKED, orders: 5 }]);
    expect(first.trips).toEqual([{ ...BOOKED, until: later(NOON, 30_000) }]);
    expect(first.standings).toEqual([
      { event: 'mmp_set', ...BOOKED, status: 'frozen', by: 'quantity' },
    ]);
    expect(first.seen.failures).toEqual([]);
  });

  test('the guard reports the used share of an open window', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    expect([...first.guard.windows()]).toEqual([]);
    await stage.quote(first);
    await stage.take(first, 1);
    const [window, ...others] = first.guard.windows();
    expect(others).toEqual([]);
    expect(window?.kind).toBe('order');
    expect(window?.used.quantity).toBeCloseTo(0.5, 1);
    await stage.pass(10_000);
    expect([...first.guard.windows()]).toEqual([]);
  });

  test('a trip blocks new flagged orders until the freeze ends', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    await stage.take(first, 2.5);
    expect(await stage.quote(first)).toMatchObject({ ...TRIGGER, details: { param: 'mmp' } });
    expect(await stage.quote(first, { mmp: false })).toMatchObject({ kind: 'done' });
    await stage.pass(29_999);
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
    await stage.pass(1);
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
    expect(first.standings.map(({ status }) => status)).toEqual(['frozen', 'ready']);
    expect(await stage.take(first, 1)).toMatchObject({ kind: 'done' });
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
  });

  test('a freeze without a duration lasts until it is reset', async () => {
    const { stage, first } = await begin();
    await stage.configure(first, { frozenMs: 0 });
    const taken = await stage.take(first, 2.5);
    await stage.pass(100_000);
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
    const name = { account: MAKER, kind: 'order', index: 'btc_usd', group: '' } as const;
    const [frozen, ...others] = value(await first.mmp.frozen({ account: MAKER }));
    expect(others).toEqual([]);
    expect(frozen).toMatchObject(name);
    expect(frozen?.until).toBeUndefined();
    const overshoot = toNumber(must(frozen, 'a freeze').overshoot);
    expect(overshoot).toBeCloseTo(afterTrip(value(taken), 2), 6);
    expect(overshoot).toBeGreaterThan(0);
    expect(await first.mmp.reset({ ...name, by: '7' })).toEqual({ kind: 'done', value: null });
    expect(await first.mmp.frozen({ account: MAKER })).toEqual({ kind: 'done', value: [] });
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
    expect(first.standings.map(({ status }) => status)).toEqual(['waiting', 'ready']);
  });

  test('what a tripped group trades from orders that waited for the speed bump is its overshoot, to the coin', async () => {
    const { stage, first } = await begin();
    const { venue } = stage;
    const future = must(
      venue
        .instruments()
        ?.find(({ kind, indexName }) => kind === 'future' && indexName === 'btc_usd'),
      'a dated future',
    ).name;
    venue.watch(future);
    await stage.rest();
    const ask = Number(must(venue.quote(future)?.ask, 'it has a market').price);
    await stage.configure(first, { quantityLimit: quantity('0.01') });
    const buying = {
      instrument: future,
      price: price(String(Math.ceil((ask * 1.01) / 50) * 50)),
      quantity: quantity('2000'),
      timeInForce: 'immediate_or_cancel',
    } as const;
    const sent = [1, 2, 3].map(() => stage.quote(first, buying));
    await stage.pass(20);
    for (const reply of await Promise.all(sent)) expect(reply).toMatchObject({ kind: 'done' });
    const trades = await venue.trades({ account: MAKER, count: 100, sorting: 'asc' });
    if (trades.kind !== 'done') throw new Error('no trades');
    // 2000 USD are more than 0.01 coins: the trade that reaches the limit is one of the first order's.
    const coins = trades.value.trades.map((one) => Number(one.quantity) / Number(one.price));
    let [sum, beyond] = [0, 0];
    for (const each of coins) {
      if (sum >= 0.01) beyond += each;
      sum += each;
    }
    expect(sum).toBeGreaterThan(0.03);
    const of = { account: MAKER };
    const status = await first.mmp.frozen(of);
    if (status.kind !== 'done') throw new Error('no status');
    expect(status.value).toHaveLength(1);
    // Coins of a trade are rounded to eight decimals.
    expect(Math.abs(Number(status.value[0]?.overshoot) - beyond)).toBeLessThan(1e-8 * coins.length);
    expect(first.exceeded.map(({ coins: text }) => Number(text))).toHaveLength(
      coins.length - first.used.length,
    );
    await stage.pass(30_000);
    expect(await first.mmp.frozen(of)).toEqual({ kind: 'done', value: [] });
  });

  test('an order in flight during a trip is cancelled', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    // Sent past the gate, as by another process that has not learned of the trip.
    await stage.take(first, 2.5);
    await stage.venue.place(stage.order({ label: 'stray' }));
    await stage.rest();
    expect(await stage.open()).toEqual([]);
  });

  test('flagged orders cannot be edited while a trip cancels them', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    const entered = await stage.quote(first, { label: 'held' });
    const orderId = entered.kind === 'done' ? entered.value.order.orderId : undefined;
    if (orderId === undefined) throw new Error('the order is in');
    const sure = stage.venue.cancel.bind(stage.venue);
    stage.venue.cancel = () => Promise.resolve({ kind: 'unknown', reason: 'lost' });
    await stage.take(first, 2.5);
    const change = { account: MAKER, quantity: quantity('500'), price: price('20001') };
    expect(await first.desk.edit({ ...change, of: { orderId } })).toMatchObject(TRIGGER);
    const of = { label: 'held', instrument: stage.order().instrument };
    expect(await first.desk.edit({ ...change, of })).toMatchObject(TRIGGER);
    stage.venue.cancel = sure;
    await stage.pass(1_000);
    expect(await stage.open()).toEqual([]);
  });

  test("a refusal by the venue's own protection trips ours as well", async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    await stage.quote(first);
    const place = stage.venue.place.bind(stage.venue);
    stage.venue.place = () => Promise.resolve(refusal(TRIGGER.code));
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
    stage.venue.place = place;
    await stage.rest();
    expect(await stage.open()).toEqual([]);
    expect(first.trips).toMatchObject([{ index: 'btc_usd' }]);
    await stage.pass(30_000);
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
  });
});

describe('an account without an MMP configuration', () => {
  test('without a configuration the flag has no effect, and the venue has no listener', async () => {
    const { stage, first } = await begin();
    let listeners = 0;
    const subscribe = stage.venue.subscribe.bind(stage.venue);
    stage.venue.subscribe = (listener) => {
      listeners += 1;
      return subscribe(listener);
    };
    await stage.take(first, 50);
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
    await stage.pass(5_000);
    expect(listeners).toBe(0);
    await stage.configure(first);
    expect(listeners).toBe(1);
  });

  test('orders placed before the configuration are protected once it exists', async () => {
    const { stage, first } = await begin();
    await stage.quote(first);
    await stage.configure(first);
    await stage.rest();
    await stage.take(first, 2.5);
    expect(await stage.open()).toEqual([]);
    expect(first.swept).toMatchObject([{ orders: 1 }]);
  });
});

describe('market maker protection in two processes', () => {
  test('two processes that receive the same trade count it once', async () => {
    const { stage, processes, first } = await begin(2);
    await stage.configure(first, { quantityLimit: quantity('3') });
    await stage.rest();
    await stage.take(first, 1.2);
    await stage.take(first, 1.2);
    for (const process of processes) {
      expect(await stage.quote(process)).toMatchObject({ kind: 'done' });
      expect(process.trips).toEqual([]);
    }
    await stage.take(first, 1.2);
    for (const process of processes) {
      expect(await stage.quote(process)).toMatchObject(TRIGGER);
      expect(process.trips).toHaveLength(1);
      expect(process.seen.failures).toEqual([]);
    }
    const events = await stage.records.events({ account: MAKER, kind: 'order' });
    const trades = new Set(events.flatMap((one) => (one.kind === 'counted' ? [one.tradeId] : [])));
    expect(events.filter(({ kind }) => kind === 'counted')).toHaveLength(trades.size);
    expect(events.filter(({ kind }) => kind === 'tripped')).toHaveLength(1);
  });

  test('a reset in one process reaches the other by a nudge', async () => {
    const { stage, processes, first } = await begin(2);
    const other = processes[1] ?? first;
    await stage.configure(first);
    await stage.rest();
    // The other's stream is interrupted: it receives no trade.
    other.guard.stop();
    await stage.take(first, 2.5);
    const restarted = await stage.started();
    processes.push(restarted);
    expect(await stage.quote(restarted)).toMatchObject(TRIGGER);
    await stage.pass(1_000);
    await first.mmp.reset({ account: MAKER, kind: 'order', index: 'btc_usd', group: '', by: '7' });
    await stage.rest();
    expect(await stage.quote(restarted)).toMatchObject({ kind: 'done' });
  });

  test('a process that learns of a change by a nudge does not pass it on', async () => {
    const { stage, processes, first } = await begin(3);
    await stage.configure(first);
    await stage.pass(2_000);
    for (const { guard } of processes) {
      const { groups } = guard.protectionOf({ account: MAKER, kind: 'order' }).state;
      expect(groups.size).toBe(1);
    }
    expect(stage.nudges.sent).toBe(1);
  });

  test('without nudges, a trip or reset in one process reaches the other within a second', async () => {
    const { stage, processes, first } = await begin(2);
    const other = processes[1] ?? first;
    stage.nudges.isDeaf = true;
    await stage.configure(first, { frozenMs: 0 });
    await stage.pass(1_000);
    await stage.take(first, 2.5);
    await stage.pass(1_000);
    expect(await stage.quote(other)).toMatchObject(TRIGGER);
    await first.mmp.reset({ account: MAKER, kind: 'order', index: 'btc_usd', group: '', by: '7' });
    await stage.pass(1_000);
    expect(await stage.quote(other)).toMatchObject({ kind: 'done' });
  });

  test('two simultaneous configurations leave one in force, and both processes agree on it', async () => {
    const { stage, processes, first } = await begin(2);
    const other = processes[1] ?? first;
    const answers = await Promise.all([
      stage.configure(first, { quantityLimit: quantity('5') }),
      stage.configure(other, { quantityLimit: quantity('7') }),
    ]);
    expect(answers.map(({ kind }) => kind)).toEqual(['done', 'done']);
    const [one, two] = [
      await first.mmp.configs({ account: MAKER }),
      await other.mmp.configs({ account: MAKER }),
    ];
    expect(one).toEqual(two);
    expect(one).toMatchObject({ value: [{ index: 'btc_usd' }] });
    expect(await stage.records.events({ account: MAKER, kind: 'order' })).toHaveLength(2);
  });
});

describe('market maker protection after a restart', () => {
  test('a restarted process knows the freeze and cancels the orders left open', async () => {
    const { stage, processes, first } = await begin();
    await stage.configure(first);
    await stage.quote(first);
    const cancel = stage.venue.cancel.bind(stage.venue);
    stage.venue.cancel = () => new Promise(() => undefined);
    await stage.take(first, 2.5);
    first.guard.stop();
    stage.venue.cancel = cancel;
    expect(await stage.open()).toHaveLength(1);
    await stage.pass(5_000);
    const again = await stage.started();
    processes.push(again);
    await stage.rest();
    expect(await stage.open()).toEqual([]);
    expect(await stage.quote(again)).toMatchObject(TRIGGER);
    await stage.pass(25_000);
    expect(await stage.quote(again)).toMatchObject({ kind: 'done' });
    expect(again.standings.map(({ status }) => status)).toEqual(['frozen', 'ready']);
  });

  test('a restarted process counts the trades missed meanwhile, and earlier ones only once', async () => {
    const { stage, processes, first } = await begin();
    await stage.configure(first, { quantityLimit: quantity('3') });
    await stage.take(first, 1.2);
    first.guard.stop();
    await stage.take(first, 1.2);
    await stage.pass(2_000);
    const again = await stage.started();
    processes.push(again);
    await stage.rest();
    expect(await stage.quote(again)).toMatchObject({ kind: 'done' });
    await stage.take(again, 1.2);
    expect(await stage.quote(again)).toMatchObject(TRIGGER);
    const limits = { quantityLimit: quantity('2') };
    // A freeze younger than a second is not lifted.
    await stage.pass(1_000);
    await stage.configure(again, limits);
    expect(await stage.quote(again)).toMatchObject({ kind: 'done' });
  });
});

/** A store that can be unavailable, or lose its replies. */
class Fragile implements MmpRecords {
  readonly #inner: MmpRecords;
  isAway = false;
  losesAnswers = 0;

  constructor(inner: MmpRecords) {
    this.#inner = inner;
  }

  async commit(turn: MmpTurn) {
    this.#check();
    const answer = await this.#inner.commit(turn);
    if (this.losesAnswers === 0) return answer;
    this.losesAnswers -= 1;
    throw new LedgerFailure('the answer is lost', true);
  }
  load(...of: Parameters<MmpRecords['load']>) {
    this.#check();
    return this.#inner.load(...of);
  }
  all() {
    this.#check();
    return this.#inner.all();
  }
  versions() {
    this.#check();
    return this.#inner.versions();
  }
  events(of: Parameters<MmpRecords['events']>[0]) {
    return this.#inner.events(of);
  }
  exceeded(...of: Parameters<MmpRecords['exceeded']>) {
    return this.#inner.exceeded(...of);
  }
  #check(): void {
    if (this.isAway) throw new LedgerFailure('the store is away', false);
  }
}

describe('market maker protection with an unavailable ledger', () => {
  async function fragile() {
    let store: Fragile | undefined;
    const begun = await begin(1, (records) => {
      store = new Fragile(records);
      return store;
    });
    if (store === undefined) throw new Error('the store is there');
    return { ...begun, store };
  }

  test('a trip takes effect while the ledger is unavailable, and is stored once it is back', async () => {
    const { stage, first, store } = await fragile();
    await stage.configure(first);
    await stage.quote(first);
    store.isAway = true;
    const taken = await stage.take(first, 2.5);
    expect(await stage.open()).toEqual([]);
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
    expect(first.trips).toEqual([]);
    await stage.pass(5_000);
    store.isAway = false;
    await stage.pass(1_000);
    expect(first.trips).toEqual([{ ...BOOKED, until: later(NOON, 30_000) }]);
    const events = await stage.records.events({ account: MAKER, kind: 'order' });
    const [tripped, ...after] = events.slice(events.findIndex(({ kind }) => kind === 'tripped'));
    expect(tripped).toMatchObject({ kind: 'tripped', frozenUntil: later(NOON, 30_000) });
    expect(new Set(after.map(({ kind }) => kind))).toEqual(new Set(['exceeded']));
    const beyond = after.reduce(
      (sum, event) => sum + (event.kind === 'exceeded' ? toNumber(quantity(event.quantity)) : 0),
      0,
    );
    expect(beyond).toBeCloseTo(afterTrip(value(taken), 2), 6);
  });

  test('a configuration is not confirmed while the ledger is unavailable', async () => {
    const { stage, first, store } = await fragile();
    store.isAway = true;
    expect(await stage.configure(first)).toMatchObject({ kind: 'unknown' });
    expect(await first.mmp.configs({ account: MAKER })).toMatchObject({ code: 10040 });
    store.isAway = false;
    await stage.pass(2_000);
    expect(await first.mmp.configs({ account: MAKER })).toEqual({ kind: 'done', value: [] });
  });

  test('a lost reply of the ledger does not count a trade twice', async () => {
    const { stage, first, store } = await fragile();
    await stage.configure(first, { quantityLimit: quantity('3') });
    store.losesAnswers = 1;
    await stage.take(first, 1.2);
    await stage.pass(2_000);
    await stage.take(first, 1.2);
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
    await stage.take(first, 1.2);
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
  });
});

// Orders with the flag, end to end on the paper exchange: what a trip takes back, what it forbids and for
// how long, and that processes, restarts and an absent ledger change nothing of it.
import { afterEach, describe, expect, test } from 'vitest';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import type { MmpRecords, MmpTurn } from '../../../src/ports/mmp-records.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
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

const TRIGGER = { kind: 'refused', code: 13030, message: 'mmp_trigger' };
const BOOKED = { kind: 'order', account: MAKER, index: 'btc_usd', group: '' } as const;

describe('a trip', () => {
  test('takes back every order with the flag and leaves the others', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    for (let n = 0; n < 5; n += 1) await stage.quote(first, { label: 'flagged' });
    await stage.quote(first, { label: 'plain', mmp: false });
    await stage.take(first, 1);
    expect(await stage.open()).toHaveLength(6);
    await stage.take(first, 1.1);
    expect(await stage.open()).toEqual(['plain']);
    const history = await stage.venue.desk.ordersLabelled({ account: MAKER, label: 'flagged' });
    expect(history).toMatchObject({
      value: Array(5).fill({ state: 'cancelled', cancelReason: 'mmp_trigger', mmpCancelled: true }),
    });
    expect(first.swept).toMatchObject([{ ...BOOKED, orders: 5 }]);
    expect(first.trips).toEqual([{ ...BOOKED, until: later(NOON, 30_000) }]);
    expect(first.standings).toEqual([{ ...BOOKED, status: 'frozen', by: 'quantity' }]);
    expect(first.seen.failures).toEqual([]);
  });

  test('shows how much of its window is used while it is open', async () => {
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

  test('forbids new ones until its time is over', async () => {
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

  test('lasts until somebody resets it, where no time is set', async () => {
    const { stage, first } = await begin();
    await stage.configure(first, { frozenMs: 0 });
    await stage.take(first, 2.5);
    await stage.pass(100_000);
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
    const name = { account: MAKER, kind: 'order', index: 'btc_usd', group: '' } as const;
    expect(await first.mmp.frozen({ account: MAKER })).toEqual({ kind: 'done', value: [name] });
    expect(await first.mmp.reset({ ...name, by: '7' })).toEqual({ kind: 'done', value: null });
    expect(await first.mmp.frozen({ account: MAKER })).toEqual({ kind: 'done', value: [] });
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
    expect(first.standings.map(({ status }) => status)).toEqual(['waiting', 'ready']);
  });

  test('catches an order that was on its way when it happened', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    // Past the gate, and not yet at the exchange: another way in, as that of another process is.
    await stage.take(first, 2.5);
    await stage.venue.desk.enter(stage.order({ label: 'stray' }));
    await stage.rest();
    expect(await stage.open()).toEqual([]);
  });

  test('keeps orders with the flag from being changed while they are taken back', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    const entered = await stage.quote(first, { label: 'held' });
    const orderId = entered.kind === 'done' ? entered.value.order.orderId : undefined;
    if (orderId === undefined) throw new Error('the order is in');
    const sure = stage.venue.desk.cancel;
    stage.venue.desk.cancel = () => Promise.resolve({ kind: 'unknown', reason: 'lost' });
    await stage.take(first, 2.5);
    const change = { account: MAKER, quantity: quantity('500'), price: price('20001') };
    expect(await first.desk.edit({ ...change, of: { orderId } })).toMatchObject(TRIGGER);
    const of = { label: 'held', instrument: stage.order().instrument };
    expect(await first.desk.edit({ ...change, of })).toMatchObject(TRIGGER);
    stage.venue.desk.cancel = sure;
    await stage.pass(1_000);
    expect(await stage.open()).toEqual([]);
  });

  test('follows the venue where that has a protection of its own', async () => {
    const { stage, first } = await begin();
    await stage.configure(first);
    await stage.quote(first);
    const { enter } = stage.venue.desk;
    const refuse = () => Promise.resolve({ ...TRIGGER, kind: 'refused' });
    Object.assign(stage.venue.desk, { enter: refuse });
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
    Object.assign(stage.venue.desk, { enter });
    await stage.rest();
    expect(await stage.open()).toEqual([]);
    expect(first.trips).toMatchObject([{ index: 'btc_usd' }]);
    await stage.pass(30_000);
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
  });
});

describe('without a configuration', () => {
  test('the flag means nothing, and nobody listens at the venue', async () => {
    const { stage, first } = await begin();
    let listeners = 0;
    const { listen } = stage.venue.desk;
    stage.venue.desk.listen = (listener) => {
      listeners += 1;
      return listen.call(stage.venue.desk, listener);
    };
    await stage.take(first, 50);
    expect(await stage.quote(first)).toMatchObject({ kind: 'done' });
    await stage.pass(5_000);
    expect(listeners).toBe(0);
    await stage.configure(first);
    expect(listeners).toBe(1);
  });

  test('orders of before are protected from the moment there is one', async () => {
    const { stage, first } = await begin();
    await stage.quote(first);
    await stage.configure(first);
    await stage.rest();
    await stage.take(first, 2.5);
    expect(await stage.open()).toEqual([]);
    expect(first.swept).toMatchObject([{ orders: 1 }]);
  });
});

describe('two processes', () => {
  test('count a trade once, although both hear of it', async () => {
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

  test('the other learns of it by word', async () => {
    const { stage, processes, first } = await begin(2);
    const other = processes[1] ?? first;
    await stage.configure(first);
    await stage.rest();
    // The other's stream is behind: it hears of no trade.
    other.guard.stop();
    await stage.take(first, 2.5);
    const restarted = await stage.started();
    processes.push(restarted);
    expect(await stage.quote(restarted)).toMatchObject(TRIGGER);
    await first.mmp.reset({ account: MAKER, kind: 'order', index: 'btc_usd', group: '', by: '7' });
    await stage.rest();
    expect(await stage.quote(restarted)).toMatchObject({ kind: 'done' });
  });

  test('and without a word within a second', async () => {
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

  test('that set it at the same time leave one of the two, and both know which', async () => {
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

describe('a restart', () => {
  test('finds what is frozen, and takes back what was left open', async () => {
    const { stage, processes, first } = await begin();
    await stage.configure(first);
    await stage.quote(first);
    const { cancel } = stage.venue.desk;
    stage.venue.desk.cancel = () => new Promise(() => undefined);
    await stage.take(first, 2.5);
    first.guard.stop();
    stage.venue.desk.cancel = cancel;
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

  test('counts what was traded meanwhile, and what was counted before not again', async () => {
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
    await stage.configure(again, limits);
    expect(await stage.quote(again)).toMatchObject({ kind: 'done' });
  });
});

/** A store that can be away, or lose its answers. */
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
  #check(): void {
    if (this.isAway) throw new LedgerFailure('the store is away', false);
  }
}

describe('a ledger that is away', () => {
  async function fragile() {
    let store: Fragile | undefined;
    const begun = await begin(1, (records) => {
      store = new Fragile(records);
      return store;
    });
    if (store === undefined) throw new Error('the store is there');
    return { ...begun, store };
  }

  test('does not keep a trip from acting, and has it when it is back', async () => {
    const { stage, first, store } = await fragile();
    await stage.configure(first);
    await stage.quote(first);
    store.isAway = true;
    await stage.take(first, 2.5);
    expect(await stage.open()).toEqual([]);
    expect(await stage.quote(first)).toMatchObject(TRIGGER);
    expect(first.trips).toEqual([]);
    await stage.pass(5_000);
    store.isAway = false;
    await stage.pass(1_000);
    expect(first.trips).toEqual([{ ...BOOKED, until: later(NOON, 30_000) }]);
    const events = await stage.records.events({ account: MAKER, kind: 'order' });
    expect(events.at(-1)).toMatchObject({ kind: 'tripped', frozenUntil: later(NOON, 30_000) });
  });

  test('lets nobody believe that a configuration is in force', async () => {
    const { stage, first, store } = await fragile();
    store.isAway = true;
    expect(await stage.configure(first)).toMatchObject({ kind: 'unknown' });
    expect(await first.mmp.configs({ account: MAKER })).toMatchObject({ code: 10040 });
    store.isAway = false;
    await stage.pass(2_000);
    expect(await first.mmp.configs({ account: MAKER })).toEqual({ kind: 'done', value: [] });
  });

  test('that loses an answer counts nothing twice', async () => {
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

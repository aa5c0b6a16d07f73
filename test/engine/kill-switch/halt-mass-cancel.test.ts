// A halt on a real paper exchange: five hundred manual orders are cancelled at once, the venue is queried until it
// reports none open, and nothing is accepted meanwhile.

import { afterEach, describe, expect, test } from 'vitest';
import { refusal } from '../../../src/core/order/answer-class.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import { SwitchWatch } from '../../../src/engine/kill-switch/apply-trading-switches.ts';
import { HaltMassCancel } from '../../../src/engine/kill-switch/halt-mass-cancel.ts';
import { TradingSwitches } from '../../../src/engine/kill-switch/trading-switches.ts';
import { Delays } from '../../../src/lifetime/delays.ts';
import type { Observation } from '../../../src/ports/observer.ts';
import type { NewOrder } from '../../../src/ports/trading-desk.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { deploymentId, instrumentName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import {
  ACCOUNT,
  NOON,
  OTHER,
  paperVenue,
  type StageOptions,
  settle,
} from '../../adapters/paper/paper-stage.ts';
import { halt } from '../../conformance/switch-records.ts';
import { value } from '../../conformance/venue-act.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const BTC = instrumentName('BTC-PERPETUAL');
const ORDERS = 500;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Virtual time passes by itself, as fast as the work of each step is done, until it is ended. */
function passing(clock: VirtualClock): () => Promise<void> {
  let isEnded = false;
  const pass = async (): Promise<void> => {
    while (!isEnded) await clock.run(later(clock.now(), 10), settle);
  };
  const passed = pass();
  return async () => {
    isEnded = true;
    await passed;
  };
}

async function stage(options: StageOptions = {}) {
  const clock = new VirtualClock(NOON);
  ends.push(passing(clock));
  const venue = paperVenue(clock, options);
  ends.push(() => venue.close());
  const swept: Observation<'orders_swept'>[] = [];
  const observer = witness({ orders_swept: (told) => swept.push(told) });
  const switches = await TradingSwitches.open({
    records: new MemorySwitchRecords(),
    clock,
    observer,
  });
  ends.push(() => switches.drain());
  const venues = { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT, OTHER] };
  const settings = { ...DEFAULT_SETTINGS, deployment: deploymentId('test') };
  const limits = () => ({ dummyAccounts: new Set<never>() });
  const desk = openOrderDesk({ venues, settings, clock, observer, limits, switches });
  const sweep = new HaltMassCancel({
    venues,
    clock,
    observer,
    delays: new Delays(clock),
    isMeant: () => true,
    isHalted: (account) => switches.strictestFor({ account })?.state === 'halted',
  });
  const own = must(desk.forAccount(ACCOUNT), 'a desk');
  return { clock, venue, venues, observer, switches, swept, sweep, desk: own };
}

async function resting(
  { desk, venue }: Pick<Awaited<ReturnType<typeof stage>>, 'desk' | 'venue'>,
  count: number,
): Promise<void> {
  const { mark: known } = must(await venue.market.ticker(BTC), 'BTC-PERPETUAL is listed');
  const mark = Number(text(must(known, 'it has a mark')));
  const order = (n: number): NewOrder => ({
    account: ACCOUNT,
    instrument: BTC,
    side: 'buy',
    type: 'limit',
    mmp: false,
    quantity: quantity('10'),
    price: price(String(Math.round(mark * 0.9) - n)),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    label: `manual ${n}`,
  });
  const replies = await Promise.all(Array.from({ length: count }, (_, n) => desk.place(order(n))));
  expect(replies.every(({ kind }) => kind === 'done')).toBe(true);
}

describe('the mass cancel of a halt', () => {
  test('a halt cancels every order of its accounts, verifies it by a query, and refuses new orders', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage();
    await resting({ desk, venue }, ORDERS);
    const open = async () => {
      const found = await desk.openOrders({ account: ACCOUNT });
      return found.kind === 'done' ? found.value.length : Number.NaN;
    };
    const labelled = async (label: string) => {
      const found = await desk.ordersLabelled({ account: ACCOUNT, label });
      return found.kind === 'done' ? found.value : [];
    };
    expect(await open()).toBe(ORDERS);
    const setting = halt({ at: clock.now() });
    await switches.set(setting);
    await sweep.sweep(setting, clock.monotonicMs());
    expect(await open()).toBe(0);
    expect(swept).toMatchObject([
      { scope: 'deployment', orders: ORDERS, left: 0, provedMs: expect.any(Number) },
    ]);
    const [taken] = await labelled('manual 0');
    expect(taken).toMatchObject({ state: 'cancelled', cancelReason: 'risk_mitigation' });
    const late = await desk.place({
      account: ACCOUNT,
      instrument: BTC,
      side: 'buy',
      type: 'limit',
      mmp: false,
      quantity: quantity('10'),
      price: price('1000'),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: true,
      label: 'late',
    });
    expect(late).toMatchObject({ kind: 'refused', message: 'trading_halted' });
    expect(await open()).toBe(0);
    await switches.set(halt({ state: 'active', at: clock.now() }));
    await resting({ desk, venue }, 1);
    expect(await open()).toBe(1);
  });

  test('a halt cancels the orders of a venue that does not support cancel reasons', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage();
    await resting({ desk, venue }, 2);
    const cancelAll = venue.cancelAll.bind(venue);
    venue.cancelAll = async (filter) =>
      filter.reason === undefined ? await cancelAll(filter) : refusal(-32602);
    const setting = halt({ at: clock.now() });
    await switches.set(setting);
    await sweep.sweep(setting, clock.monotonicMs());
    expect(swept).toMatchObject([{ orders: 2, left: 0, provedMs: expect.any(Number) }]);
  });

  test('nothing is proved while a cancelled order may still fill at the end of its speed bump', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage({
      rules: { speedBumpMs: 10 },
    });
    const instrument = instrumentName('BTC_USDC-PERPETUAL');
    venue.watch(instrument);
    const { price: at } = must(venue.quote(instrument)?.ask, 'an offer');
    const entered = desk.place({
      account: ACCOUNT,
      instrument,
      side: 'buy',
      type: 'limit',
      mmp: false,
      quantity: quantity('0.001'),
      price: at,
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: 'taker',
    });
    const lists = venue.openOrders.bind(venue);
    const isWaiting = async (): Promise<boolean> => {
      const open = await lists({ account: ACCOUNT });
      return open.kind === 'done' && open.value.some(({ isSpeedBumped }) => isSpeedBumped);
    };
    while (!(await isWaiting())) await settle();
    // A venue need not list what waits.
    venue.openOrders = async (filter) => {
      const open = await lists(filter);
      if (open.kind !== 'done') return open;
      return { ...open, value: open.value.filter(({ isSpeedBumped }) => !isSpeedBumped) };
    };
    const setting = halt({ at: clock.now() });
    const haltedAt = clock.now();
    const fromMs = clock.monotonicMs();
    await switches.set(setting);
    await sweep.sweep(setting, fromMs);
    const [{ provedMs = 0 } = {}] = swept;
    expect(swept).toMatchObject([{ orders: 1, left: 0 }]);
    expect(provedMs).toBeGreaterThanOrEqual(10);
    const { order } = value(await entered);
    expect([order.state, order.updatedAt <= haltedAt + provedMs]).toEqual(['filled', true]);
  });

  test('a halt of one account does not affect other accounts', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage();
    await resting({ desk, venue }, 3);
    const setting = halt({ scope: 'account', of: OTHER, at: clock.now() });
    await switches.set(setting);
    await sweep.sweep(setting, clock.monotonicMs());
    expect(swept).toMatchObject([{ scope: 'account', orders: 0, left: 0 }]);
    const found = await desk.openOrders({ account: ACCOUNT });
    expect(found.kind === 'done' && found.value.length).toBe(3);
  });

  test('lifting the halt ends its mass cancel', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage();
    await resting({ desk, venue }, 2);
    venue.openOrders = () => Promise.resolve({ kind: 'unknown', reason: 'no answer' });
    const setting = halt({ at: clock.now() });
    await switches.set(setting);
    const sweeping = sweep.sweep(setting, clock.monotonicMs());
    await switches.set(halt({ state: 'active', at: clock.now() }));
    await sweeping;
    expect(swept).toMatchObject([{ left: 1 }]);
    expect(swept[0]).not.toHaveProperty('provedMs');
  });

  test('a halt cancels again until the venue answers the query for open orders', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage();
    await resting({ desk, venue }, 2);
    const [openOrders, cancelAll] = [venue.openOrders.bind(venue), venue.cancelAll.bind(venue)];
    const asked: string[] = [];
    venue.cancelAll = async (filter) => {
      asked.push('cancel');
      return await cancelAll(filter);
    };
    venue.openOrders = async (filter) => {
      asked.push('query');
      return asked.length <= 5
        ? { kind: 'unknown', reason: 'no answer' }
        : await openOrders(filter);
    };
    const setting = halt({ scope: 'account', of: ACCOUNT, at: clock.now() });
    await switches.set(setting);
    await sweep.sweep(setting, clock.monotonicMs());
    const unanswered = ['query', 'cancel', 'query', 'cancel'];
    expect(asked).toEqual(['cancel', ...unanswered, 'query', 'query']);
    expect(swept).toMatchObject([{ orders: 2, left: 0, provedMs: expect.any(Number) }]);
  });

  const SENT_WITH_IT = [
    ['cancelQuotes', 'unknown', 3],
    ['cancelQuotes', 'later', 3],
    ['cancelQuotes', 'refused', 1],
    ['rfqs', 'unknown', 3],
    ['rfqs', 'later', 3],
    ['rfqs', 'refused', 1],
  ] as const;
  test.each(SENT_WITH_IT)(
    'a halt without open orders calls %s of the Block RFQs, answered twice as %s, %i times',
    async (method, answer, times) => {
      const { clock, venue, switches, sweep, swept } = await stage();
      const rfqs = must(venue.rfqs, 'the paper exchange has Block RFQs');
      const real = rfqs[method] as (of: never) => Promise<unknown>;
      let calls = 0;
      const replies = {
        unknown: { kind: 'unknown', reason: 'no answer' },
        later: refusal(10028),
        refused: refusal(13021),
      };
      Object.assign(rfqs, {
        [method]: async (of: never) => {
          calls += 1;
          return calls <= 2 ? replies[answer] : await real.call(rfqs, of);
        },
      });
      const setting = halt({ scope: 'account', of: ACCOUNT, at: clock.now() });
      await switches.set(setting);
      await sweep.sweep(setting, clock.monotonicMs());
      expect(calls).toBe(times);
      expect(swept).toMatchObject([{ orders: 0, left: 0, provedMs: expect.any(Number) }]);
    },
  );

  test('an accept that waits for quotes is cancelled until the venue answers, and others are left alone', async () => {
    const { clock, venue, switches, sweep } = await stage();
    const asked: string[] = [];
    const waiting = (id: string, state: string) => ({ id, triggers: [{ state }] });
    const rfqs = [
      waiting('1', 'untriggered'),
      waiting('2', 'cancelled'),
      waiting('3', 'untriggered'),
    ];
    Object.assign(must(venue.rfqs, 'the paper exchange has Block RFQs'), {
      rfqs: () => Promise.resolve({ kind: 'done', value: { rfqs } }),
      cancelTrigger: ({ rfqId }: { readonly rfqId: string }) => {
        asked.push(rfqId);
        const isLost = rfqId === '3' && asked.length <= 4;
        return Promise.resolve(isLost ? { kind: 'unknown', reason: 'lost' } : { kind: 'done' });
      },
    });
    const setting = halt({ scope: 'account', of: ACCOUNT, at: clock.now() });
    await switches.set(setting);
    await sweep.sweep(setting, clock.monotonicMs());
    expect(asked).toEqual(['1', '3', '1', '3', '1', '3']);
  });

  test.each([
    ['of the deployment', halt({ at: NOON }), [ACCOUNT, OTHER]],
    ['of one account', halt({ scope: 'account', of: OTHER, at: NOON }), [OTHER]],
    ['of a strategy', halt({ scope: 'strategy', of: 'calm', at: NOON }), []],
  ])(
    'a halt %s cancels the orders of accounts whose connection is kept and of those without one',
    async (_what, setting, expected) => {
      const { clock, venue, venues, observer, switches } = await stage();
      const cancelAll = venue.cancelAll.bind(venue);
      const asked: string[] = [];
      venue.cancelAll = (filter) => {
        asked.push(filter.account);
        return cancelAll(filter);
      };
      const watch = new SwitchWatch({
        switches,
        venues,
        clock,
        observer,
        engine: { advance: () => Promise.resolve(undefined), turns: { states: () => [].values() } },
        connections: { isKept: (account) => account === ACCOUNT },
        spares: () => false,
      });
      await watch.start();
      await switches.set(setting);
      expect(asked.toSorted()).toEqual(expected);
      await watch.drain();
    },
  );

  test('a halt reports the orders that are still open while it lasts, and its end once they are cancelled', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage();
    await resting({ desk, venue }, 3);
    const cancelAll = venue.cancelAll.bind(venue);
    venue.cancelAll = () => Promise.resolve({ kind: 'unknown', reason: 'no answer' });
    const setting = halt({ scope: 'account', of: ACCOUNT, at: clock.now() });
    await switches.set(setting);
    const sweeping = sweep.sweep(setting, clock.monotonicMs());
    await expect.poll(() => swept).toMatchObject([{ orders: 0, left: 3 }]);
    expect(swept[0]).not.toHaveProperty('provedMs');
    venue.cancelAll = cancelAll;
    await sweeping;
    expect(swept).toMatchObject([{ left: 3 }, { orders: 3, left: 0 }]);
    expect(swept[1]).toHaveProperty('provedMs');
  });

  test('a halt that is lifted while orders are still open reports how many', async () => {
    const { clock, venue, switches, sweep, swept, desk } = await stage();
    await resting({ desk, venue }, 3);
    venue.cancelAll = () => Promise.resolve({ kind: 'unknown', reason: 'no answer' });
    const openOrders = venue.openOrders.bind(venue);
    const setting = halt({ scope: 'account', of: ACCOUNT, at: clock.now() });
    await switches.set(setting);
    venue.openOrders = async (filter) => {
      const reply = await openOrders(filter);
      await switches.set({ ...setting, state: 'active', at: clock.now() });
      return reply;
    };
    await sweep.sweep(setting, clock.monotonicMs());
    expect(swept).toMatchObject([{ orders: 0, left: 3 }]);
    expect(swept[0]).not.toHaveProperty('provedMs');
  });
});

// The one order of `doctor`: placed far from the market, measured by two queries, and never left open without a word.
import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import { type ProbeOptions, probeOrder } from '../../../src/main/doctor/probe-order.ts';
import type { NewOrder, OrderChange, Reply } from '../../../src/ports/trading-desk.ts';
import { price, text } from '../../../src/values/amounts.ts';
import { accountId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';

const REFUSED: Reply<never> = {
  kind: 'refused',
  code: 10009,
  message: 'not_enough_funds',
  class: 'final',
};
const UNKNOWN: Reply<never> = { kind: 'unknown', reason: 'no answer' };

interface Behaviour {
  /** Milliseconds until queries show what was done. */
  readonly lagMs?: number;
  readonly place?: Reply<never>;
  readonly edit?: Reply<never>;
  /** Replies to the cancels, in turn; then they succeed. */
  readonly cancels?: readonly Reply<never>[];
  readonly isQuoted?: boolean;
  /** The order reaches the book although its answer is lost. */
  readonly arrives?: boolean;
}

/** A venue with at most one order, whose queries lag behind. */
async function probed(behaviour: Behaviour) {
  const { lagMs = 0, place, edit, cancels = [], isQuoted = true, arrives = false } = behaviour;
  const clock = new VirtualClock(NOON);
  const sent: string[] = [];
  const shown: { readonly atMs: number; readonly order: OrderRecord }[] = [];
  const left = [...cancels];
  let order: OrderRecord | undefined;
  const change = (to: Partial<OrderRecord>): void => {
    order = { ...(order as OrderRecord), ...to };
    shown.push({ atMs: clock.monotonicMs() + lagMs, order });
  };
  const seen = (): readonly OrderRecord[] => {
    const visible = shown.filter(({ atMs }) => atMs <= clock.monotonicMs());
    return visible.slice(-1).map((one) => one.order);
  };
  const done = <T>(value: T) => Promise.resolve({ kind: 'done', value } as never);
  const venue = {
    watch: () => () => undefined,
    quote: () => (isQuoted ? { mark: price('90000') } : undefined),
    venueNow: () => clock.now(),
    place: (terms: NewOrder) => {
      const { label, price: at, side, postOnly, rejectPostOnly } = terms;
      sent.push(`place ${side} ${text(at ?? price('0'))} ${postOnly} ${rejectPostOnly}`);
      if (place === undefined || arrives) change({ label, state: 'open', price: at } as never);
      return place === undefined ? done({}) : Promise.resolve(place);
    },
    edit: (terms: OrderChange) => {
      sent.push(`edit ${text(terms.price ?? price('0'))}`);
      if (edit === undefined) change({ price: terms.price });
      return edit === undefined ? done({}) : Promise.resolve(edit);
    },
    cancel: () => {
      sent.push('cancel');
      const reply = left.shift();
      if (reply !== undefined) return Promise.resolve(reply);
      if (order !== undefined) change({ state: 'cancelled' });
      return order === undefined ? Promise.resolve(REFUSED) : done({});
    },
    ordersLabelled: () => done(seen()),
    openOrders: () => done(seen().filter(({ state }) => state === 'open')),
  } as unknown as ProbeOptions['venue'];
  const probing = probeOrder({
    venue,
    clock,
    account: accountId('1'),
    instrument: perpetual(),
    stepMs: 1_000,
  });
  let isDone = false;
  void probing.then(() => {
    isDone = true;
  });
  while (!isDone) {
    await settled();
    if (!isDone) clock.advanceTo(later(clock.now(), 10));
  }
  return { probe: await probing, sent, state: () => order?.state };
}

describe('an order at a test network', () => {
  test('it is placed at half the market, post-only, edited and cancelled, and each step is measured', async () => {
    const { probe, sent, state } = await probed({ lagMs: 45 });
    expect(sent).toEqual(['place buy 45000 true true', 'edit 45900', 'cancel']);
    expect(probe).toMatchObject({ instrument: 'BTC-PERPETUAL', quantity: '10', price: '45000' });
    expect(probe.label).toMatch(/^doctor-[0-9a-f]{12}$/);
    expect(probe.fault).toBeUndefined();
    expect(probe.steps.map(({ name }) => name)).toEqual(['place', 'edit', 'cancel']);
    for (const { byLabelMs, inOpenMs } of probe.steps) {
      expect([byLabelMs, inOpenMs]).toEqual([50, 50]);
    }
    expect(state()).toBe('cancelled');
  });

  test('without a price nothing is sent', async () => {
    const { probe, sent } = await probed({ isQuoted: false });
    expect(sent).toEqual([]);
    expect(probe.fault).toBe('BTC-PERPETUAL has no price');
  });

  test('a refusal is the fault, and nothing is left open', async () => {
    const { probe } = await probed({ place: REFUSED });
    expect(probe).toMatchObject({ steps: [], fault: 'place: 10009 not_enough_funds' });
    expect(probe.leftOpen).toBeUndefined();
  });

  test('an order whose answer was lost is cancelled once it must have arrived', async () => {
    const { probe, state } = await probed({ place: UNKNOWN, arrives: true, lagMs: 300 });
    expect(probe.fault).toBe('place: no answer');
    expect(state()).toBe('cancelled');
  });

  test('an order that cannot be cancelled is reported with its label', async () => {
    const { probe, state } = await probed({ cancels: [UNKNOWN, UNKNOWN] });
    expect(state()).toBe('open');
    expect(probe.fault).toBe('cancel: no answer');
    expect(probe.leftOpen).toBe(
      `the order labelled ${probe.label} on BTC-PERPETUAL may be open: cancel it manually`,
    );
    expect(probe.steps.map(({ name }) => name)).toEqual(['place', 'edit']);
  });

  test('a refused edit ends with the order cancelled', async () => {
    const { probe, state } = await probed({ edit: REFUSED });
    expect(probe).toMatchObject({ fault: 'edit: 10009 not_enough_funds' });
    expect(probe.leftOpen).toBeUndefined();
    expect(state()).toBe('cancelled');
  });

  test('queries that never show the order are the fault, after the time of one step', async () => {
    const { probe } = await probed({ lagMs: 1_500 });
    expect(probe.fault).toMatch(/^place: the (look-up|list).* did not show it within 1000 ms$/);
  });
});

// The local rate limit: judged by counting what was let through against the venue's own grant.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  Credits,
  type GrantedRates,
  type Pool,
  poolOf,
} from '../../../../src/adapters/deribit/session/credits.ts';

/** The venue's bucket: full at first, refilled continuously. */
class VenueBucket {
  #credits: number;
  #atMs = 0;
  readonly #rate: { readonly perSecond: number; readonly burst: number };
  constructor(rate: { readonly perSecond: number; readonly burst: number }) {
    this.#rate = rate;
    this.#credits = rate.burst;
  }

  /** False where the venue would end the session. */
  take(nowMs: number): boolean {
    const { perSecond, burst } = this.#rate;
    this.#credits = Math.min(burst, this.#credits + ((nowMs - this.#atMs) * perSecond) / 1_000);
    this.#atMs = nowMs;
    this.#credits -= 1;
    return this.#credits >= 0;
  }
}

const rate = fc.record({
  perSecond: fc.integer({ min: 1, max: 100 }),
  burst: fc.integer({ min: 2, max: 200 }),
});

describe('the credits of an account', () => {
  it('credits never let through what the venue would refuse, orders and cancels together', () => {
    const act = fc.record({
      restMs: fc.integer({ min: 0, max: 400 }),
      pool: fc.constantFrom<Pool>('orders', 'cancels'),
    });
    fc.assert(
      fc.property(rate, fc.array(act, { maxLength: 300, size: 'max' }), (granted, acts) => {
        const credits = new Credits(0);
        const rates: GrantedRates = { orders: granted, cancelAll: granted, queries: granted };
        credits.grant(rates);
        const venue = new VenueBucket(granted);
        let nowMs = 0;
        for (const { restMs, pool } of acts) {
          nowMs += restMs;
          if (credits.take(pool, nowMs) === 0) expect(venue.take(nowMs)).toBe(true);
        }
      }),
    );
  });

  it('what orders may not use is shown as the reserve of the message budget', () => {
    const credits = new Credits(0);
    while (credits.take('orders', 0) === 0);
    expect(credits.budgets(0)).toEqual([
      { bucket: 'messages', tokens: 3, burst: 16, reserve: 3 },
      { bucket: 'questions', tokens: 80, burst: 80, reserve: 0 },
    ]);
  });

  it('credits keep a fifth of the order pool for cancels', () => {
    const credits = new Credits(0);
    credits.grant({
      orders: { perSecond: 10, burst: 50 },
      cancelAll: { perSecond: 1, burst: 1 },
      queries: { perSecond: 1, burst: 1 },
    });
    let orders = 0;
    while (credits.take('orders', 0) === 0) orders += 1;
    let cancels = 0;
    while (credits.take('cancels', 0) === 0) cancels += 1;
    expect({ orders, cancels }).toEqual({ orders: 32, cancels: 8 });
    expect(credits.orderRate).toEqual({ perSecond: 8, burst: 32 });
  });

  it('credits state how long to wait, and let the request through after it', () => {
    fc.assert(
      fc.property(rate, (granted) => {
        const credits = new Credits(0);
        credits.grant({ orders: granted, cancelAll: granted, queries: granted });
        let waitMs = 0;
        while (waitMs === 0) waitMs = credits.take('queries', 0);
        expect(credits.take('queries', waitMs)).toBe(0);
      }),
    );
  });
});

test.each([
  ['private/buy', 'orders'],
  ['private/edit_by_label', 'orders'],
  ['private/cancel', 'cancels'],
  ['private/cancel_all_by_instrument', 'cancels'],
  ['private/cancel_all', 'cancel_all'],
  ['private/cancel_block_rfq_quote', 'cancels'],
  ['private/get_open_orders', 'queries'],
  ['public/get_instruments', 'lists'],
  ['public/subscribe', 'subscriptions'],
  ['private/get_transaction_log', 'log'],
])('%s draws from the pool of %s', (method, pool) => {
  expect(poolOf(method)).toBe(pool);
});

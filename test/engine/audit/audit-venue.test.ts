// PT-19: orders and trades of ours at a venue that our record does not know, at the very boundary of the time
// that answers, streams and commits may take.
import { expect, test } from 'vitest';
import { GRACE_MS, VenueAudit } from '../../../src/engine/audit/audit-venue.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { accountId, childLabel, deploymentId, portfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { NOON } from '../../support/engine/markets.ts';

const DEPLOYMENT = deploymentId('test');
const ACCOUNT = accountId('10001');
const LABEL = childLabel({
  ...{ deployment: DEPLOYMENT, portfolio: portfolioId('1795176000000000') },
  ...{ leg: 0, slice: 3, attempt: 1 },
});

/** A venue that has what is there, before a ledger that knows no portfolio. */
function stage() {
  const there = { now: NOON as Instant, orders: [] as object[], trades: [] as object[] };
  /** Since when the ledger does not write, if it does not. */
  const ledger: { stuckSince?: Instant | undefined } = {};
  const venue = {
    openOrders: () => Promise.resolve({ kind: 'orders', orders: there.orders }),
    tradesSince: () => Promise.resolve({ kind: 'trades', trades: there.trades }),
  };
  const audit = new VenueAudit(venue as unknown as Venue, ACCOUNT, {
    ...{ deployment: DEPLOYMENT, overlapMs: 1_000, now: () => there.now },
    stateOf: () => Promise.resolve(undefined),
    storedOf: () => Promise.resolve(undefined),
    durableTo: () => ledger.stuckSince ?? there.now,
  });
  const foundAt = async (afterMs: number): Promise<readonly string[]> => {
    there.now = later(NOON, afterMs);
    return (await audit.look()).map(({ invariant }) => invariant);
  };
  return { there, ledger, foundAt };
}

test('an order of ours in no portfolio counts after the grace, to the millisecond', async () => {
  const { there, foundAt } = stage();
  there.orders = [{ label: LABEL, orderId: 'o1' }];
  expect(await foundAt(100)).toEqual([]);
  expect(await foundAt(100 + GRACE_MS - 1)).toEqual([]);
  expect(await foundAt(100 + GRACE_MS)).toEqual(['I4']);
});

test('one that was gone in between has its time anew', async () => {
  const { there, foundAt } = stage();
  there.orders = [{ label: LABEL, orderId: 'o1' }];
  expect(await foundAt(0)).toEqual([]);
  there.orders = [];
  expect(await foundAt(GRACE_MS - 1)).toEqual([]);
  there.orders = [{ label: LABEL, orderId: 'o1' }];
  expect(await foundAt(GRACE_MS)).toEqual([]);
  expect(await foundAt(2 * GRACE_MS)).toEqual(['I4']);
});

test('a trade of ours that is in no record counts after the grace, to the millisecond, until it is', async () => {
  const { there, foundAt } = stage();
  there.trades = [{ label: LABEL, tradeId: 't1', price: price('1'), quantity: quantity('1') }];
  expect(await foundAt(50)).toEqual([]);
  // A venue lists it for a while only.
  there.trades = [];
  expect(await foundAt(50 + GRACE_MS - 1)).toEqual([]);
  expect(await foundAt(50 + GRACE_MS)).toEqual(['I5']);
  expect(await foundAt(60 + GRACE_MS)).toEqual(['I5']);
});

test('a trade that waits for a ledger that does not write counts as soon as it should have been written', async () => {
  const { there, ledger, foundAt } = stage();
  there.trades = [{ label: LABEL, tradeId: 't1', price: price('1'), quantity: quantity('1') }];
  ledger.stuckSince = later(NOON, -10);
  for (const afterMs of [0, GRACE_MS, 10 * GRACE_MS, 1_000 * GRACE_MS]) {
    expect(await foundAt(afterMs)).toEqual([]);
  }
  // What was heard until then is stored, and it may not have been heard by then.
  ledger.stuckSince = later(NOON, GRACE_MS - 1);
  expect(await foundAt(1_001 * GRACE_MS)).toEqual([]);
  ledger.stuckSince = later(NOON, GRACE_MS);
  expect(await foundAt(1_002 * GRACE_MS)).toEqual(['I5']);
});

test('what is not ours never counts', async () => {
  const { there, foundAt } = stage();
  there.orders = [];
  there.trades = [{ label: 'by hand', tradeId: 't1' }];
  expect(await foundAt(0)).toEqual([]);
  expect(await foundAt(10 * GRACE_MS)).toEqual([]);
});

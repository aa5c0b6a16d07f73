// PT-19: own orders and trades at a venue that our record does not contain, at the exact end of the grace period for
// replies, notices and commits. A trade is handed to the engine before it counts.

import { expect, test } from 'vitest';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { Replay } from '../../../src/core/portfolio/aggregate/replay.ts';
import { childIn, NO_SETTLED } from '../../../src/core/portfolio/aggregate/settled-children.ts';
import { GRACE_MS, type StoredHistory, VenueAudit } from '../../../src/engine/audit/audit-venue.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { price, quantity, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { accountId, childLabel, deploymentId, portfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { done } from '../../support/engine/venue-records.ts';

const DEPLOYMENT = deploymentId('test');
const ACCOUNT = accountId('10001');
const PERP = perpetual();
const LABEL = childLabel({
  deployment: DEPLOYMENT,
  portfolio: portfolioId('1795176000000000'),
  leg: 0,
  slice: 3,
  attempt: 1,
});

const readAs = (state: PortfolioState | undefined): StoredHistory | undefined =>
  state && { state, child: (label) => childIn(state, label) };

/** A venue with the given orders and trades, and a ledger that knows no portfolio, or the given one. */
function stage(state?: PortfolioState, stored = (): StoredHistory | undefined => readAs(state)) {
  const there = { now: NOON as Instant, orders: [] as object[], trades: [] as object[] };
  const handedOver: string[] = [];
  /** Since when the ledger cannot write, if so. */
  const ledger: { stuckSince?: Instant | undefined } = {};
  const venue = {
    openOrders: () => done(there.orders),
    trades: () => done({ trades: there.trades, hasMore: false }),
  };
  const audit = new VenueAudit(venue as unknown as Venue, ACCOUNT, {
    deployment: DEPLOYMENT,
    overlapMs: 1_000,
    lookBackMs: 0,
    isUnaccounted: () => false,
    now: () => there.now,
    stateOf: () => Promise.resolve(state),
    storedOf: () => Promise.resolve(stored()),
    durableTo: () => ledger.stuckSince ?? there.now,
    handOver: ({ tradeId }) => void handedOver.push(tradeId),
  });
  const foundAt = async (afterMs: number): Promise<readonly string[]> => {
    there.now = later(NOON, afterMs);
    return (await audit.check()).found.map(({ invariant }) => invariant);
  };
  return { there, ledger, handedOver, foundAt };
}

test('an own order in no portfolio is a finding after the grace period, to the millisecond', async () => {
  const { there, foundAt } = stage();
  there.orders = [{ label: LABEL, orderId: 'o1' }];
  expect(await foundAt(100)).toEqual([]);
  expect(await foundAt(100 + GRACE_MS - 1)).toEqual([]);
  expect(await foundAt(100 + GRACE_MS)).toEqual(['I4']);
});

test('an order that disappeared and came back gets a new grace period', async () => {
  const { there, foundAt } = stage();
  there.orders = [{ label: LABEL, orderId: 'o1' }];
  expect(await foundAt(0)).toEqual([]);
  there.orders = [];
  expect(await foundAt(GRACE_MS - 1)).toEqual([]);
  there.orders = [{ label: LABEL, orderId: 'o1' }];
  expect(await foundAt(GRACE_MS)).toEqual([]);
  expect(await foundAt(2 * GRACE_MS)).toEqual(['I4']);
});

test('an order that another process has closed gets the grace period once it is closed in the ledger', async () => {
  const child = { label: LABEL, state: 'live' };
  let children = new Map([[LABEL, child]]);
  const stored = () => readAs({ children, ended: NO_SETTLED } as unknown as PortfolioState);
  const { there, foundAt } = stage(undefined, stored);
  there.orders = [{ label: LABEL, orderId: 'o1' }];
  expect(await foundAt(0)).toEqual([]);
  // It is cancelled, and the venue's list lags.
  children = new Map();
  expect(await foundAt(GRACE_MS)).toEqual([]);
  expect(await foundAt(2 * GRACE_MS - 1)).toEqual([]);
  expect(await foundAt(2 * GRACE_MS)).toEqual(['I4']);
});

const TRADE = { label: LABEL, tradeId: 't1', price: price('1'), quantity: quantity('1') };

test('an unbooked trade is handed over once after the grace period and a finding after another one', async () => {
  const { there, handedOver, foundAt } = stage();
  there.trades = [TRADE];
  expect(await foundAt(50)).toEqual([]);
  // A venue lists a trade only for a while.
  there.trades = [];
  expect(await foundAt(50 + GRACE_MS - 1)).toEqual([]);
  expect(handedOver).toEqual([]);
  // The round is late: the second grace begins with the hand-over.
  expect(await foundAt(70 + GRACE_MS)).toEqual([]);
  expect(handedOver).toEqual(['t1']);
  expect(await foundAt(70 + 2 * GRACE_MS - 1)).toEqual([]);
  expect(await foundAt(70 + 2 * GRACE_MS)).toEqual(['I5']);
  expect(await foundAt(80 + 2 * GRACE_MS)).toEqual(['I5']);
  expect(handedOver).toEqual(['t1']);
});

test('an unbooked trade is handed over at the exact end of the grace period', async () => {
  const { there, handedOver, foundAt } = stage();
  there.trades = [TRADE];
  for (const afterMs of [50, 50 + GRACE_MS]) expect(await foundAt(afterMs)).toEqual([]);
  expect(handedOver).toEqual(['t1']);
});

test('no trade is handed over or a finding while an earlier report may still wait for the ledger', async () => {
  const { there, ledger, handedOver, foundAt } = stage();
  there.trades = [TRADE];
  ledger.stuckSince = later(NOON, -10);
  for (const afterMs of [0, GRACE_MS, 10 * GRACE_MS, 1_000 * GRACE_MS]) {
    expect(await foundAt(afterMs)).toEqual([]);
  }
  ledger.stuckSince = later(NOON, GRACE_MS - 1);
  expect(await foundAt(1_001 * GRACE_MS)).toEqual([]);
  expect(handedOver).toEqual([]);
  ledger.stuckSince = later(NOON, GRACE_MS);
  expect(await foundAt(1_002 * GRACE_MS)).toEqual([]);
  expect(handedOver).toEqual(['t1']);
  // What was handed over may wait for the ledger as well.
  ledger.stuckSince = later(NOON, 1_003 * GRACE_MS - 1);
  expect(await foundAt(2_000 * GRACE_MS)).toEqual([]);
  ledger.stuckSince = later(NOON, 1_003 * GRACE_MS);
  expect(await foundAt(2_001 * GRACE_MS)).toEqual(['I5']);
});

test('the audit reports no unbooked trade while the fills of a closed order are still being queried', async () => {
  const closed = (filled: string) =>
    ({
      children: new Map([
        [
          LABEL,
          { state: 'filled', filled: ZERO_QUANTITY, venueFilled: quantity(filled), trades: [] },
        ],
      ]),
      ended: NO_SETTLED,
    }) as unknown as PortfolioState;
  const trade = { label: LABEL, tradeId: 't1', price: price('1'), quantity: quantity('1') };
  const querying = stage(closed('1'));
  querying.there.trades = [trade];
  expect(await querying.foundAt(0)).toEqual([]);
  expect(await querying.foundAt(10 * GRACE_MS)).toEqual([]);
  expect(querying.handedOver).toEqual([]);
  // An order whose fills are all accounted for without the trade is not queried any more.
  const reconciled = stage(closed('0'));
  reconciled.there.trades = [trade];
  expect(await reconciled.foundAt(0)).toEqual([]);
  expect(await reconciled.foundAt(GRACE_MS)).toEqual([]);
  expect(reconciled.handedOver).toEqual(['t1']);
  expect(await reconciled.foundAt(2 * GRACE_MS)).toEqual(['I5']);
});

test('a trade of a child that has left the state is found in the history, read once for all of them', async () => {
  const work = new CoreWork(
    form({
      legs: [legForm({ quantity: quantity('400') })],
      twapTrade: { durationSec: 40, frequencySec: 1 },
    }),
    [PERP],
  );
  work.show(quote(PERP, [99_999, 100_001]));
  work.until(30_000);
  const { state, events } = work.desk;
  let reads = 0;
  const { there, handedOver, foundAt } = stage(state, () => {
    reads += 1;
    return new Replay(state.id, events);
  });
  there.trades = [...work.venue.books.values()].flatMap(({ trades }) => trades);
  expect(there.trades).toHaveLength(31);
  expect(await foundAt(30_000)).toEqual([]);
  expect(reads).toBe(0);
  expect(await foundAt(30_000 + GRACE_MS)).toEqual([]);
  expect(await foundAt(30_000 + 2 * GRACE_MS)).toEqual([]);
  expect([handedOver, reads]).toEqual([[], 1]);
});

test('foreign orders and trades are never a finding', async () => {
  const { there, foundAt } = stage();
  there.orders = [];
  there.trades = [{ label: 'manual', tradeId: 't1' }];
  expect(await foundAt(0)).toEqual([]);
  expect(await foundAt(10 * GRACE_MS)).toEqual([]);
});

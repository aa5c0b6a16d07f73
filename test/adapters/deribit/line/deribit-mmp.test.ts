// Market-maker protection of two processes that trade on one exchange across a wire: a trade of one
// trips the group for both, and the resting orders of the other are cancelled.
import { afterEach, expect, test } from 'vitest';
import type { NewOrder } from '../../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { MemoryLedger } from '../../../../src/virtual/memory/memory-ledger.ts';
import { MemoryMmpRecords } from '../../../doubles/memory/memory-mmp-records.ts';
import { SETTINGS } from '../../../support/engine/engine-world.ts';
import { loneMmpGuard } from '../../../support/engine/lone-mmp-guard.ts';
import { TestNudges } from '../../../support/engine/mmp-stage.ts';
import { openOrderDesk } from '../../../support/engine/open-order-desk.ts';
import { witness } from '../../../support/engine/quiet-observer.ts';
import { ACCOUNT, BTC } from '../../paper/paper-stage.ts';
import { until } from '../../until.ts';
import { connectTo } from '../connect-deribit.ts';
import { noonClock, serveDeribit } from '../deribit-stage.ts';

const TRIGGER = { kind: 'refused', code: 13030, message: 'mmp_trigger' };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('two processes on a remote venue share a trip, its freeze and its reset', async () => {
  const exchange = await serveDeribit();
  closers.push(() => exchange.close());
  const clock = noonClock();
  const shared = {
    clock,
    records: new MemoryMmpRecords(),
    nudges: new TestNudges(),
    ledger: new MemoryLedger({ now: () => clock.now() }),
  };
  const process = async () => {
    const { venue } = await connectTo(exchange.url);
    closers.push(() => venue.close());
    const observer = witness();
    const venues = { forAccount: () => venue, all: () => [venue] };
    const { deployment } = SETTINGS;
    const guard = loneMmpGuard({ ...shared, observer, venues, deployment });
    const desks = openOrderDesk({
      clock,
      observer,
      venues,
      settings: SETTINGS,
      mmp: guard,
      limits: () => ({ dummyAccounts: new Set() }),
    });
    await guard.start();
    closers.push(() => guard.stop());
    venue.watch(BTC);
    await until(() => venue.quote(BTC)?.ask !== undefined);
    const desk = must(desks.forAccount(ACCOUNT), 'a desk');
    return { venue, desk, observer, mmp: must(desks.mmp, 'protection') };
  };
  const [first, second] = [await process(), await process()];
  const group = { account: ACCOUNT, kind: 'order', index: 'btc_usd', group: '', by: '7' } as const;
  const ask = must(first.venue.quote(BTC)?.ask, 'there is a market').price.toNumber();
  const order = (factor: number, change: Partial<NewOrder> = {}): NewOrder => ({
    account: ACCOUNT,
    instrument: BTC,
    side: 'buy',
    type: 'limit',
    quantity: quantity('2000'),
    price: price(String(Math.round(ask * factor))),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: false,
    label: 'mine',
    mmp: true,
    ...change,
  });

  const set = { ...group, intervalMs: 60_000, frozenMs: 0, quantityLimit: quantity('0.01') };
  expect(await first.mmp.configure(ACCOUNT, set)).toMatchObject({ kind: 'done' });
  const resting = await second.desk.place(order(0.9));
  expect(resting).toMatchObject({ kind: 'done', value: { order: { state: 'open' } } });
  const taken = await first.desk.place(order(1.01, { timeInForce: 'immediate_or_cancel' }));
  expect(taken).toMatchObject({ kind: 'done', value: { order: { state: 'filled' } } });

  const open = async () => {
    const reply = await exchange.venue.openOrders({ account: ACCOUNT });
    return reply.kind === 'done' ? reply.value.length : -1;
  };
  await until(async () => (await open()) === 0);
  for (const { desk } of [first, second])
    expect(await desk.place(order(0.9))).toMatchObject(TRIGGER);
  expect(await second.desk.place(order(0.9, { mmp: false }))).toMatchObject({ kind: 'done' });

  // A freeze younger than a second is not reset.
  await until(async () => (await second.mmp.reset(group)).kind === 'done');
  // Repeated requests meanwhile do not keep it from learning of the reset.
  await until(async () => (await first.desk.place(order(0.91))).kind === 'done');
  expect(await second.desk.place(order(0.92))).toMatchObject({ kind: 'done' });
  for (const { observer } of [first, second]) expect(observer.failures).toEqual([]);
});

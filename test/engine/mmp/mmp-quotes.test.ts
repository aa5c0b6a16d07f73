// Market maker protection of Block RFQ quotes on the paper exchange: what a block trade of an own quote cancels and
// blocks, and what it leaves alone.
import { afterEach, describe, expect, test } from 'vitest';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import type { MmpSetting } from '../../../src/engine/interface/mmp-operations.ts';
import type { MmpGuard } from '../../../src/engine/mmp/mmp-guard.ts';
import type { RfqNews } from '../../../src/ports/block-rfq.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { BTC, paperStage } from '../../adapters/paper/paper-stage.ts';
import { MAKERS, RFQ_ACCOUNTS, TAKER } from '../../adapters/paper/rfq-accounts.ts';
import { RfqAct, value } from '../../conformance/rfq-act.ts';
import { MemoryMmpRecords } from '../../doubles/memory/memory-mmp-records.ts';
import { SETTINGS } from '../../support/engine/engine-world.ts';
import { loneMmpGuard } from '../../support/engine/lone-mmp-guard.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const MAKER = MAKERS[0].account;
const TRIGGER = { kind: 'refused', code: 13030, message: 'mmp_trigger' };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** `prepare` may change the venue before anything listens to it. */
async function begin(prepare: (venue: PaperVenue) => void = () => undefined) {
  const { clock, venue, pass } = paperStage({ accounts: RFQ_ACCOUNTS });
  prepare(venue);
  const venues = { forAccount: () => venue, all: () => [venue] };
  const observer = witness();
  const records = new MemoryMmpRecords();
  const made = (): MmpGuard =>
    loneMmpGuard({
      clock,
      observer,
      venues,
      deployment: SETTINGS.deployment,
      records,
    });
  const guard = made();
  await guard.start();
  const orders = openOrderDesk({
    clock,
    observer,
    venues,
    mmp: guard,
    settings: SETTINGS,
    limits: () => ({ dummyAccounts: new Set() }),
  });
  const close = async (): Promise<void> => {
    guard.stop();
    await venue.close();
  };
  const rfqs = must(orders.rfqsFor(MAKER), 'the venue has Block RFQs');
  const stage = {
    rfqs,
    venue,
    pass,
    close,
    taker: TAKER,
    makers: MAKERS,
    perpetual: BTC,
  };
  const act = new RfqAct(stage);
  closing.push(close);
  await pass(0);
  const mmp = must(orders.mmp, 'guarded');
  const configure = (change: Partial<MmpSetting>) =>
    mmp.configure(MAKER, {
      kind: 'blockRfq',
      index: 'all',
      group: '',
      intervalMs: 60_000,
      frozenMs: 30_000,
      by: '7',
      ...change,
    });
  return { act, mmp, configure, observer, pass, guard, made };
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** Two RFQs; both makers have a quote on the second one, the first maker also on the first. */
async function quotedTwice({ act }: Begun, first: { mmpGroup?: string } = {}) {
  const one = await act.opened();
  const sold = await act.quoted('sell', first);
  await act.opened();
  const own = await act.quoted('sell');
  const other = await act.quoted('sell', {}, 1);
  const accept = async (): Promise<void> => {
    value(await act.rfqs.accept(act.acceptOf(one, sold)));
    await act.stage.pass(10);
  };
  const statusOf = async ({ id }: { id: string }, account = MAKER) => {
    const [found] = value(await act.rfqs.quotes({ account, quoteId: id }));
    return [found?.status, found?.statusReason];
  };
  return { own, other, accept, statusOf };
}

describe('a block trade of an own quote', () => {
  test("a block trade that reaches the count cancels the maker's quotes and blocks new ones", async () => {
    const begun = await begin();
    const { act, mmp, pass } = begun;
    expect(await begun.configure({ tradeCountLimit: 1 })).toMatchObject({ kind: 'done' });
    const { own, other, accept, statusOf } = await quotedTwice(begun);
    await accept();
    expect(await statusOf(own)).toEqual(['cancelled', 'mmp_trigger']);
    expect((await statusOf(other, MAKERS[1].account))[0]).toBe('open');
    const frozen = value(await mmp.frozen({ account: MAKER }));
    expect(frozen).toMatchObject([{ index: 'all', kind: 'blockRfq' }]);
    expect(await act.rfqs.quote(await act.newQuote('sell'))).toMatchObject(TRIGGER);
    expect(await act.rfqs.quote(await act.newQuote('buy', {}, 1))).toMatchObject({ kind: 'done' });
    await pass(30_000);
    expect(await act.rfqs.quote(await act.newQuote('sell'))).toMatchObject({ kind: 'done' });
    expect(begun.observer.failures).toEqual([]);
  });

  test('a block trade missed while no process ran is counted after a restart, once', async () => {
    const begun = await begin();
    await begun.configure({ tradeCountLimit: 2 });
    const first = await quotedTwice(begun);
    begun.guard.stop();
    await first.accept();
    for (const heard of [1, 1]) {
      const again = begun.made();
      await again.start();
      await begun.pass(10);
      const { groups } = again.protectionOf({ account: MAKER, kind: 'blockRfq' }).state;
      expect([...groups.values()].map(({ window }) => window?.trades)).toEqual([heard]);
      again.stop();
    }
  });

  test('a block trade missed while the stream was interrupted is counted when it is back, once', async () => {
    let publish: (news: RfqNews) => void = () => undefined;
    let isInterrupted = true;
    const begun = await begin((venue) => {
      const { rfqs } = venue;
      const listen = rfqs.listen.bind(rfqs);
      rfqs.listen = (listener) => {
        publish = listener;
        return listen((news) => {
          if (!isInterrupted) listener(news);
        });
      };
    });
    await begun.configure({ tradeCountLimit: 2 });
    const trades = () => {
      const { groups } = begun.guard.protectionOf({ account: MAKER, kind: 'blockRfq' }).state;
      return [...groups.values()].map(({ window }) => window?.trades ?? 0);
    };
    const { accept } = await quotedTwice(begun);
    await accept();
    expect(trades()).toEqual([0]);
    isInterrupted = false;
    for (const heard of [1, 1]) {
      publish({ kind: 'reconnected' });
      await begun.pass(10);
      expect(trades()).toEqual([heard]);
    }
  });

  test("a block trade counts in its quote's group and leaves other groups alone", async () => {
    const begun = await begin();
    const wings = { index: 'btc_usd', group: 'wings', quantityLimit: quantity('0.5') };
    expect(await begun.configure(wings)).toMatchObject({ kind: 'done' });
    const { own, accept, statusOf } = await quotedTwice(begun, { mmpGroup: 'wings' });
    await accept();
    expect((await statusOf(own))[0]).toBe('open');
    const { act } = begun;
    const named = await act.newQuote('sell', { mmpGroup: 'wings' });
    expect(await act.rfqs.quote(named)).toMatchObject(TRIGGER);
    expect(await act.rfqs.quote(await act.newQuote('buy'))).toMatchObject({ kind: 'done' });
  });

  test("block trades do not count for order protection, nor the taker's for quote protection", async () => {
    const begun = await begin();
    const { mmp } = begun;
    const limit = { intervalMs: 60_000, frozenMs: 0, quantityLimit: quantity('0.1'), by: '7' };
    await begun.configure({ ...limit, kind: 'order', index: 'btc_usd' });
    await mmp.configure(TAKER, { ...limit, kind: 'blockRfq', index: 'btc_usd', group: '' });
    const { accept } = await quotedTwice(begun);
    await accept();
    for (const account of [MAKER, TAKER]) {
      expect(value(await mmp.frozen({ account }))).toEqual([]);
    }
  });
});

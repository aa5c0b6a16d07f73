// The gate's account data when reads and notices overlap.
import { expect, it } from 'vitest';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import type { TradeRecord } from '../../../src/core/order/order-record.ts';
import { NO_LIMITS } from '../../../src/core/risk/gate/control-limits.ts';
import { GateAccounts } from '../../../src/engine/risk/gate-accounts.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName, orderId, tradeId, venueName } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';
import { pastTheGate } from '../../support/engine/past-the-gate.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { done, tradeRecord } from '../../support/engine/venue-records.ts';

const ACCOUNT = accountId('10001');
const PERPETUAL = instrumentName('BTC-PERPETUAL');

function readAccount() {
  const clock = new VirtualClock(NOON);
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }],
    market: (bornAt) => seededMarket({ seed: 'gate', startAt: bornAt }),
  });
  const venues = { forAccount: () => venue, all: () => [venue], accounts: () => [ACCOUNT] };
  const limits = () => NO_LIMITS;
  const observer = witness();
  const accounts = new GateAccounts({ clock, venues, limits, observer });
  return { clock, venue, accounts, observer };
}

async function buy(venue: PaperVenue): Promise<void> {
  const reply = await venue.place(
    pastTheGate({
      account: ACCOUNT,
      instrument: PERPETUAL,
      side: 'buy',
      type: 'market',
      quantity: quantity('100'),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      mmp: false,
      label: '',
    } as const),
  );
  expect(reply).toMatchObject({ kind: 'done' });
}

/** An account that trades once during each read of its trades while `isBusy`, just after the read. */
function busyAccount() {
  const { clock, venue, accounts } = readAccount();
  const trading = { isBusy: true, orders: 0 };
  const read = venue.trades.bind(venue);
  venue.trades = async (query) => {
    const answer = await read(query);
    if (trading.isBusy) {
      trading.orders += 1;
      await buy(venue);
    }
    await new Promise<void>((told) => clock.at(later(clock.now(), 1), told));
    return answer;
  };
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const tradedUsd = (): string | undefined => {
    const view = accounts.viewOf(ACCOUNT, clock.now());
    return view && text(view.grossUsd(''));
  };
  return { accounts, pass, trading, tradedUsd, close: () => venue.close() };
}

it('a trade missed by every read of the day is counted by the next one', async () => {
  const { accounts, pass, trading, tradedUsd, close } = busyAccount();
  const started = accounts.start(() => undefined);
  await pass(1_000);
  await started;
  trading.isBusy = false;
  expect(trading.orders).toBeGreaterThan(1);
  await pass(61_000);
  expect(tradedUsd()).toBe(String(100 * trading.orders));
  accounts.stop();
  await close();
});

const QUERIES = ['positions', 'trades'] as const;
const READS = ['first', 'next'] as const;
it.each(READS.flatMap((read) => QUERIES.map((slow) => ({ read, slow }))))(
  'a trade between the queries of the $read read counts once, whichever query sees it ($slow is slow) and however late its notice is',
  async ({ read, slow }) => {
    const { venue, clock, accounts } = readAccount();
    const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
    const passed = (forMs: number): Promise<void> =>
      new Promise((done) => clock.at(later(clock.now(), forMs), done));
    const subscribe = venue.subscribe.bind(venue);
    venue.subscribe = (listener) =>
      subscribe((notice) => clock.at(later(clock.now(), 10_000), () => listener(notice)));
    let isDue = read === 'first';
    const [positions, trades] = [venue.positions.bind(venue), venue.trades.bind(venue)];
    // One of the two queries is answered before the trade, and the other one after it.
    const around = async <T>(
      name: (typeof QUERIES)[number],
      query: () => Promise<T>,
    ): Promise<T> => {
      if (name === slow) {
        await passed(2);
        return await query();
      }
      const answer = await query();
      if (isDue) await buy(venue);
      isDue = false;
      await passed(1);
      return answer;
    };
    venue.positions = (filter) => around('positions', () => positions(filter));
    venue.trades = (query) => around('trades', () => trades(query));
    const started = accounts.start(() => undefined);
    await pass(1_000);
    await started;
    isDue ||= read === 'next';
    await pass(read === 'next' ? 60_000 : 0);
    expect(isDue).toBe(false);
    const view = () => must(accounts.viewOf(ACCOUNT, clock.now()), 'the account is known');
    expect(text(view().position(PERPETUAL))).toBe('100');
    await pass(20_000);
    expect([text(view().position(PERPETUAL)), text(view().grossUsd(''))]).toEqual(['100', '100']);
    accounts.stop();
    await venue.close();
  },
);

it('an order that is accepted while the open orders are read stays counted', async () => {
  const { venue, clock, accounts } = readAccount();
  const read = venue.openOrders.bind(venue);
  let isBusy = false;
  venue.openOrders = async (query) => {
    const answer = await read(query);
    if (!isBusy) return answer;
    isBusy = false;
    const reply = await venue.place(
      pastTheGate({
        account: ACCOUNT,
        instrument: PERPETUAL,
        side: 'buy',
        type: 'limit',
        quantity: quantity('100'),
        price: price('50000'),
        timeInForce: 'good_til_cancelled',
        postOnly: true,
        rejectPostOnly: false,
        reduceOnly: false,
        mmp: false,
        label: '',
      } as const),
    );
    expect(reply).toMatchObject({ kind: 'done', value: { order: { state: 'open' } } });
    await new Promise<void>((told) => clock.at(later(clock.now(), 1), told));
    return answer;
  };
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const started = accounts.start(() => undefined);
  await pass(1_000);
  await started;
  const working = (): string => {
    const view = must(accounts.viewOf(ACCOUNT, clock.now()), 'the account is known');
    return text(view.working(PERPETUAL, 'buy', ''));
  };
  isBusy = true;
  await pass(60_000);
  expect([isBusy, working()]).toEqual([false, '100']);
  accounts.stop();
  await venue.close();
});

it('the loss is unknown before the day was read, and then correct for any order of trades', async () => {
  const { venue, clock, accounts } = readAccount();
  const first = tradeOf('t1', { price: '99000', mark: '100000', agoMs: 2_000 });
  const second = tradeOf('t2', { price: '99000', mark: '99000', agoMs: 1_000 });
  let isAway = true;
  venue.trades = () =>
    isAway
      ? Promise.resolve({ kind: 'unknown', reason: 'no answer' })
      : done({ trades: [first, second], hasMore: false });
  await accounts.start(() => undefined);
  accounts.recordTrade(venue, { ...second, account: ACCOUNT });
  expect(accounts.lossUsd(ACCOUNT)).toBeUndefined();
  isAway = false;
  await clock.run(later(clock.now(), 2_000), settle);
  // Two sales of 1000 USD one percent below the mark price of the first one.
  expect(text(must(accounts.lossUsd(ACCOUNT), 'it is known'))).toBe('20');
  accounts.stop();
  await venue.close();
});

it.each([
  ['before', 0],
  ['after', 1],
] as const)(
  'an account stays unknown while its trades cannot be read %s the rest',
  async (_, unread) => {
    const { venue, clock, accounts, observer } = readAccount();
    const read = venue.trades.bind(venue);
    let reads = 0;
    let isAway = true;
    venue.trades = async (query) => {
      const answer = await read(query);
      reads += 1;
      const isUnread = isAway && (reads - 1) % 2 === unread;
      return isUnread ? { kind: 'unknown', reason: 'no answer' } : answer;
    };
    const started = accounts.start(() => undefined);
    await clock.run(later(clock.now(), 5_000), settle);
    await started;
    expect(reads).toBeGreaterThan(2);
    expect(accounts.viewOf(ACCOUNT, clock.now())).toBeUndefined();
    isAway = false;
    await clock.run(later(clock.now(), 10_000), settle);
    expect(accounts.viewOf(ACCOUNT, clock.now())).toBeDefined();
    expect(observer.failures).toEqual([]);
    accounts.stop();
    await venue.close();
  },
);

it('after a gap in the notices the whole day is read again', async () => {
  const { venue, clock, accounts } = readAccount();
  const asked: number[] = [];
  const missed = tradeOf('t1', { price: '99000', mark: '100000', agoMs: 30_000 });
  const trades: TradeRecord[] = [];
  venue.trades = ({ from = NOON }) => {
    asked.push(clock.now() - from);
    return done({ trades: trades.filter(({ at }) => at >= from), hasMore: false });
  };
  const listeners: Parameters<typeof venue.subscribe>[0][] = [];
  venue.subscribe = (listener) => {
    listeners.push(listener);
    return () => undefined;
  };
  const started = accounts.start(() => undefined);
  await clock.run(later(clock.now(), 10), settle);
  await started;
  // An ordinary read looks back a few seconds only; the gap hid an older trade.
  trades.push(missed);
  for (const listener of listeners) listener({ kind: 'reconnected', accounts: [ACCOUNT] });
  await clock.run(later(clock.now(), 10), settle);
  const view = must(accounts.viewOf(ACCOUNT, clock.now()), 'the account is known');
  const ofDays = asked.filter((agoMs) => agoMs >= 12 * 3_600_000);
  expect([ofDays.length, text(view.grossUsd(''))]).toEqual([2, '1000']);
  await clock.run(later(clock.now(), 61_000), settle);
  expect(asked.slice(-2)).toEqual([5_000, 5_000]);
  accounts.stop();
  await venue.close();
});

function tradeOf(
  id: string,
  { price: at, mark, agoMs }: { price: string; mark: string; agoMs: number },
): TradeRecord {
  return tradeRecord({
    tradeId: tradeId(id),
    orderId: orderId(`o-${id}`),
    instrument: PERPETUAL,
    side: 'sell',
    label: 'tw1-test-abc-0-0-1',
    price: price(at),
    quantity: quantity('1000'),
    markPrice: price(mark),
    at: later(NOON, -agoMs),
  });
}

it('an account is unknown until it is followed, and again when it is not followed any more', async () => {
  const { accounts, clock, venue } = readAccount();
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const isKnown = (): boolean => accounts.viewOf(ACCOUNT, clock.now()) !== undefined;
  await accounts.start(() => undefined, []);
  await pass(120_000);
  expect(isKnown()).toBe(false);
  void accounts.follow(ACCOUNT);
  await pass(100);
  expect(isKnown()).toBe(true);
  accounts.unfollow(ACCOUNT);
  expect(isKnown()).toBe(false);
  // Neither the passing of time nor a gap of the venue's stream has it read.
  await venue.detach(ACCOUNT);
  await venue.attach(ACCOUNT);
  await pass(120_000);
  expect(isKnown()).toBe(false);
  accounts.stop();
  await venue.close();
});

it('what traded while an account was not followed is counted when it is followed again', async () => {
  const { accounts, clock, venue } = readAccount();
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  await accounts.start(() => undefined, []);
  void accounts.follow(ACCOUNT);
  await pass(100);
  accounts.unfollow(ACCOUNT);
  const subscribe = venue.subscribe.bind(venue);
  venue.subscribe = () => () => undefined;
  const bought = buy(venue);
  await pass(100);
  await bought;
  venue.subscribe = subscribe;
  void accounts.follow(ACCOUNT);
  await pass(100);
  const view = must(accounts.viewOf(ACCOUNT, clock.now()), 'it was read');
  expect(text(view.grossUsd(''))).toBe('100');
  accounts.stop();
  await venue.close();
});

it('a read that began before an account was not followed any more is not used', async () => {
  const { accounts, clock, venue } = readAccount();
  const pass = (forMs: number): Promise<void> => clock.run(later(clock.now(), forMs), settle);
  const positions = venue.positions.bind(venue);
  venue.positions = async (filter) => {
    await new Promise<void>((done) => clock.at(later(clock.now(), 1_000), done));
    return await positions(filter);
  };
  await accounts.start(() => undefined, []);
  void accounts.follow(ACCOUNT);
  await pass(500);
  accounts.unfollow(ACCOUNT);
  await pass(5_000);
  expect(accounts.viewOf(ACCOUNT, clock.now())).toBeUndefined();
  accounts.stop();
  await venue.close();
});

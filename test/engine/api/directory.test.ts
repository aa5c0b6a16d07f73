// The directory that gateways keep a copy of: all of it at first, then each change, before anything refers to it.

import { expect, test } from 'vitest';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import type { DirectoryNotice } from '../../../src/engine/interface/directory-api.ts';
import type {
  OpenVenue,
  OrderOperations,
} from '../../../src/engine/order-entry/order-operations.ts';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import {
  type AccountId,
  accountId,
  type InstrumentName,
  venueName,
} from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NO_DESKS } from '../../doubles/lone-api.ts';
import { btcCall, btcPerpetual, btcSpot } from '../../exchange/instruments.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';

const VENUE = venueName('paper');
const ACCOUNT = accountId('10001');

/** One venue whose lists a test changes. */
class Lists {
  readonly clock = new VirtualClock(NOON);
  trading: Instrument[] = [btcPerpetual];
  expired: Instrument[] = [];
  accounts: AccountId[] = [ACCOUNT];
  alias: string | undefined;
  publish: (news: VenueNotice) => void = () => undefined;
  readonly notices: DirectoryNotice[] = [];
  readonly api = methodApi({ orders: this.#orders(), clock: this.clock, notReady: () => [] });

  follow(): () => void {
    return this.api.directory.follow((notice) => this.notices.push(notice));
  }

  /** What was published since the last look: names of instruments, accounts with their aliases. */
  fresh(): unknown[] {
    return this.notices.splice(0).map((notice) => {
      if (notice.kind === 'complete') return 'complete';
      if (notice.kind === 'instruments') {
        return [
          notice.expired ? 'expired' : 'trading',
          ...notice.instruments.map(({ name }) => name),
        ];
      }
      const { accounts } = notice.directory;
      return accounts.map(({ account, makerAlias }) => `${account} ${makerAlias ?? ''}`);
    });
  }

  run(forMs: number): Promise<void> {
    return this.clock.run(later(this.clock.now(), forMs), settle);
  }

  #orders(): OrderOperations {
    const reads: Partial<OpenVenue['market']> = {
      listed: ({ expired }) => (expired ? this.expired : this.trading),
      instrument: (name: InstrumentName) =>
        [...this.trading, ...this.expired].find((one) => one.name === name),
    };
    const subscribe: OpenVenue['subscribe'] = (listener) => {
      this.publish = listener;
      return () => undefined;
    };
    const rfqs = { aliasOf: () => this.alias } as Partial<OpenVenue['rfqs']>;
    const venue = { name: VENUE, market: reads, subscribe, rfqs } as OpenVenue;
    return {
      ...NO_DESKS,
      accounts: () => this.accounts.map((account) => [account, VENUE]),
      venues: () => [venue],
    };
  }
}

test('a follower gets everything at once, and after that only what changes, within a second', async () => {
  const lists = new Lists();
  const leave = lists.follow();
  expect(lists.fresh()).toEqual([
    ['10001 '],
    ['trading', btcPerpetual.name],
    ['expired'],
    'complete',
  ]);
  await lists.run(5_000);
  expect(lists.fresh()).toEqual([]);
  lists.trading = [btcSpot];
  lists.expired = [btcPerpetual];
  lists.alias = 'MAKER1';
  await lists.run(1_000);
  expect(lists.fresh()).toEqual([
    ['10001 MAKER1'],
    ['trading', btcSpot.name],
    ['expired', btcPerpetual.name],
  ]);
  lists.accounts = [];
  await lists.run(1_000);
  expect(lists.fresh()).toEqual([[]]);
  leave();
  lists.accounts = [ACCOUNT];
  await lists.run(5_000);
  expect(lists.fresh()).toEqual([]);
});

test('a list with the same instruments is not published again', async () => {
  const lists = new Lists();
  const leave = lists.follow();
  lists.fresh();
  lists.trading = [...lists.trading];
  await lists.run(2_000);
  expect(lists.fresh()).toEqual([]);
  leave();
});

test('a new instrument is published before an answer about it and before a notice of its orders', async () => {
  const lists = new Lists();
  const leave = lists.follow();
  lists.fresh();
  lists.trading = [btcPerpetual, btcSpot];
  expect(await lists.api.market.instrument(btcSpot.name)).toEqual({
    venue: VENUE,
    instrument: btcSpot,
  });
  expect(lists.fresh()).toEqual([['trading', btcPerpetual.name, btcSpot.name]]);
  const seen: unknown[] = [];
  const unsubscribe = lists.api.orders.follow(VENUE, (news) => seen.push(...lists.fresh(), news));
  lists.trading = [btcSpot, btcCall];
  const order = { kind: 'order', order: { instrument: btcCall.name } } as VenueNotice;
  lists.publish(order);
  expect(seen).toEqual([['trading', btcSpot.name, btcCall.name], order]);
  lists.alias = 'MAKER2';
  expect(await lists.api.rfqs.aliasOf(ACCOUNT)).toBeUndefined();
  expect(lists.fresh()).toEqual([['10001 MAKER2']]);
  unsubscribe();
  leave();
});

test('an answer about an instrument that the followers know does not look for changes', async () => {
  const lists = new Lists();
  const leave = lists.follow();
  lists.fresh();
  lists.alias = 'MAKER2';
  expect(await lists.api.market.instrument(btcPerpetual.name)).toMatchObject({ venue: VENUE });
  expect(lists.fresh()).toEqual([]);
  await lists.run(1_000);
  expect(lists.fresh()).toEqual([['10001 MAKER2']]);
  leave();
});

test('an account that cannot send orders is refused', async () => {
  const { orders, rfqs, mmp } = new Lists().api;
  const other = accountId('10009');
  expect(await orders.openOrders({ account: other })).toMatchObject({
    kind: 'refused',
    code: -32602,
    details: { param: 'accountId', reason: expect.stringContaining('accepted: an account other') },
  });
  expect(await rfqs.makers(other)).toMatchObject({ kind: 'refused', code: -32602 });
  expect(await mmp.configs({ account: other })).toMatchObject({ kind: 'refused', code: 13040 });
});

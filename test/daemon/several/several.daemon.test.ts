// Three daemons of one deployment on one exchange, one ledger and one Redis: each account is worked by one of them, a
// daemon that stops or is killed is replaced by the others, and no slice is worked twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followChannels } from '../../../src/gateway/client/channel-client.ts';
import {
  ACCOUNTS,
  type Account,
  clientOf,
  DaemonDeployment,
  KEYS,
  request,
  submit,
  until,
} from '../../support/daemon/daemon-deployment.ts';
import type { Daemon } from '../../support/daemon/daemon-process.ts';

let d: DaemonDeployment;

beforeAll(async () => {
  d = await DaemonDeployment.open('sevr');
});
afterAll(() => d.close());

test('three daemons share the accounts, and lose no commit to each other', async () => {
  await d.shared();
  await d.filled(await d.submitEverywhere(15));
  const conflicts = await d.total('twapd_turn_conflicts_total');
  const children = await d.stage.query<{ count: string }>(
    "SELECT count(*) FROM event WHERE kind = 'child_intended'",
  );
  // Without owners it was more than half of them.
  expect(conflicts).toBeLessThan(Number(children[0]?.count) / 100);
  const owners = await d.stage.query('SELECT owner FROM shard_lease GROUP BY 1');
  expect(owners).toHaveLength(d.daemons.length);
});

const BTC = { instrumentName: 'BTC-PERPETUAL' };

test('a manual order is entered and cancelled at any daemon, in the order of its requests', async () => {
  for (const daemon of d.daemons) {
    const { result: ticker } = await request(daemon, 10001, 'public/ticker', BTC);
    const price = Math.round(Number(ticker.markPrice) * 0.9);
    const order = { ...BTC, quantity: '100', price: String(price), label: `at ${daemon.url}` };
    const [bought, all] = await Promise.all([
      request(daemon, 10001, 'private/buy', order),
      request(daemon, 10001, 'private/cancel_all', {}),
    ]);
    expect(bought).toMatchObject({ result: { order: { orderState: 'open' } } });
    expect(all).toMatchObject({ result: 1 });
  }
});

test('orders are read and followed at every daemon, each change once, also after daemons have joined and left', async () => {
  const ends: (() => void)[] = [];
  const heard: Heard[] = [];
  const follow = async (daemon: Daemon): Promise<void> => {
    for (const account of ACCOUNTS) {
      const one = await followed(daemon, account);
      heard.push(one);
      ends.push(one.end);
    }
  };
  for (const daemon of d.daemons) await follow(daemon);
  await eachHeardOnce(heard, 'three daemons');

  // The followers of the one that leaves end with it.
  const leaving = d.takeLatest();
  expect(await leaving.end('SIGTERM')).toBe(0);
  const staying = heard.filter(({ daemon }) => daemon !== leaving);
  await d.shared();
  await eachHeardOnce(staying, 'two daemons');

  await d.add('back');
  await d.shared();
  await eachHeardOnce(staying, 'three again');
  for (const end of ends) end();
});

interface Heard {
  readonly daemon: Daemon;
  readonly account: Account;
  /** Label and state of each order that was published. */
  readonly orders: string[];
  readonly end: () => void;
}

async function followed(daemon: Daemon, account: Account): Promise<Heard> {
  const orders: string[] = [];
  const { promise: isGranted, resolve: granted } = Promise.withResolvers<void>();
  const ending = new AbortController();
  const [keyId, secret] = KEYS[account];
  void followChannels(
    { baseUrl: daemon.url, keyId, secret },
    {
      channels: ['user.orders.any.any.raw'],
      accountId: String(account),
      onGranted: () => granted(),
      onMessage: ({ data }) => {
        const { label, orderState } = data as { label: string; orderState: string };
        orders.push(`${label} ${orderState}`);
      },
      signal: ending.signal,
    },
  );
  await isGranted;
  return { daemon, account, orders, end: () => ending.abort() };
}

/** Enters an order for each account at the first daemon: every daemon lists it, and every follower of the account hears of it once. */
async function eachHeardOnce(heard: readonly Heard[], label: string): Promise<void> {
  for (const account of ACCOUNTS) {
    const { result: ticker } = await request(d.first, account, 'public/ticker', BTC);
    const price = String(Math.round(Number(ticker.markPrice) * 0.9));
    const order = { ...BTC, quantity: '100', price, label };
    await until(async () => {
      const { result } = await request(d.first, account, 'private/buy', order);
      return result !== undefined;
    });
    for (const daemon of d.daemons) {
      const { result: open } = await request(daemon, account, 'private/get_open_orders', {});
      expect(open).toMatchObject([{ label, orderState: 'open' }]);
      const { result: positions } = await request(daemon, account, 'private/get_positions', {});
      expect(positions).toEqual(expect.any(Array));
    }
    await request(d.first, account, 'private/cancel_all', {});
    for (const one of heard.filter((follower) => follower.account === account)) {
      await until(async () => one.orders.includes(`${label} cancelled`));
      expect(one.orders.filter((text) => text === `${label} open`)).toHaveLength(1);
    }
  }
}

test('portfolios are paused, resumed and cancelled at a daemon that does not own them', async () => {
  for (const daemon of d.daemons) {
    const id = await submit(d.first, 10001, 60);
    const client = clientOf(daemon, 10001);
    for (const act of ['pause', 'resume', 'cancel'] as const) {
      expect(await client[act](id)).toMatchObject({ kind: 'done' });
    }
    await until(async () => {
      const info = await client.info(id);
      return info.kind === 'done' && info.value.portfolioStatus === 3;
    });
  }
});

test('a daemon that is killed and one that is stopped are replaced, and nothing is lost or done twice', async () => {
  const portfolios = await d.submitEverywhere(20);
  await sleep(3_000);
  await d.takeLatest().end('SIGKILL');
  await d.shared();
  await sleep(3_000);
  await d.takeLatest().end('SIGTERM');
  await d.shared();
  await d.filled(portfolios);
});

test('ledger and exchange agree afterwards', () => d.expectSameBooks());

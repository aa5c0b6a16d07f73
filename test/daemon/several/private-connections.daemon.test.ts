// Three daemons of one deployment, and the private connections that the exchange has of them: one for each account, that of
// its owner. Whatever happens to a daemon or to the exchange, there is one for each account again afterwards.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ACCOUNTS,
  DaemonDeployment,
  KEYS,
  request,
  type Submitted,
  until,
} from '../../support/daemon/daemon-deployment.ts';
import { PrivateConnections } from '../../support/daemon/private-connections.ts';

/** How long the portfolios of a test take: longer than what happens to them. */
const SECONDS = 60;
const BTC = { instrumentName: 'BTC-PERPETUAL' };

const connections = new PrivateConnections();
const keyOf = (account: (typeof ACCOUNTS)[number]): string => KEYS[account][0];
const counts = (): readonly number[] => ACCOUNTS.map((account) => connections.of(keyOf(account)));
const oneEach = (): Promise<void> =>
  until(() => Promise.resolve(counts().every((count) => count === 1)));

let d: DaemonDeployment;
let portfolios: Submitted = [];

beforeAll(async () => {
  d = await DaemonDeployment.open('priv', { counted: { venue: connections.counted } });
  await d.shared();
});
afterAll(() => d.close());

test('each account has one private connection, over which its orders go', async () => {
  await oneEach();
  portfolios = await d.submitEverywhere(SECONDS);
  await until(() =>
    Promise.resolve(ACCOUNTS.every((account) => connections.hasTraded(keyOf(account)))),
  );
  expect(counts()).toEqual([1, 1, 1]);
});

test('a request that any daemon answers opens no other connection', async () => {
  for (const daemon of d.daemons) {
    for (const account of ACCOUNTS) {
      const answer = await request(daemon, account, 'private/get_open_orders', {});
      expect(answer).toMatchObject({ result: expect.any(Array) });
    }
  }
  expect(counts()).toEqual([1, 1, 1]);
});

test('a daemon that is stopped leaves its accounts to connections of the others', async () => {
  expect(await d.takeLatest().end('SIGTERM')).toBe(0);
  await d.shared();
  await oneEach();
  // With cancel on disconnect the exchange would cancel orders that others work now.
  expect(connections.broken).toBe(0);
  await d.filled(portfolios);
});

test('a daemon that joins connects its share, and the former owner closes its connections', async () => {
  portfolios = await d.submitEverywhere(SECONDS);
  await d.add('joined');
  await d.shared();
  await oneEach();
});

test('the accounts of a daemon that is killed are connected by those that take them', async () => {
  await d.takeLatest().end('SIGKILL');
  await d.shared();
  await oneEach();
});

test('an owner that stood still closes the connections of accounts that it lost meanwhile', async () => {
  await d.add('stopped');
  await d.shared();
  await oneEach();
  const stopped = d.takeLatest();
  stopped.signal('SIGSTOP');
  await d.shared();
  stopped.signal('SIGCONT');
  d.daemons.push(stopped);
  await d.shared();
  await oneEach();
  await d.filled(portfolios);
});

test('accounts that are handed over while the exchange cannot be reached are connected once it is back', async () => {
  portfolios = await d.submitEverywhere(SECONDS);
  const { venue } = d.stage.lines;
  venue.isClosed = true;
  venue.cut();
  expect(await d.takeLatest().end('SIGTERM')).toBe(0);
  await d.shared();
  expect(counts()).toEqual([0, 0, 0]);
  venue.isClosed = false;
  await oneEach();
  await d.filled(portfolios);
});

test('a halt cancels the orders of every account at every daemon, and leaves no other connection open', async () => {
  for (const account of ACCOUNTS) {
    const { result: ticker } = await request(d.first, account, 'public/ticker', BTC);
    const price = String(Math.round(Number(ticker.markPrice) * 0.9));
    const order = { ...BTC, quantity: '100', price, label: `before a halt ${account}` };
    // The message budget of an account is spent when its owner has died.
    await until(async () => {
      const { result } = await request(d.first, account, 'private/buy', order);
      return result?.order.orderState === 'open';
    });
  }
  const before = connections.opened;
  d.first.signal('SIGUSR2');
  for (const account of ACCOUNTS) {
    await until(async () => {
      const { result } = await request(d.first, account, 'private/get_open_orders', {});
      return Array.isArray(result) && result.length === 0;
    });
  }
  // Those that do not own an account have connected it for that.
  await until(() => Promise.resolve(connections.opened > before));
  await oneEach();
});

test('ledger and exchange agree, and no order was sent twice', () => d.expectSameBooks());

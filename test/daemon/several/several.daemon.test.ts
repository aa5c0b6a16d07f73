// Three daemons of one deployment on one exchange, one ledger and one Redis: each account is worked by one of them, a
// daemon that stops or is killed is replaced by the others, and no slice is worked twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clientOf,
  DaemonDeployment,
  request,
  submit,
  until,
} from '../../support/daemon/daemon-deployment.ts';

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

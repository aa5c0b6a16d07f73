// A key revoked in the ledger ends in every gateway on that ledger, regardless of which one it was used with.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { PostgresKeyRecords } from '../../../src/adapters/postgres/records/postgres-key-records.ts';
import { KeySeal, newSecret } from '../../../src/gateway/auth/key-seal.ts';
import { KeysInForce } from '../../../src/gateway/auth/keys-in-force.ts';
import {
  type ClientKey,
  signedHeaders,
  signedQuery,
} from '../../../src/gateway/auth/signed-stamp.ts';
import { instant } from '../../../src/values/instant.ts';
import { until } from '../../adapters/until.ts';
import { grantOf } from '../../conformance/key-records.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { GatewayUnderTest, NOW_MS, PATH, STRANGER } from '../gateway-under-test.ts';

const seal = new KeySeal(randomBytes(32).toString('base64'));
const PAGE = `${PATH}/page?accountId=10001`;
const GATEWAYS = 2;
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

/** A gateway as in a process of its own: with its own connection to the ledger and its own key polling. */
async function serve(connectionString: string): Promise<GatewayUnderTest> {
  const records = new PostgresKeyRecords({ connectionString });
  cleanUp.push(() => records.close());
  const reported: unknown[] = [];
  const keys = await KeysInForce.open({
    records,
    seal,
    given: [STRANGER],
    now: () => instant(NOW_MS),
    report: (error) => reported.push(error),
  });
  cleanUp.push(async () => {
    await keys.drain();
    expect(reported).toEqual([]);
  });
  const gateway = await GatewayUnderTest.start({}, { keys });
  cleanUp.push(() => gateway.close());
  return gateway;
}

/** One socket of each kind; `ended` resolves with their close codes. */
async function socketsOf(gateway: GatewayUnderTest, signer: ClientKey) {
  const ws = gateway.url.replace('http', 'ws');
  const at = { method: 'GET', target: '/ws/api', body: Buffer.alloc(0) };
  const sockets = [
    new WebSocket(`${ws}/ws/portfolio?${signedQuery(signer, NOW_MS, '/ws/portfolio')}`),
    new WebSocket(`${ws}/ws/api`, { headers: signedHeaders(signer, NOW_MS, at) }),
  ];
  const ended = sockets.map(
    (socket) => new Promise<number>((resolve) => socket.once('close', resolve)),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  return { sockets, ended: Promise.all(ended) };
}

test('a revoked key has its sockets closed by both gateways and is refused by both; other keys are not affected', async () => {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  const records = new PostgresKeyRecords({ connectionString });
  cleanUp.push(() => records.close());
  const gateways = await Promise.all(
    Array.from({ length: GATEWAYS }, () => serve(connectionString)),
  );
  const secret = newSecret();
  const grant = grantOf('desk', { createdAt: instant(NOW_MS) });
  await records.add(grant, seal.seal(secret, { grant, generation: 1 }));
  const by = { ...grant, secret };
  const statuses = () =>
    Promise.all(gateways.map(async (gateway) => (await gateway.request(PAGE, { by })).status));
  await until(async () => (await statuses()).every((status) => status === 200));

  const signer = { keyId: 'desk', secret };
  const others = { keyId: STRANGER.id, secret: STRANGER.secret };
  const [own, foreign] = await Promise.all([
    Promise.all(gateways.map((gateway) => socketsOf(gateway, signer))),
    Promise.all(gateways.map((gateway) => socketsOf(gateway, others))),
  ]);
  await records.revoke('desk', instant(NOW_MS));
  expect(await Promise.all(own.map(({ ended }) => ended))).toEqual([
    [4401, 4401],
    [4401, 4401],
  ]);
  expect(await statuses()).toEqual([401, 401]);
  for (const { sockets } of foreign) {
    expect(sockets.map((socket) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
  }
});

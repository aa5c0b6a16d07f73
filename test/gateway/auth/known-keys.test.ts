// An unauthenticated client cannot find out which keys exist: neither from answers nor from their timing.
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts';
import { until } from '../../adapters/until.ts';
import { BOUND, GatewayUnderTest, PATH, READER, TAKER } from '../gateway-under-test.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function serve(burst = 1_000): Promise<GatewayUnderTest> {
  const failures = { perSecond: 0.001, burst };
  const gateway = await GatewayUnderTest.start({
    address: { ...DEFAULT_LIMITS.address, failures },
  });
  cleanUp.push(() => gateway.close());
  return gateway;
}

const WRONG = Buffer.from('another secret, not that of any key').toString('base64');
const forged = (key: ApiKey): ApiKey => ({ ...key, secret: WRONG });
const NOBODY = forged({ ...TAKER, id: 'nobody' });
/** As an attacker would try them: with a secret that belongs to no key. */
const TRIED: readonly (readonly [string, ApiKey])[] = [
  ['that does not exist', NOBODY],
  ['that exists', forged(TAKER)],
  ['that exists and binds bodies', forged(BOUND)],
  ['that does not exist, on a request with a bound body', { ...NOBODY, bindBody: true }],
];

const ROUTES = [`${PATH}/submit`, `${PATH}/cancel`, '/api/private/cancel_all'];

/** The answer without time-dependent headers. */
const seen = async (gateway: GatewayUnderTest, route: string, by: ApiKey) => {
  const { status, headers, json } = await gateway.request(route, { by, method: 'POST', body: {} });
  const names = [...headers].filter(([name]) => name !== 'date');
  return { status, headers: names, json };
};

describe('a wrong signature', () => {
  test.each(ROUTES)('a wrong signature on %s gets the same answer for every key', async (route) => {
    const gateway = await serve();
    const answers = await Promise.all(TRIED.map(([, key]) => seen(gateway, route, key)));
    expect(answers[0]?.status).toBe(401);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test.each(ROUTES)(
    'a wrong signature on %s gets the same answer for every key after failures too, even if the key was used before',
    async (route) => {
      const gateway = await serve(8);
      for (const by of [TAKER, BOUND, READER]) {
        expect((await gateway.request(`${PATH}/page?accountId=10001`, { by })).status).toBe(200);
      }
      for (let n = 0; n < 8; n += 1) await seen(gateway, route, NOBODY);
      const answers = await Promise.all(TRIED.map(([, key]) => seen(gateway, route, key)));
      expect(answers[0]?.status).toBe(429);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      const own = await gateway.request(`${PATH}/page?accountId=10001`, { by: TAKER });
      expect(own.status).toBe(200);
    },
  );

  test.each(TRIED)(
    'a wrong signature with a key %s is answered only after the body has been received',
    async (_, by) => {
      const gateway = await serve();
      const raw = await openRequest(gateway, by);
      // If the gateway answered without the body, the answer would be here before these requests are answered.
      for (let n = 0; n < 5; n += 1) await seen(gateway, ROUTES[0] ?? '', NOBODY);
      expect(raw.text()).toBe('');
      raw.send('{}');
      await until(() => raw.text().includes('\r\n\r\n'));
      expect(raw.text()).toMatch(/^HTTP\/1\.1 401 /);
    },
  );
});

interface RawRequest {
  readonly text: () => string;
  readonly send: (body: string) => void;
}

/** A submit with its headers sent and its body not yet sent. */
async function openRequest(gateway: GatewayUnderTest, by: ApiKey): Promise<RawRequest> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  // The gateway may reset it when it is closed with something unread.
  socket.on('error', () => undefined);
  cleanUp.push(async () => void socket.destroy());
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  const headers = [
    `POST ${PATH}/submit HTTP/1.1`,
    'Host: gateway',
    'Content-Type: application/json',
    'Content-Length: 2',
    `Authorization: Bearer ${by.id}`,
    `Service-API-Timestamp: ${gateway.nowMs}`,
    `Service-API-Nonce: ${by.id}-raw`,
    `Service-API-Signature: ${'A'.repeat(43)}=`,
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  return { text: () => text, send: (body) => void socket.write(body) };
}

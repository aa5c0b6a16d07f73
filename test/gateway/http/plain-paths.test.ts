// Only the canonical spelling of a path is accepted: any other spelling of a route gets 404, whether signed or
// not.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPlainPath } from '../../../src/gateway/http/plain-paths.ts';
import { GatewayUnderTest, PATH, perpetualBody } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await GatewayUnderTest.start();
});
afterAll(() => gateway.close());

/** Requests the path verbatim; `fetch` would normalise it first. */
function statusOf(target: string, more = ''): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text.split('\r\n', 1)[0] ?? ''));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n${more}\r\n`);
  });
}

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const NON_CANONICAL = [
  '/%68ealthz',
  '/healthz%00',
  '/healthz/..',
  '/./healthz',
  '/x/../healthz',
  '/x/%2e%2e/healthz',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  '/%252e%252e/healthz',
  '//healthz',
  '/x\\..\\healthz',
  '/x%5c..%5chealthz',
  '/healthz%2f',
  `${PATH.replace('openapi', 'open%61pi')}/page?accountId=10001`,
  `${PATH}%2fpage?accountId=10001`,
  '/api/%70ublic/get_time',
  '/queues/%2e%2e/healthz',
  '/queues/..%2fhealthz',
  '/queues/%252e%252e/healthz',
];

describe('a path in another spelling', () => {
  test.each(NON_CANONICAL)('a path in another spelling gets 404: %s', async (target) => {
    expect(await statusOf(target)).toBe('HTTP/1.1 404 Not Found');
    expect(isPlainPath(target.split('?')[0] ?? '')).toBe(false);
  });

  test('a path in another spelling gets 404 for a correctly signed request too, and nothing is submitted', async () => {
    const path = PATH.replace('portfolios', '%70ortfolios');
    const { status, json } = await gateway.request(`${path}/submit`, {
      method: 'POST',
      body: perpetualBody(),
    });
    expect([status, json.message]).toEqual([404, expect.stringContaining('no such address')]);
    expect(gateway.operations.forms).toEqual([]);
  });

  test.each(['/ws/%61pi', '/ws/../ws/api', '/ws/./api', '//ws/api', '/ws%2fapi', '/ws/%61pi?x=1'])(
    'a path in another spelling gets 404 for a WebSocket: %s',
    async (target) => {
      expect(await statusOf(target, UPGRADE)).toBe('HTTP/1.1 404 Not Found');
    },
  );

  test('another spelling of a path may occur in the query', async () => {
    expect(await statusOf('/healthz?next=%2e%2e%2f//..')).toBe('HTTP/1.1 200 OK');
  });
});

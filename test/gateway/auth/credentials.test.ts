// Errors for misplaced or malformed credentials state what was found and what is accepted; their text neither
// depends on whether the key exists nor quotes any part of a key or secret.
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { fromHeaders, fromQuery, fromQueryOnly } from '../../../src/gateway/auth/credentials.ts';
import { signedHeaders } from '../../../src/gateway/auth/signed-stamp.ts';
import { GatewayUnderTest, PATH, TAKER } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await GatewayUnderTest.start();
});
afterAll(() => gateway.close());

const STAMP = [
  'Service-API-Timestamp',
  '1776665215780',
  'Service-API-Nonce',
  'n',
  'Service-API-Signature',
  's',
];

function faultOf(presented: ReturnType<typeof fromHeaders>): string {
  if (presented.kind === 'presented') return '';
  const { field, message } = presented.rejection;
  return `${field} ${message}`;
}
const bearing = (...values: string[]): string =>
  faultOf(fromHeaders([...values.flatMap((value) => ['Authorization', value]), ...STAMP]));

describe('the Authorization header', () => {
  it.each([
    ['the key alone', ['taker'], 'has no "Bearer " before the key id'],
    ['the key in other words', ['taker c2VjcmV0'], 'has no "Bearer " before the key id'],
    ['another scheme', ['Basic dGFrZXI6eA=='], 'has the scheme "Basic" instead of "Bearer"'],
    ['another spelling', ['BEARER taker'], 'has the scheme "Bearer" in the wrong letter case'],
    ['no key', ['Bearer'], 'has no key id after "Bearer"'],
    ['two spaces', ['Bearer  taker'], 'has white space before or in the key id'],
    ['nothing', [], 'is missing'],
    ['two values', ['Bearer taker', 'Bearer taker'], 'is sent 2 times'],
  ])(
    'an Authorization header with %s gets an error that names what was found',
    (_, values, found) => {
      expect(bearing(...values)).toBe(
        `Authorization ${found}; accepted: the header once, as "Bearer <API key>"`,
      );
    },
  );

  it('an Authorization header with one scheme, one space and one key is accepted', () => {
    expect(bearing('Bearer taker')).toBe('');
  });
});

it('a duplicated signature header gets a different error than a missing one', () => {
  const twice = [...STAMP, 'service-api-nonce', 'm'];
  const keyed = ['Authorization', 'Bearer taker'];
  expect(faultOf(fromHeaders([...keyed, ...twice]))).toBe(
    'Service-API-Nonce is sent 2 times; accepted: once',
  );
  expect(faultOf(fromHeaders(keyed))).toBe('Service-API-Timestamp is missing; accepted: once');
});

describe('credentials in the wrong place', () => {
  const refusedAt = async (path: string, headers: Record<string, string>) => {
    const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, { headers });
    socket.on('error', () => undefined);
    const [, answer] = await once(socket, 'unexpected-response');
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return { status: answer.statusCode, json: JSON.parse(Buffer.concat(chunks).toString()) };
  };
  const headersFor = (keyId: string) =>
    signedHeaders({ ...TAKER, keyId }, gateway.nowMs, {
      method: 'GET',
      target: '/ws/portfolio',
      body: Buffer.alloc(0),
    });

  it('credentials in the headers of /ws/portfolio get an error that points to the query, whether or not the key exists', async () => {
    const answers = [];
    for (const keyId of [TAKER.id, 'nobody']) {
      answers.push(await refusedAt('/ws/portfolio', { ...headersFor(keyId) }));
    }
    expect(answers[0]).toMatchObject({
      status: 401,
      json: {
        errors: [
          {
            field: 'apiKey',
            message:
              'is missing, and /ws/portfolio takes no credentials in headers; accepted: apiKey, timestamp, nonce and signature in the query, each once',
          },
        ],
      },
    });
    expect(answers[1]).toEqual(answers[0]);
  });

  it('credentials in the query of a REST request get an error that points to the headers', async () => {
    const { status, json } = await gateway.request(`${PATH}/page?accountId=10001&apiKey=taker`, {
      by: null,
    });
    expect({ status, field: json.errors[0].field }).toEqual({
      status: 401,
      field: 'Authorization',
    });
    expect(json.errors[0].message).toContain('credentials in the query are not accepted here');
  });

  it('incomplete credentials are refused at /ws/api instead of being treated as anonymous', async () => {
    const { Authorization: _, ...rest } = { ...headersFor(TAKER.id) } as Record<string, string>;
    expect((await refusedAt('/ws/api', rest)).status).toBe(401);
    expect((await refusedAt('/ws/api?signature=x', {})).status).toBe(401);
  });

  it('credentials in the query of /ws/portfolio take precedence over an Authorization header added by a proxy', () => {
    const query = new URLSearchParams('apiKey=k&timestamp=1776665215780&nonce=n&signature=s');
    const rawHeaders = ['Authorization', 'Basic eDp5'];
    expect(fromQueryOnly(query, { path: '/ws/portfolio', rawHeaders })).toEqual(fromQuery(query));
  });
});

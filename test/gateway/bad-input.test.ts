// Invalid input of any kind gets a clear refusal: never a 5xx, never a crash.
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sign, signedContent } from '../../src/gateway/auth/signature.ts';
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts';
import {
  BOUND,
  GatewayUnderTest,
  NOW_MS,
  PATH,
  perpetualBody,
  TAKER,
} from './gateway-under-test.ts';

const LOOSE = { perSecond: 100_000, burst: 100_000 };
let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await GatewayUnderTest.start({
    rates: { read: LOOSE, submit: LOOSE, cancel: LOOSE },
    // Otherwise failed attempts would soon be refused unchecked.
    address: { ...DEFAULT_LIMITS.address, failures: LOOSE, open: LOOSE },
  });
});
afterAll(async () => {
  expect(gateway.reported).toEqual([]);
  await gateway.close();
});

/** One exchange on a bare socket: returns everything the server sends until it closes the connection. */
async function talk(text: string): Promise<string> {
  const socket = connectSocket(Number(new URL(gateway.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => {
    answer += data.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

const submitRaw = (raw: string | Uint8Array<ArrayBuffer>, headers = {}) =>
  gateway.request(`${PATH}/submit`, { raw, headers });

describe('the gateway, given a body,', () => {
  it.each([
    ['half an object', '{"accountId": 10001,', 'is not JSON'],
    ['nothing', '', 'is not JSON'],
    ['an exponent in the wrong place', '{"a":1e}', 'is not JSON'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), 'UTF-8'],
    ['a prototype key', '{"__proto__":{"scopes":["admin"]}}', '__proto__'],
    ['a deeply nested body', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 'at most 16 levels'],
    ['a list that is too long', `{"legs":[${'1,'.repeat(2_000)}1]}`, 'at most 1000'],
    ['text the ledger cannot store', '{"customizedNote":"\\u0000"}', 'NUL'],
  ])('the gateway, given a body, refuses %s with 400', async (_what, raw, message) => {
    const { status, json } = await submitRaw(raw);
    expect(status).toBe(400);
    expect(json).toMatchObject({ succ: false, code: 40010, value: null });
    expect(json.message).toContain(message);
  });

  it('the gateway, given a body, refuses one above the limit with 413 and states the limit', async () => {
    const { status, json } = await submitRaw(JSON.stringify({ note: 'x'.repeat(300_000) }));
    expect({ status, code: json.code }).toEqual({ status: 413, code: 41310 });
    expect(json.message).toContain('262144 bytes');
  });

  it.each(['text/plain', 'application/xml', 'application/json; charset=latin1', 'nonsense'])(
    'the gateway, given a body, refuses the media type %s with 415',
    async (type) => {
      const { status, json } = await submitRaw('{}', { 'Content-Type': type });
      expect({ status, code: json.code }).toEqual({ status: 415, code: 41510 });
    },
  );

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('the gateway, given a body, accepts the media type %s', async (type) => {
    const { json } = await submitRaw(JSON.stringify(perpetualBody()), { 'Content-Type': type });
    expect(json.succ).toBe(true);
  });

  it('the gateway, given a body, names every invalid field and stores nothing', async () => {
    const before = gateway.operations.records.size;
    const body = perpetualBody({ legs: [{ side: 3, quantity: '0x1F' }], hack: 1 });
    const { status, json } = await gateway.submit(body);
    expect(status).toBe(200);
    expect(json.errors.map((fault: { field: string }) => fault.field)).toEqual([
      'legs[0].instrument',
      'legs[0].instrumentType',
      'legs[0].side',
      'legs[0].quantity',
      'legs[0].priceOptions',
      'hack',
    ]);
    expect(json.code).toBe(40001);
    expect(gateway.operations.records.size).toBe(before);
  });
});

describe('the gateway, given an address or HTTP method,', () => {
  it('the gateway, given an address or HTTP method, answers 404 or 405 in the envelope if it is unknown', async () => {
    expect(await gateway.request('/nothing')).toMatchObject({ status: 404, json: { code: 40410 } });
    expect(await gateway.request(`${PATH}/nothing`)).toMatchObject({ status: 404 });
    const wrong = await gateway.request(`${PATH}/submit`);
    expect(wrong).toMatchObject({ status: 405, json: { succ: false, code: 40510 } });
    expect(wrong.headers.get('allow')).toBe('POST');
    expect(await gateway.request(`${PATH}/info`, { method: 'DELETE' })).toMatchObject({
      status: 405,
    });
  });

  it('the gateway, given an address or HTTP method, answers 400 if the address cannot be decoded', async () => {
    const { status, json } = await gateway.request('/%zz');
    expect({ status, code: json.code }).toEqual({ status: 400, code: 40010 });
  });

  it.each([
    ['info', 'portfolioId'],
    ['info?portfolioId=abc', 'portfolioId'],
    ['info?portfolioId=1&portfolioId=2', 'portfolioId'],
    ['info?portfolioId=9007199254740993', 'portfolioId'],
    ['page', 'accountId'],
    ['page?accountId=10001&coinOrSymbol=%00', 'coinOrSymbol'],
    ['page?accountId=10001&__proto__=1', '__proto__'],
    ['page?accountId=10001&pageSize=1000', 'pageSize'],
  ])(
    'the gateway, given an address or HTTP method, names the invalid parameter in %s',
    async (target, field) => {
      const { status, json } = await gateway.request(`${PATH}/${target}`);
      expect(status).toBe(200);
      expect(json.errors[0]).toMatchObject({ field, code: 40001 });
    },
  );
});

describe('the gateway, given broken HTTP,', () => {
  it.each([
    ['noise', 'hello there\r\n\r\n', '400'],
    ['a short body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', '400'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400',
    ],
    ['endless headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
  ])('the gateway, given broken HTTP, answers %s with %s', async (_what, text, status) => {
    const answer = await talk(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ succ: false });
  });

  it('the gateway, given broken HTTP, closes the connection of a client that never finishes its headers', async () => {
    const slow = await GatewayUnderTest.start({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const socket = connectSocket(Number(new URL(slow.url).port), '127.0.0.1');
    const told: Buffer[] = [];
    socket.on('data', (data) => told.push(data));
    socket.write('POST / HTTP/1.1\r\nHost: x\r\n');
    await once(socket, 'close');
    expect(Buffer.concat(told).toString()).toMatch(/^HTTP\/1.1 408 /);
    await slow.close();
  });
});

describe('credentials', () => {
  const headers = (changes: Record<string, string | undefined> = {}) => {
    const stamp = { timestamp: String(NOW_MS), nonce: crypto.randomUUID() };
    const all = {
      Authorization: `Bearer ${TAKER.id}`,
      'Service-API-Timestamp': stamp.timestamp,
      'Service-API-Nonce': stamp.nonce,
      'Service-API-Signature': sign(TAKER.secret, signedContent(stamp)),
      ...changes,
    };
    return Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  };
  const request = (changed: Record<string, string | undefined>) =>
    gateway.request(`${PATH}/page?accountId=10001`, { by: null, headers: headers(changed) });

  it('credentials are accepted if they are valid', async () => {
    expect((await request({})).json.succ).toBe(true);
  });

  it.each([
    ['Authorization', undefined],
    ['Authorization', `Basic ${TAKER.id}`],
    ['Service-API-Timestamp', undefined],
    ['Service-API-Nonce', undefined],
    ['Service-API-Nonce', 'x'.repeat(65)],
    ['Service-API-Signature', undefined],
  ])(
    'credentials are refused with 401 and the name of the header if %s is %s',
    async (name, value) => {
      const { status, json } = await request({ [name]: value });
      expect({ status, code: json.code }).toEqual({ status: 401, code: 40101 });
      expect(json.errors[0].field).toBe(name);
    },
  );

  it('credentials get the same answer for an unknown key and for a wrong signature', async () => {
    const wrong = await request({ 'Service-API-Signature': `${'A'.repeat(43)}=` });
    const short = await request({ 'Service-API-Signature': 'AAAA' });
    const unknown = await request({ Authorization: 'Bearer nobody' });
    const illFormed = await request({ Authorization: `Bearer ${'k'.repeat(500)}` });
    expect(wrong).toMatchObject({ status: 401, json: { code: 40101 } });
    for (const other of [short, unknown, illFormed]) {
      expect(other.status).toBe(401);
      expect(other.json).toEqual(wrong.json);
    }
  });

  it.each([-15_001, 15_001, -86_400_000])(
    'credentials are refused with a timestamp %d ms off',
    async (awayMs) => {
      const { status, json } = await gateway.request(`${PATH}/page?accountId=10001`, {
        stampedAtMs: NOW_MS + awayMs,
      });
      expect({ status, code: json.code }).toEqual({ status: 401, code: 40102 });
    },
  );

  it.each([-15_000, 15_000])(
    'credentials are accepted with a timestamp %d ms off',
    async (awayMs) => {
      const { json } = await gateway.request(`${PATH}/page?accountId=10001`, {
        stampedAtMs: NOW_MS + awayMs,
      });
      expect(json.succ).toBe(true);
    },
  );

  it.each(['', 'now', '1776665215', '17766652157800', '1776665215780.0'])(
    'credentials are refused with the timestamp "%s"',
    async (timestamp) => {
      const { status, json } = await request({ 'Service-API-Timestamp': timestamp });
      expect({ status, code: json.code }).toEqual({ status: 401, code: 40102 });
    },
  );

  it('credentials are accepted only once', async () => {
    const same = headers();
    const target = `${PATH}/page?accountId=10001`;
    expect((await gateway.request(target, { by: null, headers: same })).json.succ).toBe(true);
    const again = await gateway.request(target, { by: null, headers: same });
    expect(again).toMatchObject({ status: 401, json: { code: 40103 } });
  });

  it('credentials do not consume their nonce if the signature is wrong', async () => {
    const right = headers();
    const before = gateway.nonces.size;
    await gateway.request(`${PATH}/page?accountId=10001`, {
      by: null,
      headers: { ...right, 'Service-API-Signature': `${'A'.repeat(43)}=` },
    });
    expect(gateway.nonces.size).toBe(before);
    const answer = await gateway.request(`${PATH}/page?accountId=10001`, {
      by: null,
      headers: right,
    });
    expect(answer.json.succ).toBe(true);
  });

  it('credentials are refused if a header is duplicated', async () => {
    const lines = Object.entries(headers()).map(([name, value]) => `${name}: ${value}\r\n`);
    const twice = `${lines.join('')}Service-API-Nonce: other\r\n`;
    const answer = await talk(
      `GET ${PATH}/page?accountId=10001 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${twice}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it('credentials cover the whole request for a key that binds it', async () => {
    const right = await gateway.submit(perpetualBody(), { by: BOUND });
    expect(right.json.succ).toBe(true);
    const read = await gateway.request(`${PATH}/page?accountId=10001`, { by: BOUND });
    expect(read.json.succ).toBe(true);
    const plain = await gateway.submit(perpetualBody(), { by: { ...BOUND, bindBody: false } });
    expect(plain).toMatchObject({ status: 401, json: { code: 40101 } });
    const stamp = { timestamp: String(NOW_MS), nonce: crypto.randomUUID() };
    const request = { method: 'POST', target: `${PATH}/submit`, body: Buffer.from('{"a":1}') };
    const swapped = await gateway.submit(perpetualBody(), {
      by: null,
      headers: {
        ...headers(),
        Authorization: `Bearer ${BOUND.id}`,
        'Service-API-Nonce': stamp.nonce,
        'Service-API-Signature': sign(BOUND.secret, signedContent(stamp, request)),
      },
    });
    expect(swapped).toMatchObject({ status: 401, json: { code: 40101 } });
  });
});

describe('the rate limit', () => {
  it('the rate limit refuses excess requests with the time to wait, per key and kind of request', async () => {
    const rule = { perSecond: 0.5, burst: 2 };
    const tight = await GatewayUnderTest.start({
      rates: { read: rule, submit: rule, cancel: rule },
    });
    const page = () => tight.request(`${PATH}/page?accountId=10001`);
    expect((await page()).status).toBe(200);
    expect((await page()).status).toBe(200);
    const third = await page();
    expect(third).toMatchObject({ status: 429, json: { succ: false, code: 42901 } });
    expect(third.headers.get('retry-after')).toBe('2');
    const cancel = await tight.request(`${PATH}/cancel-all`, { body: { accountId: 10001 } });
    expect(cancel.json.succ).toBe(true);
    tight.nowMs += 2_000;
    expect((await page()).status).toBe(200);
    await tight.close();
  });
});

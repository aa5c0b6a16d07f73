// People whom a proxy signs in: what it says counts from a trusted address and with its secret only, and their sessions are as
// bound as those that a code opens.
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ProxySignIn } from '../../../src/gateway/page/proxy-people.ts';
import { GatewayUnderTest, READER, STRANGER, TAKER } from '../gateway-under-test.ts';
import { browserRequest, type Signed, withSession } from './browser-request.ts';

const ORIGIN = 'https://twap.desk.example';
const TRADING = '/tt/broker/openapi/trading';
const SECRET = 'a secret of the proxy, 0123456789';
const ALICE = 'alice@desk.example';
const BOB = "bob o'neil";

const RULES: ProxySignIn = {
  personHeader: 'X-Forwarded-User',
  secretHeader: 'X-Twapd-Proxy-Secret',
  secret: SECRET,
  people: [
    { person: ALICE, key: 'taker', scopes: ['read', 'admin'] },
    { person: BOB, key: 'reader' },
    { person: 'carol', key: 'gone' },
  ],
};

const closers: (() => Promise<void>)[] = [];
/** Gateways on the same sessions. */
const { sessions, files, rules } = new GatewayUnderTest().page();
let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await started();
});
afterEach(() => {
  for (const one of [TAKER, READER]) gateway.keys.set(one.id, one);
});
afterAll(async () => {
  for (const close of closers) await close();
});

async function started(
  proxySignIn: ProxySignIn | undefined = RULES,
  trustedProxies: readonly string[] = ['127.0.0.1'],
): Promise<GatewayUnderTest> {
  const page = { sessions, files, rules, proxySignIn };
  const parts = { page, trustedProxies, origins: [ORIGIN] };
  const one = await GatewayUnderTest.start({}, parts);
  closers.push(one.close);
  return one;
}

/** What the proxy sends on for a person. */
const through = (person: string, more: Record<string, string> = {}): Record<string, string> => ({
  host: 'twap.desk.example',
  origin: ORIGIN,
  'x-forwarded-user': person,
  'x-twapd-proxy-secret': SECRET,
  'x-forwarded-for': '203.0.113.9',
  ...more,
});

const signIn = (headers: Record<string, string>, at = gateway) =>
  browserRequest(`${at.url}/page/sign-in`, { body: {}, headers });

async function entered(person: string): Promise<Signed> {
  const answer = await signIn(through(person));
  expect(answer.status).toBe(200);
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return { cookie, secret: answer.json.value.secret };
}

const switches = (headers: Record<string, string>, at = gateway) =>
  browserRequest(`${at.url}/page/api/switches`, { headers });

describe('coming in by a proxy', () => {
  test('a person whom the proxy names gets a session of their key, with at most the scopes that they are given', async () => {
    const answer = await signIn(through(ALICE));
    expect(String(answer.headers['set-cookie'])).toMatch(/^__Host-twapd_page=.*; Path=\/; Secure/);
    expect(answer.json.value).toMatchObject({
      keyId: 'taker',
      nickname: 'taker desk',
      person: ALICE,
      scopes: ['read', 'admin'],
    });
    const listed = (await gateway.request(`${TRADING}/page-sessions`)).json.value;
    const session = { keyId: 'taker', person: ALICE, address: '203.0.113.9' };
    expect(listed).toContainEqual(expect.objectContaining(session));
  });

  test.each([
    ['without the secret', { 'x-twapd-proxy-secret': '' }],
    ['with another secret', { 'x-twapd-proxy-secret': `${SECRET}.` }],
    ['without a person', { 'x-forwarded-user': '' }],
  ])('a request %s opens nothing', async (_what, change) => {
    const answer = await signIn(through(ALICE, change));
    expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
  });

  test('a header that a client sent beside that of the proxy opens nothing', async () => {
    for (const name of ['x-forwarded-user', 'x-twapd-proxy-secret']) {
      const twice = { [name]: [through(ALICE)[name], through(ALICE)[name]] };
      const headers = { ...through(ALICE), ...twice } as unknown as Record<string, string>;
      expect([name, (await signIn(headers)).status]).toEqual([name, 401]);
    }
  });

  test('the headers of an address that is no trusted proxy count for nothing, whatever it says about where it is', async () => {
    for (const trusted of [[], ['10.0.0.7']]) {
      const one = await started(RULES, trusted);
      const headers = through(ALICE, { 'x-forwarded-for': '10.0.0.7' });
      expect((await signIn(headers, one)).status).toBe(401);
    }
  });

  test('without a proxy in the configuration nobody comes in by its headers', async () => {
    const page = { sessions, files, rules };
    const parts = { page, trustedProxies: ['127.0.0.1'], origins: [ORIGIN] };
    const without = await GatewayUnderTest.start({}, parts);
    closers.push(without.close);
    expect((await signIn(through(ALICE), without)).status).toBe(401);
  });

  test('a person who is not listed exactly is refused, and so is one whose key is not in force', async () => {
    for (const person of ['mallory', ALICE.toUpperCase(), `${ALICE},${BOB}`, 'carol']) {
      const answer = await signIn(through(person));
      expect([person, answer.status, answer.json.errors[0].field]).toEqual([person, 403, 'person']);
    }
  });

  test('a key that needs a client certificate or another address is refused', async () => {
    gateway.keys.set('taker', { ...TAKER, certificate: 'ab'.repeat(32) });
    gateway.keys.set('reader', { ...READER, admits: (address) => address === '127.0.0.1' });
    expect((await signIn(through(ALICE))).status).toBe(403);
    expect((await signIn(through(BOB))).status).toBe(403);
    const near = through(BOB, { 'x-forwarded-for': '127.0.0.1' });
    expect((await signIn(near)).status).toBe(200);
  });

  test('the proxy opens no way around Host and Origin', async () => {
    const elsewhere = through(ALICE, { host: 'evil.test' });
    expect((await signIn(elsewhere)).status).toBe(403);
    const session = withSession(await entered(ALICE));
    expect((await switches({ ...session, ...elsewhere })).status).toBe(421);
    for (const origin of ['https://evil.test', 'http://twap.desk.example', 'null', '']) {
      expect((await signIn(through(ALICE, { origin }))).status).toBe(403);
    }
    const cross = through(ALICE, { 'sec-fetch-site': 'cross-site' });
    expect((await signIn(cross)).status).toBe(403);
  });
});

describe('a session that a proxy opened', () => {
  test('it is good only while the proxy names the same person', async () => {
    const session = withSession(await entered(ALICE));
    expect((await switches({ ...session, ...through(ALICE) })).status).toBe(200);
    expect((await switches({ ...session, ...through(BOB) })).status).toBe(401);
    const bare = { ...session, host: 'twap.desk.example', origin: ORIGIN };
    expect((await switches(bare)).status).toBe(401);
    const hello = { body: {}, headers: { cookie: session['cookie'] ?? '', ...through(BOB) } };
    expect((await browserRequest(`${gateway.url}/page/hello`, hello)).status).toBe(401);
  });

  test('its stream is opened and kept for the same person only', async () => {
    const { cookie, secret } = await entered(ALICE);
    const open = (person: string): WebSocket =>
      new WebSocket(`${gateway.url.replace('http', 'ws')}/page/ws`, ['twapd.page', secret], {
        headers: { ...through(person), cookie },
      });
    const [refusal] = await once(open(BOB), 'error');
    expect(String(refusal)).toContain('401');
    const socket = open(ALICE);
    await once(socket, 'open');
    const ended = once(socket, 'close');
    gateway.keys.delete('taker');
    gateway.nowMs += 1_000;
    expect((await ended)[0]).toBe(4401);
  });

  test('it ends when the configuration gives the person another key or fewer scopes', async () => {
    const session = withSession(await entered(ALICE));
    const again = async (people: ProxySignIn['people']): Promise<number> => {
      const next = await started({ ...RULES, people });
      return (await switches({ ...session, ...through(ALICE) }, next)).status;
    };
    expect(await again(RULES.people)).toBe(200);
    expect(await again([{ person: ALICE, key: 'reader' }])).toBe(401);
    expect(await again([{ person: ALICE, key: 'taker', scopes: ['read'] }])).toBe(401);
    expect(await again([{ person: BOB, key: 'taker' }])).toBe(401);
  });

  test('what starts trading again takes a code that the key alone gets', async () => {
    const session = withSession(await entered(ALICE));
    const set = (state: string, code?: string) =>
      browserRequest(`${gateway.url}/page/api/switch`, {
        body: { scope: 'deployment', state, reason: 'drill' },
        headers: {
          ...session,
          ...through(ALICE),
          ...(code !== undefined && { 'x-twapd-code': code }),
        },
      });
    expect((await set('halted')).status).toBe(200);
    expect((await set('active')).status).toBe(403);
    const body = { purpose: 'confirm' };
    const { json } = await gateway.request(`${TRADING}/page-code`, { body });
    expect((await set('active', json.value.code)).status).toBe(200);
  });

  test('a session that a code opened needs no proxy beside it', async () => {
    const { json } = await gateway.request(`${TRADING}/page-code`, {
      body: { purpose: 'open' },
      by: STRANGER,
    });
    const opened = await browserRequest(`${gateway.url}/page/open`, {
      body: { code: json.value.code },
    });
    expect(opened.status).toBe(200);
    expect(opened.json.value.person).toBeUndefined();
  });
});

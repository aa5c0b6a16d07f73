import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { PageOrigins } from '../../../src/gateway/http/page-origins.ts';
import { headerSecret } from '../../../src/gateway/page/page-access.ts';
import { cookieOf } from '../../../src/gateway/page/page-session-hooks.ts';
import type { PageSession } from '../../../src/ports/page/page-sessions.ts';
import { must } from '../../../src/values/assert.ts';
import { instant } from '../../../src/values/instant.ts';
import { GatewayUnderTest, NOW_MS, READER, STRANGER, TAKER } from '../gateway-under-test.ts';
import { browserRequest, enter, withSession } from './browser-request.ts';

const TRADING = '/tt/broker/openapi/trading';
const HALF_HOUR_MS = 1_800_000;

let gateway: GatewayUnderTest;
beforeEach(async () => {
  gateway = await GatewayUnderTest.start();
});
afterEach(() => gateway.close());

async function codeOf(body: object = { purpose: 'open' }, by: ApiKey = TAKER): Promise<string> {
  const answer = await gateway.request(`${TRADING}/page-code`, { body, by });
  return answer.json.value.code;
}

const signIn = async (by: ApiKey = TAKER) =>
  await enter(gateway.url, await codeOf({ purpose: 'open' }, by));

const switches = (headers: Record<string, string>) =>
  browserRequest(`${gateway.url}/page/api/switches`, { headers });

const set = (state: string, headers: Record<string, string>) =>
  browserRequest(`${gateway.url}/page/api/switch`, {
    body: { scope: 'deployment', state, reason: 'drill' },
    headers,
  });

describe('a row in the database', () => {
  const forged = {
    digest: 'x',
    keyId: 'taker',
    generation: 0,
    scopes: ['read', 'trade', 'admin'] as const,
    mac: 'x'.repeat(43),
  };
  const sha = (text: string): string => createHash('sha256').update(text).digest('base64url');
  const opened = { openedAt: instant(NOW_MS), usedAt: instant(NOW_MS) };
  const until = instant(NOW_MS + 60_000);

  test('a session that no gateway wrote is refused and reported', async () => {
    const { pageSessions } = gateway;
    const by = { address: '127.0.0.1', agent: '', ...opened, endsAt: until };
    await pageSessions.add({ ...forged, ...by, id: 'forged', digest: sha('cookie') });
    const session = { cookie: 'twapd_page=cookie', secret: headerSecret('cookie') };
    expect((await switches(withSession(session))).status).toBe(401);
    expect(gateway.reported.map(String)).toEqual([
      expect.stringContaining('session forged of key'),
    ]);
    const { json } = await gateway.request(`${TRADING}/page-sessions`);
    expect(json.value).toEqual([]);
  });

  test('a code that no gateway wrote is refused', async () => {
    const { pageSessions } = gateway;
    await pageSessions.addCode({ ...forged, purpose: 'open', digest: sha('code'), until });
    await pageSessions.addCode({ ...forged, purpose: 'confirm', digest: sha('CODECODE'), until });
    const answer = await browserRequest(`${gateway.url}/page/open`, { body: { code: 'code' } });
    expect(answer.status).toBe(401);
    const headers = { ...withSession(await signIn()), 'x-twapd-code': 'CODE-CODE' };
    expect((await set('active', headers)).status).toBe(403);
    expect(gateway.reported).toHaveLength(2);
  });

  test('a session that was altered is refused', async () => {
    const session = await signIn(READER);
    const [row] = await gateway.pageSessions.list(instant(NOW_MS));
    const own = must(row, 'a session');
    const replace = async (by: PageSession): Promise<void> => {
      await gateway.pageSessions.end(own.id);
      await gateway.pageSessions.add(by);
    };
    for (const altered of [
      { scopes: ['read', 'trade', 'admin'] as const },
      { keyId: 'taker' },
      { endsAt: instant(NOW_MS + 10 * 24 * HALF_HOUR_MS) },
    ]) {
      await replace({ ...own, ...altered });
      gateway.nowMs += 1_001;
      expect((await switches(withSession(session))).status, JSON.stringify(altered)).toBe(401);
    }
    await replace(own);
    gateway.nowMs += 1_001;
    expect((await switches(withSession(session))).status).toBe(200);
  });
});

describe('coming in', () => {
  test('a code opens one session, with a cookie that scripts and other paths do not get', async () => {
    const code = await codeOf();
    const first = await browserRequest(`${gateway.url}/page/open`, { body: { code } });
    expect(first.status).toBe(200);
    expect(String(first.headers['set-cookie'])).toMatch(
      /^twapd_page=[\w-]{43}; Path=\/page; HttpOnly; SameSite=Strict$/,
    );
    expect(first.json.value).toMatchObject({ keyId: 'taker', nickname: 'taker desk' });
    const second = await browserRequest(`${gateway.url}/page/open`, { body: { code } });
    expect(second.status).toBe(401);
    expect(second.headers['set-cookie']).toBeUndefined();
  });

  test('a code is good for two minutes', async () => {
    const code = await codeOf();
    gateway.nowMs += 120_000;
    expect((await browserRequest(`${gateway.url}/page/open`, { body: { code } })).status).toBe(401);
  });

  test('a code that confirms opens nothing', async () => {
    const code = await codeOf({ purpose: 'confirm' });
    expect((await browserRequest(`${gateway.url}/page/open`, { body: { code } })).status).toBe(401);
  });

  test('neither the cookie nor the second secret alone is a session', async () => {
    const session = await signIn();
    expect((await switches(withSession(session))).status).toBe(200);
    expect((await switches({ cookie: session.cookie })).status).toBe(401);
    expect((await switches({ 'x-twapd-session': session.secret })).status).toBe(401);
    const other = await signIn();
    expect((await switches({ ...withSession(session), cookie: other.cookie })).status).toBe(401);
  });

  test('behind TLS only the cookie that is bound to the host counts, wherever it stands', () => {
    const origins = new PageOrigins(['https://twap.desk.example']);
    const asked = (host: string, cookie: string) =>
      cookieOf({ headers: { host, cookie }, socket: {} } as unknown as IncomingMessage, origins);
    const [own, planted] = ['__Host-twapd_page=own', 'twapd_page=planted'];
    for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`]) {
      expect(asked('twap.desk.example', cookie)).toBe('own');
      expect(asked('127.0.0.1:8080', cookie)).toBe('planted');
    }
    expect(asked('twap.desk.example', planted)).toBe('');
  });

  test('JSON is never taken for another type', async () => {
    for (const path of ['/healthz', '/page/api/switches', '/api/public/get_time', '/nothing']) {
      const { headers } = await browserRequest(gateway.url + path);
      expect(headers['x-content-type-options'], path).toBe('nosniff');
    }
  });

  test('the second secret is the same for every tab, and only for a session', async () => {
    const { cookie, secret } = await signIn();
    const again = await browserRequest(`${gateway.url}/page/hello`, {
      body: {},
      headers: { cookie },
    });
    expect(again.json.value.secret).toBe(secret);
    expect(again.headers['access-control-allow-origin']).toBeUndefined();
    expect((await browserRequest(`${gateway.url}/page/hello`, { body: {} })).status).toBe(401);
  });

  test('the cookie opens nothing that programs sign', async () => {
    const headers = withSession(await signIn());
    const answer = await browserRequest(`${gateway.url}${TRADING}/switches`, { headers });
    expect(answer.status).toBe(401);
  });

  test('a session has no scope that its code or its key lacks', async () => {
    const code = await codeOf({ purpose: 'open', scopes: ['read', 'trade'] });
    const headers = withSession(await enter(gateway.url, code));
    expect((await set('halted', headers)).status).toBe(403);
    const answer = await gateway.request(`${TRADING}/page-code`, {
      body: { purpose: 'open', scopes: ['read', 'admin'] },
      by: READER,
    });
    expect(answer.json.value.scopes).toEqual(['read']);
  });

  test('a session for reading is granted to a key that may trade', async () => {
    const code = await codeOf({ purpose: 'open', scopes: ['read'] });
    const headers = withSession(await enter(gateway.url, code));
    expect((await set('halted', headers)).status).toBe(403);
    const answer = await gateway.request(`${TRADING}/page-sessions`);
    expect(answer.json.value).toMatchObject([{ scopes: ['read'] }]);
  });
});

describe('a browser that visits another page', () => {
  const foreign = ['http://127.0.0.1:1', 'https://evil.test', 'null', ''];

  test.each(foreign)(
    'a browser at origin %j is refused whatever changes something',
    async (origin) => {
      const headers = { ...withSession(await signIn()), origin };
      const answer = await set('halted', headers);
      expect([answer.status, answer.json.errors[0].field]).toEqual([403, 'Origin']);
      expect(
        (await browserRequest(`${gateway.url}/page/hello`, { body: {}, headers })).status,
      ).toBe(403);
    },
  );

  test('a request that the browser says comes from another site is refused', async () => {
    const headers = { ...withSession(await signIn()), 'sec-fetch-site': 'same-site' };
    expect((await set('halted', headers)).status).toBe(403);
  });

  test.each(['evil.test', '127.0.0.1.evil.test', '127.0.0.1:1', '127.0.0.1'])(
    'the host %s gets neither the page nor a session',
    async (host) => {
      const headers = { ...withSession(await signIn()), host };
      for (const path of ['/', '/page/api/switches']) {
        const answer = await browserRequest(gateway.url + path, { headers });
        expect([path, answer.status, answer.json.code]).toEqual([path, 421, 42110]);
      }
    },
  );

  test('a foreign page is refused a signed operation and every WebSocket, a program without an Origin is not', async () => {
    const answer = await gateway.request('/api/public/get_time', {
      body: { rid: 1 },
      headers: { origin: 'https://evil.test' },
    });
    expect(answer.status).toBe(403);
    const { port } = new URL(gateway.url);
    for (const path of ['/ws/api', '/ws/portfolio', '/ws/api/v2', '/page/ws', '/page/ws/api']) {
      expect([path, await upgraded(path, { origin: 'https://evil.test' })]).toEqual([path, 403]);
      expect([path, await upgraded(path, { origin: `http://evil.test:${port}` })]).toEqual([
        path,
        403,
      ]);
    }
    expect(await upgraded('/ws/api', {})).toBe(101);
    expect(await upgraded('/ws/api', { origin: gateway.url })).toBe(101);
  });
});

describe('a session', () => {
  test('it ends half an hour after the last use by a person', async () => {
    const headers = withSession(await signIn());
    gateway.nowMs += HALF_HOUR_MS - 1;
    expect((await switches(headers)).status).toBe(200);
    expect((await browserRequest(`${gateway.url}/page/use`, { body: {}, headers })).status).toBe(
      200,
    );
    gateway.nowMs += HALF_HOUR_MS - 1;
    expect((await switches(headers)).status).toBe(200);
    gateway.nowMs += 1;
    expect((await switches(headers)).status).toBe(401);
  });

  test('it ends after twelve hours of use', async () => {
    const headers = withSession(await signIn());
    for (let used = 1; used <= 24; used += 1) {
      gateway.nowMs += HALF_HOUR_MS - 1_000;
      await browserRequest(`${gateway.url}/page/use`, { body: {}, headers });
    }
    gateway.nowMs = NOW_MS + 24 * HALF_HOUR_MS - 1;
    expect((await switches(headers)).status).toBe(200);
    gateway.nowMs += 1;
    expect((await switches(headers)).status).toBe(401);
  });

  test('a session is kept by the store: another gateway on it accepts it', async () => {
    const session = await signIn();
    const other = await GatewayUnderTest.start({}, { page: gateway.page() });
    try {
      const answer = await browserRequest(`${other.url}/page/api/switches`, {
        headers: withSession(session),
      });
      expect(answer.status).toBe(200);
    } finally {
      await other.close();
    }
  });

  test('a session is listed without its secrets, and ended by its id, its stream with it', async () => {
    const session = await signIn();
    const socket = new WebSocket(
      `${gateway.url.replace('http', 'ws')}/page/ws`,
      ['twapd.page', session.secret],
      {
        headers: { cookie: session.cookie, origin: gateway.url },
      },
    );
    await once(socket, 'open');
    const ended = once(socket, 'close');
    const listed = await gateway.request(`${TRADING}/page-sessions`);
    expect(JSON.stringify(listed.json)).not.toContain(session.secret);
    const [{ id, keyId }] = listed.json.value;
    expect(keyId).toBe('taker');
    const byOther = await gateway.request(`${TRADING}/page-session-end`, {
      body: { id },
      by: STRANGER,
    });
    expect(byOther.json.succ).toBe(false);
    const byOwner = await gateway.request(`${TRADING}/page-session-end`, { body: { id } });
    expect(byOwner.json.succ).toBe(true);
    expect((await switches(withSession(session))).status).toBe(401);
    gateway.nowMs += 1_000;
    expect((await ended)[0]).toBe(4401);
  });

  test('it ends with its key', async () => {
    const headers = withSession(await signIn());
    gateway.keys.delete('taker');
    expect((await switches(headers)).status).toBe(401);
  });

  test('it ends when its holder leaves', async () => {
    const headers = withSession(await signIn());
    const answer = await browserRequest(`${gateway.url}/page/leave`, { body: {}, headers });
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await switches(headers)).status).toBe(401);
  });
});

describe('stopping and starting', () => {
  test('halting takes the session alone, activating a fresh code of the same key, once', async () => {
    const headers = withSession(await signIn());
    expect((await set('halted', headers)).json.value).toMatchObject({
      state: 'halted',
      uid: '7001',
    });
    for (const state of ['active', 'reducing']) {
      const bare = await set(state, headers);
      expect([bare.status, bare.json.errors[0].field]).toEqual([403, 'code']);
    }
    const strangers = await codeOf({ purpose: 'confirm' }, STRANGER);
    expect((await set('active', { ...headers, 'x-twapd-code': strangers })).status).toBe(403);
    const code = await codeOf({ purpose: 'confirm' });
    const typed = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
    expect((await set('active', { ...headers, 'x-twapd-code': typed })).status).toBe(200);
    expect((await set('active', { ...headers, 'x-twapd-code': typed })).status).toBe(403);
    expect((await set('reducing', headers)).status).toBe(200);
  });

  test('activating takes a code however its address is written', async () => {
    const headers = withSession(await signIn());
    expect((await set('halted', headers)).status).toBe(200);
    for (const path of ['%73witch', 'switch?a=1', 's%77itch#x', '%2e/switch', 'switch/']) {
      const answer = await browserRequest(`${gateway.url}/page/api/${path}`, {
        body: { scope: 'deployment', state: 'active', reason: 'drill' },
        headers,
      });
      expect([path, answer.status], path).not.toEqual([path, 200]);
    }
    const answer = await gateway.request(`${TRADING}/switches`);
    expect(answer.json.value).toMatchObject([{ scope: 'deployment', state: 'halted' }]);
  });

  test('a code that opens confirms nothing', async () => {
    const headers = withSession(await signIn());
    const code = await codeOf({ purpose: 'open' });
    expect((await set('active', { ...headers, 'x-twapd-code': code })).status).toBe(403);
  });

  test('a deployment whose page only reads lets no session change anything', async () => {
    const rules = { ...gateway.page().rules, access: 'read' } as const;
    const reading = await GatewayUnderTest.start({}, { page: { ...gateway.page(), rules } });
    try {
      const { json } = await reading.request(`${TRADING}/page-code`, { body: { purpose: 'open' } });
      const headers = withSession(await enter(reading.url, json.value.code));
      const answer = await browserRequest(`${reading.url}/page/api/switch`, {
        body: { scope: 'deployment', state: 'halted', reason: 'drill' },
        headers,
      });
      expect(answer.status).toBe(403);
    } finally {
      await reading.close();
    }
  });

  test('a deployment without a page has neither the page nor its operations', async () => {
    const rules = { ...gateway.page().rules, access: 'off' } as const;
    const without = await GatewayUnderTest.start({}, { page: { ...gateway.page(), rules } });
    try {
      expect((await browserRequest(`${without.url}/`)).status).toBe(404);
      const answer = await without.request(`${TRADING}/page-code`, { body: { purpose: 'open' } });
      expect(answer.status).toBe(404);
    } finally {
      await without.close();
    }
  });
});

test('the page is served under a policy that allows its own files only, and is small', async () => {
  const index = await browserRequest(`${gateway.url}/`);
  expect(index.status).toBe(200);
  const policy = String(index.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toContain('unsafe');
  expect(index.text).not.toMatch(/<script>|<style|onload|https?:/);
  const files = [...index.text.matchAll(/"(\/page\/[^"]+)"/g)].map(([, path]) =>
    must(path, 'a path'),
  );
  expect(files).toHaveLength(2);
  const sizes = await Promise.all(
    files.map(async (path) => {
      const file = await browserRequest(gateway.url + path, {
        headers: { 'accept-encoding': 'br' },
      });
      expect([file.status, file.headers['content-encoding']]).toEqual([200, 'br']);
      return Number(file.headers['content-length']);
    }),
  );
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(120_000);
});

/** The status that an upgrade is answered with. */
async function upgraded(path: string, headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, { headers });
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
  });
  socket.terminate();
  return status;
}

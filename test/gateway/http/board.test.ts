// The queue's page is for admins: with signed headers, or with a single-use link that opens a session.
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { signedHeaders, signedQuery } from '../../../src/gateway/auth/signed-stamp.ts';
import { SESSION_SEC } from '../../../src/gateway/http/board-sessions.ts';
import { GatewayUnderTest, NOW_MS, READER, STRANGER, TAKER } from '../gateway-under-test.ts';
import { browserRequest } from '../page/browser-request.ts';

let gateway: GatewayUnderTest;
afterEach(() => gateway.close());

/** A page and a resource it requests, like the real board. */
const started = (origins: readonly string[] = []): Promise<GatewayUnderTest> =>
  GatewayUnderTest.start(
    {},
    {
      origins,
      board: (app, _options, done) => {
        app.get('/', (_request, reply) => reply.type('text/html').send('the board'));
        app.get('/api/queues', () => ({ queues: [] }));
        done();
      },
    },
  );

const credentialsOf = (key: ApiKey) => ({ keyId: key.id, secret: key.secret });
const linkFor = (key: ApiKey): string =>
  `${gateway.url}/queues?${signedQuery(credentialsOf(key), NOW_MS, '/queues')}`;
const cookieOf = (answer: Response): string =>
  answer.headers.get('set-cookie')?.split(';')[0] ?? '';
const boardAs = (cookie: string): Promise<Response> =>
  fetch(`${gateway.url}/queues/`, { headers: { cookie } });

describe('the page of the queue', () => {
  it('the page of the queue is refused without credentials', async () => {
    gateway = await started();
    for (const path of ['/queues', '/queues/', '/queues/api/queues']) {
      expect((await fetch(`${gateway.url}${path}`)).status, path).toBe(401);
    }
    expect((await boardAs('twapd_board=made-up')).status).toBe(401);
  });

  it('the page of the queue is served to an admin with signed headers', async () => {
    gateway = await started();
    const bound = { method: 'GET', target: '/queues/', body: Buffer.alloc(0) };
    const headers = signedHeaders(credentialsOf(TAKER), NOW_MS, bound);
    const answer = await fetch(`${gateway.url}/queues/`, { headers });
    expect(await answer.text()).toBe('the board');
  });

  it.each([
    ['reader', READER],
    ['trader', STRANGER],
  ])('the page of the queue is refused to a %s without the scope admin', async (_who, key) => {
    gateway = await started();
    const answer = await fetch(linkFor(key));
    expect(answer.status).toBe(403);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('behind TLS the cookie of the session is bound to its host, and no other is accepted', async () => {
    gateway = await started(['https://queues.desk.example']);
    const headers = { host: 'queues.desk.example' };
    const welcome = await browserRequest(linkFor(TAKER), { headers });
    const set = String(welcome.headers['set-cookie']);
    expect(set).toMatch(
      /^__Host-twapd_board=\S+; Path=\/; Secure; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    const [cookie = ''] = set.split(';');
    const board = `${gateway.url}/queues/`;
    const seen = await browserRequest(board, { headers: { ...headers, cookie } });
    expect(seen.status).toBe(200);
    const bare = cookie.replace('__Host-', '');
    const refused = await browserRequest(board, { headers: { ...headers, cookie: bare } });
    expect(refused.status).toBe(401);
  });

  it('the page of the queue opens a session for a link, once, with a cookie that scripts and other sites cannot use', async () => {
    gateway = await started();
    const link = linkFor(TAKER);
    const welcome = await fetch(link);
    expect(welcome.status).toBe(200);
    expect(await welcome.text()).toContain('url=/queues/');
    expect(welcome.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(welcome.headers.get('set-cookie')).toContain('Path=/queues;');
    expect(await (await boardAs(cookieOf(welcome))).text()).toBe('the board');
    expect((await fetch(link)).status).toBe(401);
  });

  it('the page of the queue is refused after the session has expired', async () => {
    gateway = await started();
    const cookie = cookieOf(await fetch(linkFor(TAKER)));
    gateway.nowMs += SESSION_SEC * 1_000 - 1;
    expect((await boardAs(cookie)).status).toBe(200);
    gateway.nowMs += 1;
    expect((await boardAs(cookie)).status).toBe(401);
  });

  it('the page of the queue is not in the API documents, and absent without a queue', async () => {
    gateway = await started();
    const described = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
      readonly paths: object;
    };
    expect(Object.keys(described.paths).filter((path) => path.startsWith('/queues'))).toEqual([]);
    await gateway.close();
    gateway = await GatewayUnderTest.start();
    expect((await fetch(`${gateway.url}/queues/`)).status).toBe(404);
  });
});

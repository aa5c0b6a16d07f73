// A page that is loaded late is the same page, behind the same door.
import type { FastifyPluginCallback } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { signedHeaders } from '../../../src/gateway/auth/signed-stamp.ts';
import { latePlugin } from '../../../src/gateway/http/late-plugin.ts';
import { GatewayUnderTest, NOW_MS, READER, TAKER } from '../gateway-under-test.ts';

let gateway: GatewayUnderTest;
afterEach(() => gateway.close());

const page: FastifyPluginCallback = (app, _options, done) => {
  app.get('/', (_request, reply) => reply.type('text/html').send('the board'));
  app.get('/api/queues', () => ({ queues: [] }));
  app.put('/api/queues', (request, reply) => reply.code(405).send({ got: request.body }));
  done();
};

const asked = (
  target: string,
  { by = TAKER, method = 'GET', body = '' } = {},
): Promise<Response> => {
  const bound = { method, target, body: Buffer.alloc(0) };
  const headers = signedHeaders({ keyId: by.id, secret: by.secret }, NOW_MS, bound);
  return fetch(`${gateway.url}${target}`, {
    method,
    headers: { ...headers, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(body !== '' && { body }),
  });
};

it('a late page is loaded once, by the first request that is admitted, and answers every path, method and body', async () => {
  let loads = 0;
  const { plugin } = latePlugin('/queues', () => {
    loads += 1;
    return Promise.resolve(page);
  });
  gateway = await GatewayUnderTest.start({}, { board: plugin });
  expect((await fetch(`${gateway.url}/queues/`)).status).toBe(401);
  expect((await asked('/queues/', { by: READER })).status).toBe(403);
  expect(loads).toBe(0);
  const shown = await asked('/queues/');
  expect(await shown.text()).toBe('the board');
  expect(shown.headers.get('x-frame-options')).toBe('DENY');
  expect(shown.headers.get('content-type')).toBe('text/html');
  expect(await (await asked('/queues/api/queues')).json()).toEqual({ queues: [] });
  const put = await asked('/queues/api/queues', { method: 'PUT', body: '{"a":1}' });
  expect([put.status, await put.json()]).toEqual([405, { got: { a: 1 } }]);
  expect((await asked('/queues/nowhere')).status).toBe(404);
  expect(loads).toBe(1);
});

it('a late page that cannot be loaded fails the request, and is loaded by a later one', async () => {
  let isBroken = true;
  const { plugin, load } = latePlugin('/queues', () =>
    isBroken ? Promise.reject(new Error('not there yet')) : Promise.resolve(page),
  );
  gateway = await GatewayUnderTest.start({}, { board: plugin });
  expect((await asked('/queues/')).status).toBe(500);
  isBroken = false;
  await load();
  expect(await (await asked('/queues/')).text()).toBe('the board');
});

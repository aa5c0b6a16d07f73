// Reads bodies over a real socket, split into arbitrary pieces.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBody } from '../../../src/gateway/http/read-body.ts';

const LIMIT = 4_096;

let app: FastifyInstance;
let port = 0;
let handled = 0;
/** Whether the body is read only after all of it may have arrived. */
let isLate = false;

beforeAll(async () => {
  app = Fastify({ logger: false, bodyLimit: LIMIT });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) =>
    readBody(request, payload, done),
  );
  app.addHook('onRequest', async () => {
    if (isLate) for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  });
  app.post('/', (request) => {
    handled += 1;
    return { body: (request.body as Buffer).toString('hex') };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

async function opened(headers: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`,
  );
  return socket;
}

async function asked(headers: string, pieces: readonly Buffer[]): Promise<string> {
  const socket = await opened(headers);
  const answer = untilClosed(socket);
  for (const piece of pieces) {
    socket.write(piece);
    await nextTurn();
  }
  return await answer;
}

/** Everything the server sends. It may reset the connection after a refusal: it has not read the rest of the body. */
function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (piece) => {
    text += piece;
  });
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

const chunk = (piece: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
const LAST = Buffer.from('0\r\n\r\n');

const pieces = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 200, size: 'max' }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((all) => all.map((bytes) => Buffer.from(bytes)));

test('a body is read completely, with Content-Length or chunked, early or late', async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), fc.boolean(), async (parts, isChunked, late) => {
      isLate = late;
      const body = Buffer.concat(parts);
      const answer = isChunked
        ? await asked('Transfer-Encoding: chunked', [...parts.map(chunk), LAST])
        : await asked(`Content-Length: ${body.length}`, parts);
      expect(answer.startsWith('HTTP/1.1 200')).toBe(true);
      expect(answer).toContain(`{"body":"${body.toString('hex')}"}`);
    }),
    { numRuns: 60 },
  );
});

test.each([false, true])('a body above the limit is refused (read late: %s)', async (late) => {
  isLate = late;
  const before = handled;
  const over = Buffer.alloc(LIMIT + 1, 'a');
  expect(await asked(`Content-Length: ${over.length}`, [])).toMatch(/^HTTP\/1.1 413/);
  expect(await asked('Transfer-Encoding: chunked', [chunk(over)])).toMatch(/^HTTP\/1.1 413/);
  expect(handled).toBe(before);
});

test('bodies at the limit and one byte below it are accepted', async () => {
  isLate = false;
  for (const length of [LIMIT - 1, LIMIT]) {
    const answer = await asked(`Content-Length: ${length}`, [Buffer.alloc(length, 'a')]);
    expect(answer).toMatch(/^HTTP\/1.1 200/);
  }
});

test.each([false, true])('a truncated body reaches no route (read late: %s)', async (late) => {
  isLate = late;
  const before = handled;
  const closed = new Promise<void>((resolve) => {
    app.server.once('connection', (socket: Socket) => socket.once('close', () => resolve()));
  });
  const socket = await opened('Content-Length: 10');
  socket.write('12345');
  await nextTurn();
  socket.destroy();
  await closed;
  expect(handled).toBe(before);
});

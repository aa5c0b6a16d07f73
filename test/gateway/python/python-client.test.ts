// The delivered Python client without a daemon: that it follows the schemas, signs as the other client does, and stands what
// a server may send, correct or not.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { sign, signedContent } from '../../../src/gateway/auth/signature.ts';
import { currentClient, PYTHON_CLIENT } from './generated-part.ts';

const run = promisify(execFile);
const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };

async function probe(...words: readonly string[]): Promise<unknown> {
  const { stdout } = await run('python3', ['test/gateway/python/probe.py', ...words], { env });
  return JSON.parse(stdout);
}

let server: Server | undefined;
afterEach(async () => {
  const closing = server;
  server = undefined;
  if (closing === undefined) return;
  await new Promise((done) => closing.close(done));
});

async function urlOf(listening: Server, scheme = 'ws'): Promise<string> {
  server = listening;
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return `${scheme}://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
}

test('the delivered client has the operations and shapes of the current schemas; TWAPD_UPDATE_PYTHON=1 writes them', () => {
  const current = currentClient();
  if (process.env['TWAPD_UPDATE_PYTHON'] === '1') writeFileSync(PYTHON_CLIENT, current);
  expect(readFileSync(PYTHON_CLIENT, 'utf8')).toBe(current);
});

test('the Python client signs as the TypeScript client does, with and without the request', async () => {
  const bound = { method: fc.constantFrom('GET', 'POST'), target: fc.webPath(), body: fc.string() };
  const stamped = {
    secret: fc
      .uint8Array({ minLength: 1, maxLength: 80, size: 'max' })
      .map((b) => Buffer.from(b).toString('base64')),
    timestamp: fc.nat().map(String),
    nonce: fc.uuid(),
  };
  const cases = fc.sample(fc.oneof(fc.record(stamped), fc.record({ ...stamped, ...bound })), 60);
  const expected = cases.map((one) =>
    sign(
      one.secret,
      signedContent(one, 'body' in one ? { ...one, body: Buffer.from(one.body) } : undefined),
    ),
  );
  expect(await probe('signatures', JSON.stringify(cases))).toEqual(expected);
});

test('decimals keep their digits in both directions, and a float is refused with its field', async () => {
  expect(await probe('values')).toEqual({
    text: '{"a":"0.00000001","b":[1,"x",null,true]}',
    number: '{"a":0.10}',
    failures: [
      'legs[0].quantity is the float 0.1; accepted: Decimal, int or text',
      'legs[0].quantity is NaN; accepted: a finite decimal',
    ],
    price: '0.1000000000000000055',
    kinds: ['Decimal', 'str', 'Decimal', 'Decimal'],
  });
});

test('records become rows with dotted names, and a data frame where pandas is installed', async () => {
  const { row, made } = (await probe('tables')) as { row: string[]; made: string };
  expect(row).toEqual(['a.b', 'a.c', 'd']);
  expect([
    '1.0',
    'frame() needs pandas, which is not installed; flat() gives plain rows',
  ]).toContain(made);
});

describe('an answer over HTTP', () => {
  /** A daemon that gives these answers one after the other; the socket is cut for an absent one. */
  async function answering(
    ...answers: readonly (readonly [number, object, string?] | undefined)[]
  ) {
    const asked: string[] = [];
    const http = createHttp((request, response) => {
      const answer = answers[asked.length];
      asked.push(String(request.headers['idempotency-key']));
      if (answer === undefined) return void request.socket.destroy();
      const [status, body, retryAfter] = answer;
      if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
      response.writeHead(status).end(JSON.stringify(body));
    });
    return { url: (await urlOf(http, 'http')).replace(/\/$/, ''), asked };
  }
  const done = { succ: true, code: 0, message: '', value: null };
  const fault = { field: 'legs[0].side', code: 40001, message: 'is 3; accepted: 1 or 2' };
  const refused = { succ: false, code: 40001, message: 'no', value: null, errors: [fault] };

  test('a refusal names the fields, what was wrong and what would be accepted', async () => {
    const { url, asked } = await answering([200, refused]);
    expect(await probe('refusal', url, '0')).toMatchObject({
      kind: 'Refused',
      errors: [[fault.field, fault.code, fault.message]],
      retryAfter: null,
    });
    expect(asked).toEqual(['k']);
  });

  test('a request refused for now is repeated after Retry-After within the patience, with the same key', async () => {
    const { url, asked } = await answering([503, refused, '0'], [200, done]);
    expect(await probe('refusal', url, '60')).toEqual({ kind: 'done', value: null });
    expect(asked).toEqual(['k', 'k']);
  });

  test('a request refused for longer than the patience is not repeated', async () => {
    const { url, asked } = await answering([429, refused, '100']);
    expect(await probe('refusal', url, '60')).toMatchObject({ status: 429, retryAfter: 100 });
    expect(asked).toHaveLength(1);
  });

  test('a request without a usable answer has an unknown outcome and is not repeated', async () => {
    const { url, asked } = await answering(undefined);
    expect(await probe('refusal', url, '60')).toEqual({ kind: 'OutcomeUnknown' });
    expect(asked).toHaveLength(1);
    const unknown = { error: { code: 13028, message: 'unknown', data: { param: '', reason: '' } } };
    await new Promise((closed) => server?.close(closed));
    expect(await probe('refusal', (await answering([503, unknown, '0'])).url, '60')).toEqual({
      kind: 'OutcomeUnknown',
    });
  });

  test('a request that reached nobody is reported as such', async () => {
    const { url } = await answering();
    await new Promise((closed) => server?.close(closed));
    server = undefined;
    expect(await probe('refusal', url, '60')).toEqual({ kind: 'Unreachable' });
  });
});

const ACCEPT = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A server that answers the handshake correctly and then writes these bytes, one chunk after the other. */
async function writing(chunks: readonly Buffer[], head?: string, isOver = false): Promise<string> {
  return await urlOf(
    createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (request) => {
        const key = /sec-websocket-key: (.*)\r/i.exec(request.toString())?.[1] ?? '';
        const accept = createHash('sha1')
          .update(key + ACCEPT)
          .digest('base64');
        const usual = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;
        socket.write(head ?? usual);
        socket.resume();
        void writeAll(socket, chunks).then(() => isOver && socket.end());
      });
    }),
  );
}

async function writeAll(socket: Socket, chunks: readonly Buffer[]): Promise<void> {
  for (const chunk of chunks) {
    await new Promise((written) => socket.write(chunk, written));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const frame = (first: number, payload: string | Buffer): Buffer => {
  const body = Buffer.from(payload);
  return Buffer.concat([bytes(first, body.length), body]);
};
const CLOSE = frame(0x88, Buffer.concat([bytes(0x03, 0xe8), Buffer.from('over')]));
const closed = { kind: 'Closed', code: 1000, reason: 'over' };

describe('the WebSocket', () => {
  test.each([
    ['whole', [frame(0x81, 'ab€'), CLOSE], ['ab€']],
    [
      'in fragments that split a character, with a ping between',
      [
        frame(0x01, Buffer.from('€').subarray(0, 1)),
        frame(0x89, 'p'),
        frame(0x00, Buffer.from('€').subarray(1)),
        frame(0x80, ''),
        CLOSE,
      ],
      ['€'],
    ],
    [
      'byte by byte',
      [...Buffer.concat([frame(0x81, 'abc'), CLOSE])].map((one) => bytes(one)),
      ['abc'],
    ],
    [
      'several in one chunk',
      [Buffer.concat([frame(0x81, 'a'), frame(0x8a, ''), frame(0x81, ''), CLOSE])],
      ['a', ''],
    ],
    [
      'long, with a length of two bytes',
      [Buffer.concat([bytes(0x81, 126, 0x01, 0x00), Buffer.alloc(256, 'x'), CLOSE])],
      ['x'.repeat(256)],
    ],
  ] as const)('the WebSocket takes a message that comes %s', async (_how, chunks, messages) => {
    expect(await probe('web_socket', await writing(chunks), '1000')).toEqual({
      messages,
      ...closed,
    });
  });

  test.each([
    ['a reserved bit', [frame(0xc1, 'a')], 1002],
    ['a masked frame', [bytes(0x81, 0x81, 1, 2, 3, 4, 5)], 1002],
    ['an unknown opcode', [frame(0x83, 'a')], 1002],
    ['an unknown control opcode', [frame(0x8b, 'a')], 1002],
    ['a fragmented ping', [frame(0x09, 'a')], 1002],
    ['a ping of 126 bytes', [bytes(0x89, 126, 0, 126)], 1002],
    ['a continuation of nothing', [frame(0x80, 'a')], 1002],
    ['a message within a message', [frame(0x01, 'a'), frame(0x81, 'b')], 1002],
    ['a length in a longer form than needed', [bytes(0x81, 126, 0, 1, 97)], 1002],
    ['a length of 2^63', [bytes(0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0)], 1009],
    ['a message above the bound', [bytes(0x81, 126, 0x03, 0xe9)], 1009],
    [
      'fragments that exceed the bound together',
      [Buffer.concat([bytes(0x01, 126, 0x03, 0xe8), Buffer.alloc(1000)]), bytes(0x80, 1)],
      1009,
    ],
    ['a binary message', [frame(0x82, 'a')], 1003],
    ['text that is no UTF-8', [frame(0x81, bytes(0xc3, 0x28))], 1007],
    ['half a character', [frame(0x81, bytes(0xe2, 0x82))], 1007],
    ['a surrogate', [frame(0x81, bytes(0xed, 0xa0, 0x80))], 1007],
    ['a close frame with half a code', [frame(0x88, 'a')], 1002],
    ['a close frame with a code that is never sent', [frame(0x88, bytes(0x03, 0xed))], 1002],
    ['a close frame with a code below 1000', [frame(0x88, bytes(0, 1))], 1002],
    ['a close reason that is no UTF-8', [frame(0x88, bytes(0x03, 0xe8, 0xff))], 1007],
  ] as const)('the WebSocket ends with its reason at %s', async (_what, chunks, code) => {
    expect(await probe('web_socket', await writing(chunks), '1000')).toMatchObject({
      messages: [],
      kind: 'BrokenProtocol',
      code,
    });
  });

  test('the WebSocket reports a connection that ends without a close frame, also within a message', async () => {
    const url = await writing([frame(0x01, 'a')], undefined, true);
    expect(await probe('web_socket', url, '1000')).toMatchObject({ kind: 'Closed', code: 1006 });
  });

  test.each([
    ['another protocol', 'SSH-2.0-x\r\n\r\n', 'BrokenProtocol'],
    [
      'a wrong accept key',
      'HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\n\r\n',
      'BrokenProtocol',
    ],
    ['a head without an end', `HTTP/1.1 101 x\r\n${'x: y\r\n'.repeat(9_000)}`, 'BrokenProtocol'],
  ])('the WebSocket refuses a handshake that is answered with %s', async (_what, head, kind) => {
    expect(await probe('web_socket', await writing([], head), '1000')).toMatchObject({ kind });
  });

  test('the WebSocket reports a refused upgrade with status, field and Retry-After', async () => {
    const body = JSON.stringify({
      succ: false,
      code: 1,
      message: 'm',
      errors: [{ field: 'apiKey', code: 1, message: 'm' }],
    });
    const head = `HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const url = await writing([], head);
    expect(await probe('web_socket', url, '1000')).toEqual({
      kind: 'Refused',
      status: 429,
      field: 'apiKey',
      retryAfter: 7,
    });
  });

  test('the WebSocket sends messages of every length that an independent server reads unchanged', async () => {
    const echoing = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(echoing, 'listening');
    echoing.on('connection', (socket) => socket.on('message', (text) => socket.send(String(text))));
    const { port } = echoing.address() as AddressInfo;
    const sizes = [0, 1, 3, 41, 42, 125, 126, 127, 65_535, 65_536, 300_000];
    const same = await probe('echo', `ws://127.0.0.1:${port}/`, JSON.stringify(sizes));
    expect(same).toEqual(sizes.map(() => true));
    await new Promise((done) => echoing.close(done));
  });

  test('the WebSocket keeps what it has of a message when a time-out ends within it', async () => {
    const whole = frame(0x81, 'slow');
    const url = await writing([whole.subarray(0, 3)]);
    server?.on('connection', (socket: Socket) => {
      let chunks = 0;
      // After the handshake comes what the client sends once it has waited in vain.
      socket.on('data', () => {
        chunks += 1;
        if (chunks === 2) socket.write(whole.subarray(3));
      });
    });
    expect(await probe('slowly', url)).toEqual({ text: 'slow', waited: true });
  });
});

test('a news stream that was closed because it read too slowly continues after the last message it passed on', async () => {
  const push = (sequence: string): string =>
    JSON.stringify({
      op: 'push',
      channel: 'trade-news',
      timestamp: '1',
      sequence,
      data: {
        messageType: 'PORTFOLIO_SLICE',
        portfolioId: '1',
        accountId: '10001',
        portfolioType: 'TWAP',
        portfolioStatus: 1,
        version: 1,
        portfolio: { legs: [] },
      },
    });
  const daemon = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/ws/portfolio' });
  await once(daemon, 'listening');
  const asked: (string | undefined)[] = [];
  daemon.on('connection', (socket) => {
    socket.once('message', (text) => {
      const { after } = JSON.parse(String(text)) as { after?: string };
      asked.push(after);
      const data = [{ channel: 'trade-news', success: true, errorMsg: null, sequence: '5' }];
      socket.send(JSON.stringify({ id: 'news', op: 'subscribe', code: 0, data }));
      for (const one of asked.length === 1 ? ['10', '11'] : ['12']) socket.send(push(one));
      if (asked.length === 1) socket.close(1013, 'too slow');
    });
  });
  const { port } = daemon.address() as AddressInfo;
  expect(await probe('news', `http://127.0.0.1:${port}`, '6')).toEqual([
    ['Listening', '5'],
    ['News', '10'],
    ['News', '11'],
    ['Disconnected', 1013],
    ['Listening', '5'],
    ['News', '12'],
  ]);
  expect(asked).toEqual([undefined, '11']);
  await new Promise((closed) => daemon.close(closed));
});

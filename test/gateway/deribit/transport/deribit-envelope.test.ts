// JSON-RPC over HTTP in its five forms and over WebSocket: ids, times, errors, and what is ignored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RidStage } from '../../order-api/rid-stage.ts';
import { type Frame, FrameClient } from './frame-client.ts';

let stage: RidStage;
beforeAll(async () => {
  stage = await RidStage.start();
});
afterAll(() => stage.close());

interface Got {
  readonly status: number;
  readonly text: string;
  readonly json: Frame;
}

async function http(target: string, init: RequestInit = {}): Promise<Got> {
  const response = await fetch(stage.gateway.url + target, init);
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text) };
}

const post = (target: string, body: string, type = 'application/json'): Promise<Got> =>
  http(target, { method: 'POST', headers: { 'Content-Type': type }, body });

const GET_TIME = '{"jsonrpc":"2.0","id":7,"method":"public/get_time","params":{}}';

/** A GET with a body, which `fetch` does not send. */
async function getWithBody(target: string, body: string): Promise<Got> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request(
      stage.gateway.url + target,
      { method: 'GET', headers: { 'Content-Length': Buffer.byteLength(body) } },
      async (response) => {
        let text = '';
        for await (const piece of response) text += String(piece);
        resolve({ status: response.statusCode ?? 0, text, json: JSON.parse(text) });
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}

describe('a request over HTTP', () => {
  test.each([
    ['GET with a query', () => http('/api/v2/public/get_time?ignored=1')],
    ['GET with a body', () => getWithBody('/api/v2/public/get_time', GET_TIME)],
    ['POST to the method', () => post('/api/v2/public/get_time', GET_TIME)],
    ['POST without a method in the address', () => post('/api/v2', GET_TIME)],
    ['POST to the address with a slash', () => post('/api/v2/', GET_TIME)],
  ])('a request over HTTP is answered as %s', async (_form, send) => {
    const { status, json } = await send();
    expect(status).toBe(200);
    expect(json).toMatchObject({ jsonrpc: '2.0', testnet: true });
    expect(Number.isInteger(json.result)).toBe(true);
    expect(json.usDiff).toBe(json.usOut - json.usIn);
    expect(json.usDiff).toBeGreaterThanOrEqual(0);
  });

  test('an answer has no id when the request had none', async () => {
    expect((await http('/api/v2/public/get_time')).json).not.toHaveProperty('id');
    expect((await post('/api/v2', GET_TIME)).json.id).toBe(7);
  });

  test('a refused request is answered with 400 and the error, data with reason and param', async () => {
    const unknown = await http('/api/v2/public/no_such_method');
    expect(unknown).toMatchObject({ status: 400, json: { error: { code: -32601 } } });
    const wrong = await http('/api/v2/public/get_instrument?instrument_name=');
    expect(wrong.status).toBe(400);
    expect(wrong.json.error).toMatchObject({
      code: -32602,
      message: 'Invalid params',
      data: { param: 'instrument_name' },
    });
  });

  test.each([
    ['text that is no JSON', () => post('/api/v2', '{"id":1,'), -32700],
    ['an empty body', () => post('/api/v2', ''), -32700],
    ['a list of requests', () => post('/api/v2', `[${GET_TIME}]`), 11050],
    ['another method than its address', () => post('/api/v2/public/test', GET_TIME), 11050],
    ['positional params', () => post('/api/v2', GET_TIME.replace('{}', '[1]')), -32602],
    [
      'more than 32 kB',
      () => post('/api/v2', GET_TIME.replace('{}', `{"a":"${'x'.repeat(33_000)}"}`)),
      -32600,
    ],
    ['another content type', () => post('/api/v2', GET_TIME, 'text/plain'), 13018],
    ['a method of a connection', () => http('/api/v2/public/subscribe?channels=a'), 10030],
  ])('with %s is refused with its code and status 400', async (_what, send, code) => {
    const { status, json } = await send();
    expect({ status, code: json.error.code }).toEqual({ status: 400, code });
    expect(json.testnet).toBe(true);
    expect(json).not.toHaveProperty('result');
  });

  test('a request that finds the gateway full is answered with 503 in the same envelope', async () => {
    stage.gateway.reload({ inFlightMax: 0 });
    const { status, json } = await http('/api/v2/public/get_time');
    stage.gateway.reload({});
    expect({ status, code: json.error.code }).toEqual({ status: 503, code: 10_040 });
    expect(json.testnet).toBe(true);
  });

  test('with another HTTP method gets an error in the same envelope', async () => {
    const { status, json } = await http('/api/v2/public/get_time', { method: 'DELETE' });
    expect(status).toBe(400);
    expect(json.error.code).toBe(-32601);
  });
});

describe('a frame', () => {
  test.each(['0', '7', '"text"', '"0"', '""', '12345678901234567890', '-3'])(
    'with the id %s has it echoed as it was written',
    async (id) => {
      const client = await FrameClient.open(stage.gateway.url);
      const raw = new Promise<string>((resolve) => {
        client.socket.once('message', (text) => resolve(String(text)));
      });
      client.send(`{"id":${id},"method":"public/test","params":null,"foreign":1}`);
      expect(await raw).toContain(`"id":${id},"result":{"version":`);
      await client.close();
    },
  );

  test('frames are accepted at every address, at /den/ws for public methods only', async () => {
    for (const path of ['/ws/api/v2', '/api/v2', '/den/ws']) {
      const client = await FrameClient.open(stage.gateway.url, path);
      expect(await client.request('public/get_time')).toHaveProperty('result');
      const { error } = await client.request('private/unsubscribe_all');
      expect(error.code).toBe(13009);
      await client.close();
    }
  });

  test('an unreadable frame is answered, and the connection continues', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    for (const text of ['{', '[]', '1', '{"id":{},"method":"public/test"}', '{"id":1}']) {
      client.send(text);
    }
    await client.frame(() => client.frames.length === 5);
    expect(client.frames.map(({ error }) => error.code)).toEqual([
      -32700, 11050, 11050, 11050, 11050,
    ]);
    client.send(`{"id":2,"method":"public/test","params":{"a":"${'x'.repeat(33_000)}"}}`);
    expect((await client.frame(({ error }) => error?.code === -32600)).error.message).toBe(
      'request entity too large',
    );
    expect(
      await client.request('public/hello', { client_name: 'a', client_version: '1' }),
    ).toHaveProperty('result.version');
    await client.close();
  });

  test('with null and unknown params is read as if they were absent', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const answer = await client.request('public/test', {
      expected_result: null,
      unknown: { a: 1 },
    });
    expect(answer).toHaveProperty('result.version');
    const failed = await client.request('public/test', { expected_result: 'exception' });
    expect(failed.error).toMatchObject({ code: 11031, message: 'other_error exception' });
    await client.close();
  });

  test('about the status has the lock as text', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    expect((await client.request('public/status')).result).toEqual({
      locked: 'false',
      locked_indices: [],
    });
    await client.close();
  });
});

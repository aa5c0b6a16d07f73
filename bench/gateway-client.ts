// The other end of the gateway bench, in a process of its own: sends prepared requests over kept
// connections, or follows the news over many, and reports what it saw.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { type ClientKey, signedHeaders, signedQuery } from '../src/gateway/signed-stamp.ts';

export interface RequestsWish {
  readonly kind: 'requests';
  readonly port: number;
  readonly path: string;
  readonly key: ClientKey;
  readonly body: string;
  readonly count: number;
  readonly connections: number;
}

export interface FanOutWish {
  readonly kind: 'fan out';
  readonly port: number;
  readonly key: ClientKey;
  readonly connections: number;
  readonly messages: number;
}

/** What was prepared may begin. */
interface GoWish {
  readonly kind: 'go';
}

export type GatewayWish = RequestsWish | FanOutWish | GoWish;

export type GatewayReport =
  | { readonly kind: 'listening' }
  | { readonly kind: 'prepared' }
  | { readonly kind: 'requests'; readonly elapsedMs: number; readonly accepted: number }
  | { readonly kind: 'fan out'; readonly delaysMs: readonly number[]; readonly heard: number };

const tell = (report: GatewayReport): void => {
  process.send?.(report);
};

process.on('message', (wish: GatewayWish) => {
  if (wish.kind === 'requests') void request(wish);
  else if (wish.kind === 'fan out') void follow(wish);
});

/** Signing costs the client as much as checking costs the server, so it is done before. */
async function request(wish: RequestsWish): Promise<void> {
  const requests = Array.from({ length: wish.count }, () => prepared(wish));
  const sockets = await Promise.all(
    Array.from({ length: wish.connections }, async () => {
      const socket = connect(wish.port, '127.0.0.1').setNoDelay(true);
      await once(socket, 'connect');
      return socket;
    }),
  );
  tell({ kind: 'prepared' });
  await once(process, 'message');
  const from = performance.now();
  const accepted = await Promise.all(sockets.map((socket) => work(socket, requests)));
  const elapsedMs = performance.now() - from;
  for (const socket of sockets) socket.destroy();
  tell({ kind: 'requests', elapsedMs, accepted: accepted.reduce((sum, one) => sum + one, 0) });
}

function prepared({ path, key, body, port }: RequestsWish): Buffer {
  const bytes = Buffer.from(body);
  const signed = signedHeaders(key, Date.now(), { method: 'POST', target: path, body: bytes });
  const headers = {
    Host: `127.0.0.1:${port}`,
    ...signed,
    'Content-Type': 'application/json',
    'Content-Length': String(bytes.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

/** One request at a time; the number that were accepted. */
async function work(socket: Socket, requests: Buffer[]): Promise<number> {
  let accepted = 0;
  for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
    socket.write(next);
    if ((await answer(socket)).startsWith('HTTP/1.1 200')) accepted += 1;
  }
  return accepted;
}

function answer(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const take = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const head = text.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (head < 0 || text.length < head + 4 + Number(length)) return;
      socket.off('data', take);
      resolve(text);
    };
    socket.on('data', take);
  });
}

async function follow({ port, key, connections, messages }: FanOutWish): Promise<void> {
  const delaysMs: number[] = [];
  let heard = 0;
  const sockets = await Promise.all(
    Array.from({ length: connections }, () =>
      listener(port, key, (frame) => {
        heard += 1;
        // One of a hundred is measured: reading all of them would measure this process.
        if (heard % 97 === 0)
          delaysMs.push(Date.now() - Number(/"timestamp":"(\d+)"/.exec(frame)?.[1]));
        if (heard < connections * messages) return;
        tell({ kind: 'fan out', delaysMs, heard });
      }),
    ),
  );
  tell({ kind: 'listening' });
  process.on('disconnect', () => {
    for (const socket of sockets) socket.terminate();
  });
}

async function listener(
  port: number,
  key: ClientKey,
  hear: (frame: string) => void,
): Promise<WebSocket> {
  const query = signedQuery(key, Date.now(), '/ws/portfolio');
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/portfolio?${query}`, {
    perMessageDeflate: false,
    skipUTF8Validation: true,
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, op: 'subscribe', data: [{ channel: 'trade-news' }] }));
  await once(socket, 'message');
  socket.on('message', (raw) => {
    const start = (raw as Buffer).toString('latin1', 0, 120);
    if (start.startsWith('{"op":"push"')) hear(start);
  });
  return socket;
}

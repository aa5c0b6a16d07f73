// The client of the request bench, in its own process: sends prepared requests over kept-alive connections a
// given number of times and reports the duration.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ClientKey, signedHeaders } from '../src/gateway/auth/signed-stamp.ts';

export interface RequestsWish {
  readonly kind: 'requests';
  readonly port: number;
  readonly path: string;
  readonly key: ClientKey;
  readonly body: string;
  readonly count: number;
  readonly connections: number;
}

export type GatewayReport =
  | { readonly kind: 'listening' }
  | { readonly kind: 'prepared' }
  | {
      readonly kind: 'requests';
      readonly elapsedMs: number;
      /** The answers other than 200. */
      readonly refusals: readonly string[];
    }
  | {
      readonly kind: 'fan out';
      readonly delaysMs: readonly number[];
      readonly heard: number;
      /** Share of a core used for receiving. */
      readonly core: number;
    };

const publish = (report: GatewayReport): void => {
  process.send?.(report);
};

let sockets: readonly Socket[] = [];

process.on('message', (wish: RequestsWish | { readonly kind: 'go' }) => {
  if (wish.kind === 'requests') void request(wish);
});

/** Signs the requests beforehand, because signing costs the client as much as verifying costs the server. */
async function request(wish: RequestsWish): Promise<void> {
  const requests = Array.from({ length: wish.count }, () => prepared(wish));
  if (sockets.length === 0) sockets = await connected(wish);
  publish({ kind: 'prepared' });
  await once(process, 'message');
  const from = performance.now();
  const refusals = await Promise.all(sockets.map((socket) => work(socket, requests)));
  const elapsedMs = performance.now() - from;
  publish({ kind: 'requests', elapsedMs, refusals: refusals.flat() });
}

const connected = ({ port, connections }: RequestsWish): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      await once(socket, 'connect');
      return socket;
    }),
  );

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

/** One request at a time; returns the answers other than 200. */
async function work(socket: Socket, requests: Buffer[]): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
    socket.write(next);
    const text = await answer(socket);
    if (!text.startsWith('HTTP/1.1 200')) refusals.push(text);
  }
  return refusals;
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

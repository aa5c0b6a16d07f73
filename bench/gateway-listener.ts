// The client of the news bench, in its own process: many listeners that receive news over bare sockets and
// only parse frame headers, so that the gateway is what is measured.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ClientKey, signedQuery } from '../src/gateway/auth/signed-stamp.ts';
import { FrameWalk } from './frame-walk.ts';
import type { GatewayReport } from './gateway-client.ts';

export interface FanOutWish {
  readonly kind: 'fan out';
  readonly port: number;
  readonly key: ClientKey;
  readonly connections: number;
  readonly messages: number;
}

const PATH = '/ws/portfolio';
const HEAD_END = '\r\n\r\n';
/** The answer to the subscription precedes all messages. */
const NOT_NEWS = 1;
const PUSH = Buffer.from('{"op":"push"');
const TIMESTAMP = Buffer.from('"timestamp":"');
const TIMESTAMP_LENGTH = 13;
/** One listener in this many is measured: reading them all would measure this process. */
const MEASURED_OF = 97;
/** Each read is parsed at once, so one buffer is enough for all. */
const READ = Buffer.alloc(256 * 1_024);

const tell = (report: GatewayReport): void => {
  process.send?.(report);
};

process.on('message', (wish: FanOutWish) => void follow(wish));

async function follow({ port, key, connections, messages }: FanOutWish): Promise<void> {
  const delaysMs: number[] = [];
  const expected = connections * (messages + NOT_NEWS);
  let heard = 0;
  let cpuFrom = process.cpuUsage();
  let fromMs = performance.now();
  const receive = (frame: Buffer): void => {
    heard += 1;
    if (heard === connections * NOT_NEWS) {
      tell({ kind: 'listening' });
      [cpuFrom, fromMs] = [process.cpuUsage(), performance.now()];
    }
    if (heard <= connections * NOT_NEWS) return;
    if (heard % MEASURED_OF === 0) delaysMs.push(delayMs(frame));
    if (heard < expected) return;
    const cpu = process.cpuUsage(cpuFrom);
    const core = (cpu.user + cpu.system) / 1_000 / (performance.now() - fromMs);
    tell({ kind: 'fan out', delaysMs, heard: connections * messages, core });
  };
  const sockets = Array.from({ length: connections }, () => listener(port, key, receive));
  process.on('disconnect', () => {
    for (const socket of sockets) socket.destroy();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
}

function delayMs(frame: Buffer): number {
  if (frame.compare(PUSH, 0, PUSH.length, 0, PUSH.length) !== 0) throw new Error('no message');
  const at = frame.indexOf(TIMESTAMP) + TIMESTAMP.length;
  return Date.now() - Number(frame.toString('latin1', at, at + TIMESTAMP_LENGTH));
}

function listener(port: number, key: ClientKey, receive: (frame: Buffer) => void): Socket {
  const walk = new FrameWalk(receive);
  let head: string | undefined = '';
  const callback = (count: number): boolean => {
    const bytes = READ.subarray(0, count);
    if (head === undefined) {
      walk.take(bytes);
      return true;
    }
    head += bytes.toString('latin1');
    const end = head.indexOf(HEAD_END);
    if (end < 0) return true;
    if (!head.startsWith('HTTP/1.1 101')) throw new Error(head);
    walk.take(Buffer.from(head.slice(end + HEAD_END.length), 'latin1'));
    head = undefined;
    socket.write(masked(`{"id":1,"op":"subscribe","data":[{"channel":"trade-news"}]}`));
    return true;
  };
  const socket = connect({ port, host: '127.0.0.1', onread: { buffer: READ, callback } });
  const lines = [
    `GET ${PATH}?${signedQuery(key, Date.now(), PATH)} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${Buffer.from('listener of a be').toString('base64')}`,
  ];
  socket.write(`${lines.join('\r\n')}${HEAD_END}`);
  return socket;
}

/** Client frames must be masked (RFC 6455, 5.3); a mask of zeros leaves the text unchanged. */
function masked(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

// The client of the news bench, in its own process: many listeners that receive news over bare sockets and
// only parse frame headers, so that the gateway is what is measured.
import { once } from 'node:events';
import { type ClientKey, signedQuery } from '../src/gateway/auth/signed-stamp.ts';
import { bareListener } from './bare-listener.ts';
import type { GatewayReport } from './gateway-client.ts';

export interface FanOutWish {
  readonly kind: 'fan out';
  readonly port: number;
  readonly key: ClientKey;
  readonly connections: number;
  readonly messages: number;
}

const PATH = '/ws/portfolio';
const SUBSCRIBE = '{"id":1,"op":"subscribe","data":[{"channel":"trade-news"}]}';
/** The answer to the subscription precedes all messages. */
const NOT_NEWS = 1;
const PUSH = Buffer.from('{"op":"push"');
const TIMESTAMP = Buffer.from('"timestamp":"');
const TIMESTAMP_LENGTH = 13;
/** One listener in this many is measured: reading them all would measure this process. */
const MEASURED_OF = 97;

const publish = (report: GatewayReport): void => {
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
      publish({ kind: 'listening' });
      [cpuFrom, fromMs] = [process.cpuUsage(), performance.now()];
    }
    if (heard <= connections * NOT_NEWS) return;
    if (heard % MEASURED_OF === 0) delaysMs.push(delayMs(frame));
    if (heard < expected) return;
    const cpu = process.cpuUsage(cpuFrom);
    const core = (cpu.user + cpu.system) / 1_000 / (performance.now() - fromMs);
    publish({ kind: 'fan out', delaysMs, heard: connections * messages, core });
  };
  const sockets = Array.from({ length: connections }, () => {
    const path = `${PATH}?${signedQuery(key, Date.now(), PATH)}`;
    return bareListener({ port, path, first: [SUBSCRIBE], receive });
  });
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

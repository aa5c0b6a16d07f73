// When a link is given up: only when the other end is silent, not when this process stood still itself.
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { keepAlive } from '../../../src/adapters/engine-link/open-link.ts';
import { until } from '../until.ts';

const PING_MS = 20;

class WatchedLink extends EventEmitter {
  pings = 0;
  isTerminated = false;
  onFirstPing = (): void => undefined;
  ping(): void {
    this.pings += 1;
    if (this.pings === 1) this.onFirstPing();
  }
  terminate(): void {
    this.isTerminated = true;
    this.emit('close');
  }
}

const watched = (): WatchedLink => {
  const link = new WatchedLink();
  keepAlive(link as unknown as Parameters<typeof keepAlive>[0], PING_MS);
  return link;
};

/** Writes a byte when the first number is set, and then sets the second one. */
const OTHER_END = `
const { connect } = require('node:net');
const { workerData: { port, numbers } } = require('node:worker_threads');
const socket = connect(port, '127.0.0.1', async () => {
  await Atomics.waitAsync(numbers, 0, 0).value;
  socket.write('x', () => {
    Atomics.store(numbers, 1, 1);
    Atomics.notify(numbers, 1);
  });
});`;

test('an answer that came while this process stood still keeps the link', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const numbers = new Int32Array(new SharedArrayBuffer(8));
  const { port } = server.address() as AddressInfo;
  const worker = new Worker(OTHER_END, { eval: true, workerData: { port, numbers } });
  const [socket] = (await once(server, 'connection')) as [Socket];
  const link = watched();
  socket.on('data', () => link.emit('pong'));
  const standStill = (): void => {
    const from = performance.now();
    Atomics.store(numbers, 0, 1);
    Atomics.notify(numbers, 0);
    Atomics.wait(numbers, 1, 0);
    while (performance.now() < from + 2 * PING_MS);
  };
  // Not in the call of the timer itself, which counts from its end.
  link.onFirstPing = () => void setImmediate(standStill);
  await until(() => link.isTerminated || link.pings === 2);
  expect(link.isTerminated).toBe(false);
  link.emit('close');
  socket.destroy();
  server.close();
  await worker.terminate();
});

test('a link whose other end is silent is given up', async () => {
  const link = watched();
  await until(() => link.isTerminated);
  expect(link.pings).toBe(1);
});

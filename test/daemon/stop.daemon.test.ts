// SIGINT after a burst of news, with clients on both sockets that never read: the daemon ends in time with exit
// code 0, and leaves neither Redis nor PostgreSQL running.
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedQuery } from '../../src/gateway/auth/signed-stamp.ts';
import { until } from '../adapters/until.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';
import { course } from '../support/engine/two-legs.ts';

const KEY = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const LISTENERS = 6;
const PORTFOLIOS = 12;

const files = daemonFiles('stop', 'config/paper.yaml', 'apart');
let daemon: Daemon | undefined;
afterAll(async () => {
  // It has ended, unless the test failed before.
  await daemon?.end('SIGKILL');
  files.remove();
});

async function deaf(url: string, path: string, frame: object): Promise<WebSocket> {
  const address = `${url.replace('http', 'ws')}${path}?${signedQuery(KEY, Date.now(), path)}`;
  const socket = new WebSocket(address, { perMessageDeflate: false });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(JSON.stringify(frame));
  await once(socket, 'message');
  socket.pause();
  return socket;
}

/** Processes that work in the daemon's folder or have it on their command line. */
const processesOf = (folder: string): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        const where = readlinkSync(`/proc/${pid}/cwd`);
        return `${where} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`.includes(folder);
      } catch {
        // It has ended meanwhile, or belongs to another user.
        return false;
      }
    });

test('a daemon shuts down in order after a burst of news although clients never read', async () => {
  const started = await startDaemon(files);
  daemon = started;
  const channels = ['user.orders.any.any.raw', 'user.trades.any.any.raw'];
  const sockets = await Promise.all(
    Array.from({ length: LISTENERS }, (_, index) =>
      index % 2 === 0
        ? deaf(started.url, '/ws/portfolio', {
            id: 'a',
            op: 'subscribe',
            data: [{ channel: 'trade-news' }],
          })
        : deaf(started.url, '/ws/api', {
            jsonrpc: '2.0',
            id: 1,
            method: 'private/subscribe',
            params: { channels },
          }),
    ),
  );
  for (let n = 0; n < PORTFOLIOS; n += 1) {
    // A daemon that sheds load is asked again.
    await until(async () => {
      const answer = await started.client.submit(course(60), `storm-${n}`);
      if (answer.kind !== 'done') expect(answer).toMatchObject({ status: 503 });
      return answer.kind === 'done';
    });
  }
  await until(async () => {
    const text = await (await fetch(`${started.url}/metrics`)).text();
    const fills = [...text.matchAll(/^twapd_fills_total\{.*\} (\d+)/gm)].map((line) =>
      Number(line[1]),
    );
    return fills.reduce((sum, count) => sum + count, 0) > PORTFOLIOS;
  }, 60_000);
  expect(processesOf(files.dataDir).length).toBeGreaterThan(0);
  expect(await started.end('SIGINT')).toBe(0);
  expect(started.output()).toContain('ended');
  expect(processesOf(files.dataDir)).toEqual([]);
  for (const socket of sockets) socket.terminate();
});

// What the task of the newest clients comes to where npm cannot install them.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runTask, type TaskRun } from './task-run.ts';

const ENDED_MS_MAX = 200_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-newest-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runAt = (port: number): Promise<TaskRun> =>
  runTask(
    {
      name: 'the newest clients',
      words: ['test/long/newest-clients.ts'],
      environment: {
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_fetch_retries: '0',
        npm_config_loglevel: 'silent',
        npm_config_cache: join(folder, 'cache'),
      },
    },
    {
      folder,
      untilMs: performance.now() + ENDED_MS_MAX,
      isShown: false,
      say: () => undefined,
    },
  );

test('without a registry the newest clients cannot run, and a registry without them is a failure', async () => {
  const server = createServer((_request, answer) => answer.writeHead(404).end('{}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const without = await runAt(port);
  expect([without.end, without.log]).toEqual([
    'failed',
    expect.stringMatching(/were NOT RUN: npm could not install them\n$/),
  ]);
  server.close();
  await once(server, 'close');
  const away = await runAt(port);
  expect([away.end, away.log]).toEqual([
    'cannot run',
    expect.stringMatching(/were NOT RUN: no registry could be reached\n$/),
  ]);
});

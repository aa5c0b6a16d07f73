// How a start ends that cannot succeed, and what the command calls itself, by the command as people run it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { twapd } from '../cli-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-startable-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = { TWAPD_DATA_DIR: join(folder, 'data') };

test('a start without a Redis program says what to install or set, and starts nothing', async () => {
  const none = join(folder, 'none');
  mkdirSync(none);
  const absent = join(none, 'redis-server');
  const ran = await twapd(['start'], {
    env: { ...env, TWAPD_PORT: '0', PATH: none, TWAPD_REDIS_SERVER: absent },
  });
  expect(ran.code).toBe(1);
  expect(ran.err).toBe(`TWAPD_REDIS_SERVER: ${absent} is not a program that can be run\n`);
  expect(ran.out).toBe('');
});

test('a start on a port in use names the setting that changes it', async () => {
  const server = createServer();
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as { readonly port: number };
  // The port is what is tried here, whatever this machine has of Redis.
  const redis = { REDIS_URL: 'redis://127.0.0.1:1' };
  const ran = await twapd(['start'], { env: { ...env, ...redis, TWAPD_PORT: String(port) } });
  server.close();
  expect(ran.code).toBe(1);
  expect(ran.err).toContain(`port ${port} of 127.0.0.1 is in use by another process`);
  expect(ran.err).toContain('service.port in config/paper.yaml, or TWAPD_PORT');
  expect(ran.out).toBe('');
});

test.each([
  ['an installed command', {}, 'twapd plan'],
  ['npx', { npm_lifecycle_event: 'npx' }, 'npx twapd plan'],
  ['a clone', { npm_lifecycle_event: 'twapd' }, './twapd plan'],
])('examples in the help are as %s is called', async (_how, called, example) => {
  const { out } = await twapd(['--help'], { env: called });
  expect(out).toContain(`  ${example} strategies/demo-two-minutes.yaml`);
});

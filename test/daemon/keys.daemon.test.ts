// The command line changes keys in the ledger of a running daemon, which applies them.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedQuery } from '../../src/gateway/auth/signed-stamp.ts';
import { connect } from '../../src/gateway/client/client.ts';
import { until } from '../adapters/until.ts';
import { type Ran, twapd } from '../main/cli-world.ts';
import {
  ANSWER_MS,
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../support/daemon/daemon-process.ts';

const env = { TWAPD_KEYS_SECRET: randomBytes(32).toString('base64') };
const GRANT = ['--uid', '42', '--nickname', 'Desk', '--accounts', '10001', '--scopes', 'read'];

let files: DaemonFiles;
let daemon: Daemon | undefined;
beforeAll(() => {
  files = daemonFiles('keys', 'config/paper.yaml', 'apart');
});
afterAll(async () => {
  await daemon?.end('SIGKILL');
  files.remove();
});

const keys = (words: readonly string[]): Promise<Ran> =>
  twapd(['keys', ...words, '--json', '--config', files.configPath], { env });

async function made(words: readonly string[]): Promise<string> {
  const { code, out, err } = await keys(words);
  expect([code, err]).toEqual([0, '']);
  return (JSON.parse(out) as { secret: string }).secret;
}

test('keys made before and during a run can sign, and are refused once they are revoked', async () => {
  const before = await made(['create', 'before', ...GRANT]);
  daemon = await startDaemon(files, env);
  const { url } = daemon;
  const during = await made(['create', 'during', ...GRANT]);
  const may = async (keyId: string, secret: string): Promise<boolean> => {
    const page = await connect({ baseUrl: url, timeoutMs: ANSWER_MS, keyId, secret }).page({
      accountId: '10001',
    });
    return page.kind === 'done';
  };
  expect(await may('before', before)).toBe(true);
  await until(() => may('during', during));

  const turned = await made(['rotate', 'before', '--overlap', '600']);
  await until(() => may('before', turned));
  expect(await may('before', before)).toBe(true);

  const query = signedQuery({ keyId: 'during', secret: during }, Date.now(), '/ws/portfolio');
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/portfolio?${query}`);
  await once(socket, 'open');
  const ended = once(socket, 'close');
  expect((await keys(['revoke', 'during'])).code).toBe(0);
  const [code] = await ended;
  expect(code).toBe(4401);
  expect(await may('during', during)).toBe(false);

  for (const secret of [before, during, turned, env.TWAPD_KEYS_SECRET]) {
    expect(daemon.output()).not.toContain(secret);
  }
  expect(await daemon.end('SIGTERM')).toBe(0);
});

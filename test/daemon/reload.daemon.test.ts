// SIGHUP: the running process reloads the keys and limits of its configuration.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedQuery } from '../../src/gateway/auth/signed-stamp.ts';
import { connect } from '../../src/gateway/client/client.ts';
import { askMethod } from '../../src/gateway/client/method-client.ts';
import { until } from '../adapters/until.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
  startDisturbed,
  startExchange,
} from '../support/daemon/daemon-process.ts';

let daemon: Daemon | undefined;
let files: DaemonFiles | undefined;
afterEach(async () => {
  await daemon?.end('SIGKILL');
  files?.remove();
});

const READER = 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk=';

/** Rewrites the configuration and has it reloaded. */
async function reread(change: (text: string) => string): Promise<void> {
  if (files === undefined || daemon === undefined) throw new Error('nothing runs');
  const read = (): number => daemon?.output().split('were reloaded').length ?? 0;
  const before = read();
  writeFileSync(files.configPath, change(readFileSync(files.configPath, 'utf8')));
  // Under the launcher the process is its child; it forwards the signal.
  daemon.process.kill('SIGHUP');
  await until(() => read() > before);
}

/** A path that the configuration accepts for a key's secret. */
const secretFile = ({ folder }: DaemonFiles): string => join(folder, 'fresh.secret');

function freshSecret(of: DaemonFiles): string {
  const secret = randomBytes(32).toString('base64');
  writeFileSync(secretFile(of), secret, { mode: 0o600 });
  return secret;
}

const withFresh = (text: string, of: DaemonFiles): string =>
  text.replace(
    '\nkeys:\n',
    `\nkeys:\n  - id: fresh\n    secretFile: ${secretFile(of)}\n    uid: "7"\n    nickname: Fresh\n    accounts: ["10001"]\n    scopes: [read]\n`,
  );

const withoutReader = (text: string): string =>
  text.replace(/ {2}- id: demo-reader\n(?: {4}.*\n)+/, '');

test('on SIGHUP the daemon applies keys and rates, and closes the connections of a removed key', async () => {
  files = daemonFiles('rlda');
  daemon = await startDaemon(files);
  const { url } = daemon;
  const ask = (keyId: string, secret: string) =>
    connect({ baseUrl: url, keyId, secret }).page({ accountId: '10001' });
  expect((await ask('demo-reader', READER)).kind).toBe('done');
  const query = signedQuery({ keyId: 'demo-reader', secret: READER }, Date.now(), '/ws/portfolio');
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/portfolio?${query}`);
  await once(socket, 'open');
  const ended = once(socket, 'close');

  const own = files;
  const secret = freshSecret(own);
  await reread((text) => withFresh(withoutReader(text), own));
  expect((await ended)[0]).toBe(4401);
  expect((await ask('demo-reader', READER)).kind).not.toBe('done');
  expect((await ask('fresh', secret)).kind).toBe('done');
  expect(daemon.output()).not.toContain(secret);

  await reread((text) => `${text}\ngateway:\n  perKey:\n    read: { perSecond: 0.01, burst: 1 }\n`);
  const kinds = [
    await ask('fresh', secret),
    await ask('fresh', secret),
    await ask('fresh', secret),
  ];
  expect(kinds.at(-1)?.kind).not.toBe('done');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await daemon.end('SIGTERM')).toBe(0);
});

test('a changed limit is logged with its old value, on reload and on the next start', async () => {
  files = daemonFiles('rlli');
  const told = () => daemon?.output().match(/.*limit_changed.*/g) ?? [];
  daemon = await startDaemon(files);
  await until(() => daemon?.output().includes('second terminal') === true);
  expect(told()).toEqual([]);
  await reread((text) => `${text}\ncontrols:\n  rejectsMax: 7\n`);
  await until(() => told().length === 1);
  expect(told()[0]).toMatch(/controls\.rejectsMax.*\b50\b.*\b7\b.*SIGHUP/);
  expect(await daemon.end('SIGTERM')).toBe(0);
  writeFileSync(
    files.configPath,
    readFileSync(files.configPath, 'utf8').replace('rejectsMax: 7', 'rejectsMax: 8'),
  );
  daemon = await startDaemon(files);
  await until(() => told().length === 1);
  expect(told()[0]).toMatch(/controls\.rejectsMax.*\b7\b.*\b8\b.*start/);
  expect(await daemon.end('SIGTERM')).toBe(0);
});

test('signals that arrive before the daemon is ready are handled once it is', async () => {
  files = daemonFiles('rlea');
  const { configPath } = files;
  daemon = await startDisturbed(files, (child) => {
    const text = readFileSync(configPath, 'utf8');
    writeFileSync(configPath, `${text}\ncontrols:\n  rejectsMax: 7\n`);
    child.kill('SIGUSR2');
    child.kill('SIGHUP');
  });
  expect(await daemon.client.switches()).toMatchObject({
    kind: 'done',
    value: [{ scope: 'deployment', of: '', state: 'halted', nickname: 'signal' }],
  });
  await until(() => daemon?.output().includes('were reloaded') === true);
  await until(() => /controls\.rejectsMax.*\b7\b.*SIGHUP/.test(daemon?.output() ?? ''));
  // Latched: it also applies to a start after a kill.
  await daemon.end('SIGKILL');
  daemon = await startDaemon(files);
  expect(await daemon.client.switches()).toMatchObject({ value: [{ state: 'halted' }] });
  expect(await daemon.end('SIGTERM')).toBe(0);
});

test('on SIGHUP the exchange reloads too, and keeps its settings if the file is invalid', async () => {
  files = daemonFiles('rlex', 'config/exchange.yaml');
  daemon = await startExchange(files);
  const { url, output } = daemon;
  const own = files;
  const secret = freshSecret(own);
  const ask = async (keyId: string, own: string) =>
    await askMethod({ baseUrl: url, keyId, secret: own }, 'private/get_open_orders', {});
  writeFileSync(files.configPath, `${readFileSync(files.configPath, 'utf8')}\nnonsense: 1\n`);
  daemon.process.kill('SIGHUP');
  await until(() => output().includes('nonsense'));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await reread((text) => withFresh(text.replace('\nnonsense: 1\n', ''), own));
  expect(await ask('fresh', secret)).toMatchObject({ kind: 'done' });
  expect(await ask('gone', secret)).toMatchObject({ kind: 'refused' });
});

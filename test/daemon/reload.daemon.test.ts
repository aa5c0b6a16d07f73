// SIGHUP: the running process reloads the keys and limits of its configuration.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { signedQuery } from '../../src/gateway/auth/signed-stamp.ts';
import { connect } from '../../src/gateway/client/client.ts';
import { requestMethod } from '../../src/gateway/client/method-client.ts';
import { must } from '../../src/values/assert.ts';
import { until } from '../adapters/until.ts';
import {
  ANSWER_MS,
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
  startDisturbed,
  startExchange,
} from '../support/daemon/daemon-process.ts';

let daemon: Daemon | undefined;
let files: DaemonFiles | undefined;
const clear = async (): Promise<void> => {
  await daemon?.end('SIGTERM');
  files?.remove();
};

const runningDaemon = (): Daemon => must(daemon, 'a running daemon');
const writtenFiles = (): DaemonFiles => must(files, 'written files');

/** The lines about changed controls, which name the old and the new value. */
const changedControls = (): readonly string[] => {
  const lines =
    runningDaemon()
      .output()
      .match(/.*limit_changed.*/g) ?? [];
  return lines.filter((line) => line.includes('controls.'));
};

const READER = 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk=';

function rewrite(change: (text: string) => string): void {
  const { configPath } = writtenFiles();
  writeFileSync(configPath, change(readFileSync(configPath, 'utf8')));
}

/** Rewrites the configuration and has it reloaded. */
async function reread(change: (text: string) => string): Promise<void> {
  const { output, process } = runningDaemon();
  const read = (): number => output().split('were reloaded').length;
  const before = read();
  rewrite(change);
  // Under the launcher the process is its child; it forwards the signal.
  process.kill('SIGHUP');
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
    `\nkeys:\n  - id: fresh\n    secret: file:${secretFile(of)}\n    uid: "7"\n    nickname: Fresh\n    accounts: ["10001"]\n    scopes: [read]\n`,
  );

const withoutReader = (text: string): string =>
  text.replace(/ {2}- id: demo-reader\n(?: {4}.*\n)+/, '');

describe('a running daemon', () => {
  beforeAll(async () => {
    files = daemonFiles('rlda', 'config/paper.yaml', 'apart');
    daemon = await startDaemon(files);
    // The last line of a start.
    await until(() => runningDaemon().output().includes('second terminal'));
  });
  afterAll(clear);

  test('on SIGHUP the daemon applies keys and rates, and closes the connections of a removed key', async () => {
    const { url, output } = runningDaemon();
    const request = (keyId: string, secret: string) =>
      connect({ baseUrl: url, timeoutMs: ANSWER_MS, keyId, secret }).page({ accountId: '10001' });
    expect((await request('demo-reader', READER)).kind).toBe('done');
    const query = signedQuery(
      { keyId: 'demo-reader', secret: READER },
      Date.now(),
      '/ws/portfolio',
    );
    const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/portfolio?${query}`);
    await once(socket, 'open');
    const ended = once(socket, 'close');

    const own = writtenFiles();
    const secret = freshSecret(own);
    await reread((text) => withFresh(withoutReader(text), own));
    expect((await ended)[0]).toBe(4401);
    expect((await request('demo-reader', READER)).kind).not.toBe('done');
    expect((await request('fresh', secret)).kind).toBe('done');
    expect(output()).not.toContain(secret);

    await reread((text) => `${text}\ngateway:\n  perKey:\n    read: 0.01\n`);
    const kinds = [
      await request('fresh', secret),
      await request('fresh', secret),
      await request('fresh', secret),
    ];
    expect(kinds.at(-1)?.kind).not.toBe('done');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test('a limit changed on reload is logged with its old value', async () => {
    expect(changedControls()).toEqual([]);
    await reread((text) => `${text}\ncontrols:\n  rejectsMax: 7\n`);
    await until(() => changedControls().length === 1);
    expect(changedControls()[0]).toMatch(/controls\.rejectsMax.*\b50\b.*\b7\b.*SIGHUP/);
    expect(await runningDaemon().end('SIGTERM')).toBe(0);
  });
});

describe('a daemon that receives signals before it is ready', () => {
  afterAll(clear);

  test('signals that arrive before the daemon is ready are handled once it is', async () => {
    files = daemonFiles('rlea', 'config/paper.yaml', 'apart');
    daemon = await startDisturbed(files, (child) => {
      rewrite((text) => `${text}\ncontrols:\n  rejectsMax: 7\n`);
      child.kill('SIGUSR2');
      child.kill('SIGHUP');
    });
    expect(await daemon.client.switches()).toMatchObject({
      kind: 'done',
      value: [{ scope: 'deployment', of: '', state: 'halted', nickname: 'signal' }],
    });
    await until(() => runningDaemon().output().includes('were reloaded'));
    await until(() => /\b7\b.*SIGHUP/.test(changedControls().join('\n')));
  });

  test('the next start, after a kill, is halted too, and logs a changed limit with its old value', async () => {
    await runningDaemon().end('SIGKILL');
    rewrite((text) => text.replace('rejectsMax: 7', 'rejectsMax: 8'));
    daemon = await startDaemon(writtenFiles());
    expect(await daemon.client.switches()).toMatchObject({ value: [{ state: 'halted' }] });
    await until(() => changedControls().length === 1);
    expect(changedControls()[0]).toMatch(/controls\.rejectsMax.*\b7\b.*\b8\b.*start/);
    expect(await daemon.end('SIGTERM')).toBe(0);
  });
});

describe('a running exchange', () => {
  afterAll(clear);

  test('on SIGHUP the exchange reloads too, and keeps its settings if the file is invalid', async () => {
    files = daemonFiles('rlex', 'config/exchange.yaml');
    daemon = await startExchange(files);
    const { url, output } = daemon;
    const own = files;
    const secret = freshSecret(own);
    const request = async (keyId: string, own: string) =>
      await requestMethod({ baseUrl: url, keyId, secret: own }, 'private/get_open_orders', {});
    writeFileSync(files.configPath, `${readFileSync(files.configPath, 'utf8')}\nnonsense: 1\n`);
    daemon.process.kill('SIGHUP');
    await until(() => output().includes('nonsense'));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await reread((text) => withFresh(text.replace('\nnonsense: 1\n', ''), own));
    expect(await request('fresh', secret)).toMatchObject({ kind: 'done' });
    expect(await request('gone', secret)).toMatchObject({ kind: 'refused' });
  });
});

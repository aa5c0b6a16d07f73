// People come to the page of a real daemon through a proxy that signs them in, in a browser, without a link or a key.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { WebSocket } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserRequest } from '../gateway/page/browser-request.ts';
import { Authority, LOCAL_NAMES } from '../support/certificates/certificates.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../support/daemon/daemon-process.ts';
import { hasBrowser, launch, violations, visit } from './browser.ts';

const SECRET = 'a secret of the proxy, 0123456789';
const HOSTILE = '<img src=x onerror=alert(1)>';

let files: DaemonFiles;
let daemon: Daemon;
let proxy: ChildProcess;
let origin = '';

const at = (name: string): string => join(files.folder, name);
const signedIn = (person: string): void => writeFileSync(at('person'), person);

beforeAll(async () => {
  files = daemonFiles('prox', 'config/paper.yaml', 'apart');
  const { certPath, keyPath } = new Authority(files.folder, 'ours').certify('proxy', {
    names: LOCAL_NAMES,
  });
  signedIn('');
  const words = [certPath, keyPath, at('person'), SECRET, at('upstream')];
  proxy = spawn(process.execPath, [resolve('test/page/signing-proxy.ts'), ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(proxy.stdout ?? proxy, 'data');
  origin = `https://127.0.0.1:${String(port).trim()}`;
  const people = [
    { person: 'alice@desk.example', key: 'demo-taker', scopes: ['read', 'trade'] },
    { person: HOSTILE, key: 'demo-reader' },
  ];
  const gateway = {
    trustedProxies: ['127.0.0.1'],
    origins: [origin],
    page: { proxySignIn: { secret: 'env:PROXY_SECRET', people } },
  };
  const text = readFileSync(files.configPath, 'utf8');
  const section = `\ngateway: ${JSON.stringify(gateway)}\nvenues:\n`;
  writeFileSync(files.configPath, text.replace('\nvenues:\n', section));
  daemon = await startDaemon(files, { PROXY_SECRET: SECRET });
  writeFileSync(at('upstream'), daemon.url);
});
afterAll(async () => {
  proxy?.kill();
  await daemon?.end('SIGTERM');
  files.remove();
});

describe.runIf(hasBrowser)('a proxy that signs people in', () => {
  test('a person whom it names is on the page at once, and is out when it names another', async () => {
    const browser = await launch();
    try {
      signedIn('alice@desk.example');
      const { page, faults } = await visit(browser, origin, { ignoreHTTPSErrors: true });
      let stream: WebSocket | undefined;
      page.on('websocket', (opened) => {
        stream = opened;
      });
      await page.getByText('live', { exact: true }).waitFor();
      await page.getByText('alice@desk.example (read, trade)').waitFor();
      // Her key has the scope admin; her session has not.
      expect(await page.getByRole('button', { name: 'Halt…' }).count()).toBe(0);
      signedIn('mallory@desk.example');
      await page.getByRole('heading', { name: 'Signed out' }).waitFor();
      await page.reload();
      await page.getByText(/not among those who may come in/).waitFor();
      await page.getByText(/Sign in there as a person who may come in/).waitFor();
      expect(await page.getByText('./twapd open').count()).toBe(0);
      signedIn(HOSTILE);
      await page.reload();
      await page.getByText(`${HOSTILE} (read)`).waitFor();
      await page.getByText('live', { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Sign out' }).click();
      // The gateway closes the stream of news with words of its own.
      await expect.poll(() => stream?.isClosed()).toBe(true);
      await page.getByText(`The proxy still has ${HOSTILE} signed in`).waitFor();
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

test('the headers of the proxy, sent past it, open nothing without its secret', async () => {
  for (const secret of ['', 'guessed, 0123456789']) {
    const answer = await browserRequest(`${daemon.url}/page/sign-in`, {
      body: {},
      headers: {
        'x-forwarded-user': 'alice@desk.example',
        'x-twapd-proxy-secret': secret,
      },
    });
    expect([answer.status, answer.headers['set-cookie']]).toEqual([401, undefined]);
  }
});

test('the log does not have the secret', () => {
  expect(daemon.output()).not.toContain(SECRET);
});

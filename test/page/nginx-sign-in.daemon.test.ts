// nginx with the file of docs/page.md in front of a real daemon: people come to the page as it says, and what a client writes into
// the headers of the proxy does not arrive. A few lines stand for oauth2-proxy.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../../src/values/assert.ts';
import { until } from '../adapters/until.ts';
import { blocksOf } from '../daemon/documents/page-blocks.ts';
import { Authority, LOCAL_NAMES } from '../support/certificates/certificates.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../support/daemon/daemon-process.ts';
import { notProved } from '../support/reporters/not-proved.ts';
import { hasBrowser, launch, visit } from './browser.ts';

const PAGE = 'docs/page.md';
const SECRET = 'a secret of the proxy, 0123456789';
const ALICE = 'alice@desk.example';
const MALLORY = 'mallory@desk.example';
const WAIT_MS = 120_000;
const PERSON_HEADER = 'x-forwarded-user';
const SECRET_HEADER = 'x-twapd-proxy-secret';

const PROGRAM = 'nginx';
const isInstalled = spawnSync(PROGRAM, ['-v']).status === 0;
type Sent = Readonly<Record<string, string | string[]>>;

let files: DaemonFiles;
let daemon: Daemon;
let signIn: Server;
let origin = '';
/** Whom the provider has signed in; empty: it knows them without a name, absent: nobody. */
let person: string | undefined;
const started: ChildProcess[] = [];

const at = (name: string): string => join(files.folder, name);

async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createTcpServer();
  const port = await listening(server);
  await new Promise((done) => server.close(done));
  return port;
}

/** In the place of oauth2-proxy. */
const signInServer = (): Server =>
  createServer(({ url }, answer) => {
    if (url !== '/oauth2/auth') {
      answer
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<h1>Sign in at the provider</h1>');
    } else if (person === undefined) answer.writeHead(401).end();
    else answer.writeHead(202, person === '' ? {} : { 'x-auth-request-email': person }).end();
  });

/** The file of the page with other addresses, its secret, and the program that reads it. */
async function startNginx(port: number, upstream: string): Promise<void> {
  const block = must(
    blocksOf(PAGE).find(({ notes }) => notes.get('file') === 'nginx.conf'),
    `nginx.conf in ${PAGE}`,
  );
  const ours: readonly (readonly [string, string])[] = [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['http://10.0.0.8:8080', upstream],
    ['127.0.0.1:4180', `127.0.0.1:${(signIn.address() as AddressInfo).port}`],
    ['"…"', `"${SECRET}"`],
    ['nginx.pid', `nginx-${port}.pid`],
  ];
  let text = block.lines.join('\n');
  for (const [shown, here] of ours) {
    expect(text).toContain(shown);
    text = text.replaceAll(shown, here);
  }
  const file = `nginx-${port}.conf`;
  writeFileSync(at(file), `${text}\n`);
  const words = ['-p', '.', '-c', file, '-g', 'daemon off;'];
  const child = spawn(PROGRAM, words, { cwd: files.folder, stdio: 'ignore' });
  started.push(child);
  const answers = (): Promise<boolean> =>
    asked(port, {}).then(
      () => true,
      () => child.exitCode !== null,
    );
  await until(answers, WAIT_MS);
  expect(child.exitCode).toBe(null);
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly cookies: readonly string[];
}

/** A POST that signs in at the page, or a WebSocket upgrade. */
function asked(port: number, headers: Sent, isUpgrade = false): Promise<Answer> {
  const here = `https://127.0.0.1:${port}`;
  const kind = isUpgrade
    ? { connection: 'Upgrade', upgrade: 'websocket' }
    : { 'content-type': 'application/json' };
  return new Promise((done, fail) => {
    const sent = request(`${here}${isUpgrade ? '/page/stream' : '/page/sign-in'}`, {
      method: isUpgrade ? 'GET' : 'POST',
      agent: false,
      rejectUnauthorized: false,
      headers: { ...headers, ...kind, origin: here },
    });
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      answer.on('end', () => {
        const cookies = answer.headers['set-cookie'] ?? [];
        done({ status: answer.statusCode ?? 0, text, cookies });
      });
      answer.on('error', fail);
    });
    sent.on('error', fail);
    sent.end(isUpgrade ? undefined : '{}');
  });
}

beforeAll(async () => {
  files = daemonFiles('ngnx', 'config/paper.yaml', 'apart');
  signIn = signInServer();
  await listening(signIn);
  const { cert, key } = new Authority(files.folder, 'ours').certify('nginx', {
    names: LOCAL_NAMES,
  });
  writeFileSync(at('twap.crt'), cert);
  writeFileSync(at('twap.key'), key);
  const port = await freePort();
  origin = `https://127.0.0.1:${port}`;
  const people = [{ person: ALICE, key: 'demo-taker', scopes: ['read', 'trade'] }];
  const gateway = {
    trustedProxies: ['127.0.0.1'],
    origins: [origin],
    page: { proxySignIn: { secret: 'env:PROXY_SECRET', people } },
  };
  const text = readFileSync(files.configPath, 'utf8');
  const section = `\ngateway: ${JSON.stringify(gateway)}\nvenues:\n`;
  writeFileSync(files.configPath, text.replace('\nvenues:\n', section));
  if (!isInstalled) return;
  daemon = await startDaemon(files, { PROXY_SECRET: SECRET });
  await startNginx(port, daemon.url);
});
afterEach(() => {
  person = undefined;
});
afterAll(async () => {
  for (const child of started) {
    if (child.exitCode !== null) continue;
    const over = once(child, 'exit');
    child.kill('SIGTERM');
    await over;
  }
  signIn?.close();
  await daemon?.end('SIGTERM');
  files.remove();
});

describe.runIf(isInstalled)('nginx as the page configures it', () => {
  test.runIf(hasBrowser)(
    'a person who signs in at the provider is on the page, live, and out once signed out there',
    async () => {
      const browser = await launch();
      try {
        const { page, faults } = await visit(browser, origin, { ignoreHTTPSErrors: true });
        await page.getByRole('heading', { name: 'Sign in at the provider' }).waitFor();
        person = ALICE;
        await page.reload();
        await page.getByText('live', { exact: true }).waitFor();
        await page.getByText(`${ALICE} (read, trade)`).waitFor();
        person = undefined;
        await page.getByRole('heading', { name: 'Signed out' }).waitFor();
        await page.getByText('asks you to sign in again: reload the page').waitFor();
        await page.reload();
        await page.getByRole('heading', { name: 'Sign in at the provider' }).waitFor();
        person = MALLORY;
        await page.reload();
        await page.getByText(/not among those who may come in/).waitFor();
        expect(faults).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );

  test("a client's own name and secret open nothing, whomever the provider has signed in", async () => {
    const own = { [PERSON_HEADER]: ALICE, [SECRET_HEADER]: SECRET };
    const port = Number(new URL(origin).port);
    for (const [who, expected, says] of [
      [undefined, 401, 'Sign in at the provider'],
      ['', 401, 'accepted'],
      [MALLORY, 403, 'not among those who may come in'],
    ] as const) {
      person = who;
      const { status, text, cookies } = await asked(port, own);
      expect([status, cookies], String(who)).toEqual([expected, []]);
      expect(text).toContain(says);
    }
    person = ALICE;
    const { status, cookies } = await asked(port, {
      [PERSON_HEADER]: MALLORY,
      [SECRET_HEADER]: 'guessed',
    });
    expect([status, cookies.length]).toEqual([200, 1]);
  });

  test("of a client's copies of the headers none arrives, in a request or in an upgrade", async () => {
    const received: string[][] = [];
    const recorder = createServer((got, answer) => {
      received.push(got.rawHeaders);
      answer.end();
    });
    recorder.on('upgrade', ({ rawHeaders }, socket) => {
      received.push(rawHeaders);
      socket.end('HTTP/1.1 403 Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
    const upstream = `http://127.0.0.1:${await listening(recorder)}`;
    const port = await freePort();
    await startNginx(port, upstream);
    const own: Sent = {
      'X-FORWARDED-USER': [ALICE, 'second'],
      x_forwarded_user: ALICE,
      'X-Twapd-Proxy-Secret': ['guessed', 'again'],
      x_twapd_proxy_secret: 'guessed',
      'x-forwarded-for': '10.9.9.9',
    };
    try {
      for (const isUpgrade of [false, true]) {
        for (const who of [MALLORY, '']) {
          person = who;
          received.length = 0;
          await asked(port, own, isUpgrade);
          expect(received).toHaveLength(1);
          const pairs = pairsOf(received[0] ?? []);
          const about = (name: RegExp) =>
            pairs.filter(([header]) => name.test(header)).map(([, value]) => value);
          expect(about(/^x.forwarded.user$/)).toEqual(who === '' ? [] : [who]);
          expect(about(/^x.twapd.proxy.secret$/)).toEqual([SECRET]);
          expect(about(/^x.forwarded.for$/)).toEqual(['127.0.0.1']);
          expect(about(/^host$/)).toEqual([`127.0.0.1:${port}`]);
          expect(about(/^upgrade$/)).toEqual(isUpgrade ? ['websocket'] : []);
        }
        person = undefined;
        received.length = 0;
        expect((await asked(port, own, isUpgrade)).status).toBe(401);
        expect(received).toEqual([]);
      }
    } finally {
      recorder.close();
    }
  });
});

test('a machine without nginx says that its file was not proved', () => {
  if (!isInstalled) {
    notProved(`nginx.conf of ${PAGE}`, 'nginx is not installed; apt-get install nginx-light');
  }
});

const pairsOf = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] as const] : [],
  );

// nginx and HAProxy with the files of docs/load-balancer.md, over TLS, in front of two gateways: clients go on when one of them is
// killed, and what was sent to a gateway once is not sent to another one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, connect } from '../../../src/gateway/client/client.ts';
import { must } from '../../../src/values/assert.ts';
import { until } from '../../adapters/until.ts';
import { Authority, LOCAL_NAMES } from '../../support/certificates/certificates.ts';
import { ANSWER_MS, type Daemon, startGateway } from '../../support/daemon/daemon-process.ts';
import { FaultStage } from '../../support/daemon/fault-stage.ts';
import { course } from '../../support/engine/two-legs.ts';
import { notProved } from '../../support/reporters/not-proved.ts';
import { blocksOf } from '../documents/page-blocks.ts';

const PAGE = 'docs/load-balancer.md';
const SECONDS = 20;
const FILLED = 2;
const WAIT_MS = 120_000;
const TAKER = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};

const PROXIES = {
  nginx: { file: 'nginx.conf', words: ['-p', '.', '-c', 'nginx.conf', '-g', 'daemon off;'] },
  haproxy: { file: 'haproxy.cfg', words: ['-db', '-f', 'haproxy.cfg'] },
} as const;
type Proxy = keyof typeof PROXIES;
const NAMES = Object.keys(PROXIES) as Proxy[];
const isInstalled = (name: Proxy): boolean => spawnSync(name, ['-v']).status === 0;

let folder: string;
let authority: Authority;
let tls: { readonly ca: string };
let stage: FaultStage;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-balancer-'));
  authority = new Authority(folder, 'desk');
  tls = { ca: authority.cert };
  stage = await FaultStage.open({ deployment: 'balr', parts: 'apart' });
});
afterAll(async () => {
  await stage?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  await new Promise((done) => server.close(done));
  return port;
}

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  readonly printed: () => string;
}

/** The file of the page with other ports, and the program that reads it. */
async function started(name: Proxy, [one, two]: readonly [number, number]): Promise<Running> {
  const { file, words } = PROXIES[name];
  const block = must(
    blocksOf(PAGE).find(({ notes }) => notes.get('file') === file),
    `${file} in ${PAGE}`,
  );
  const port = await freePort();
  const ports: Record<string, number> = { 8081: one, 8082: two, 8443: port };
  const text = block.lines.join('\n').replaceAll(/\b8\d{3}\b/g, (shown) => String(ports[shown]));
  const { cert, key } = authority.certify(name, { names: LOCAL_NAMES });
  const files = { [file]: `${text}\n`, 'gateway.crt': cert, 'gateway.key': key };
  const all = { ...files, 'proxy.pem': `${cert}\n${key}` };
  for (const [path, content] of Object.entries(all)) writeFileSync(join(folder, path), content);
  const child = spawn(name, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => {
      printed += more;
    });
  }
  return { url: `https://127.0.0.1:${port}`, child, printed: () => printed };
}

async function ended({ child }: Running): Promise<void> {
  if (child.exitCode !== null) return;
  const over = once(child, 'exit');
  child.kill('SIGTERM');
  await over;
}

const answers = async (client: Client): Promise<boolean> =>
  (await client.page({ accountId: '10001' })).kind === 'done';

describe.each(NAMES)('%s as the page configures it', (name) => {
  test.runIf(isInstalled(name))('clients go on when a gateway is killed', async () => {
    const environment = { ...stage.environment };
    const gateways: Daemon[] = [];
    for (const _ of [0, 1]) {
      gateways.push(await startGateway({ configPath: stage.configPath } as never, environment));
    }
    const ports = gateways.map(({ url }) => Number(new URL(url).port));
    const proxy = await started(name, ports as [number, number]);
    try {
      const client = connect({ baseUrl: proxy.url, timeoutMs: ANSWER_MS, ...TAKER, tls });
      await until(() => answers(client).catch(() => false), WAIT_MS);
      const news = client.watch('all');
      const first = await news.next();
      expect(first.value, proxy.printed()).toMatchObject({ kind: 'listening' });
      const answer = await client.submit(course(SECONDS), `balanced-${name}`);
      if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
      const id = String(answer.value.portfolioId);
      await news.next();

      await gateways[0]?.end('SIGKILL');
      await until(() => answers(client).catch(() => false), WAIT_MS);
      for (let at = 0; at < 20; at += 1) {
        await until(() => answers(client).catch(() => false), WAIT_MS);
      }
      await until(async () => {
        const info = await client.info(id);
        return info.kind === 'done' && info.value.portfolioStatus === FILLED;
      }, WAIT_MS);
      for await (const item of news) {
        if (item.kind === 'news' && JSON.stringify(item).includes(id)) break;
      }
    } finally {
      await ended(proxy);
      for (const gateway of gateways) await gateway.end('SIGKILL');
    }
  });

  test.runIf(isInstalled(name))(
    'a request that a gateway has received is not sent to the other one',
    async () => {
      const received: string[] = [];
      const servers = [0, 1].map(() =>
        createServer((socket) => {
          socket.on('error', () => socket.destroy());
          socket.on('data', (bytes) => {
            const [line = ''] = String(bytes).split('\r\n');
            if (line.includes('/healthz')) {
              socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
              return;
            }
            received.push(line);
            socket.destroy();
          });
        }),
      );
      const ports = await Promise.all(servers.map(listening));
      const proxy = await started(name, ports as [number, number]);
      try {
        const client = connect({ baseUrl: proxy.url, timeoutMs: ANSWER_MS, ...TAKER, tls });
        await until(async () => (await fetchStatus(proxy.url)) === 200, WAIT_MS);
        await client.submit(course(SECONDS)).catch(() => undefined);
        expect(received.filter((line) => line.startsWith('POST '))).toHaveLength(1);
        received.length = 0;
        await curl(`${proxy.url}/api/v2/private/buy?amount=10`);
        expect(received).toHaveLength(1);
      } finally {
        await ended(proxy);
        for (const server of servers) server.close();
      }
    },
  );

  test('a machine without it says that the page was not proved', () => {
    if (!isInstalled(name)) {
      notProved(
        `the configuration of ${name}`,
        `${name} is not installed; apt-get install ${name}`,
      );
    }
  });
});

const CURL = ['-s', '-k', '-m', '20', '-o', '/dev/null', '-w', '%{http_code}'];

/** 0 while nothing answers. */
const fetchStatus = (url: string): Promise<number> => curl(`${url}/healthz`);

async function curl(url: string): Promise<number> {
  const child = spawn('curl', [...CURL, url], { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await once(child, 'close');
  return Number(text);
}

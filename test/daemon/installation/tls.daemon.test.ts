// The real daemon over TLS with client certificates: commands, the Python client, renewal on SIGHUP, and a faulty renewal.
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../adapters/until.ts';
import { type Ran, twapd } from '../../main/cli-world.ts';
import { Authority, type Certified, LOCAL_NAMES } from '../../support/certificates/certificates.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';

const run = promisify(execFile);
const READER_SECRET = 'dHdhcGQtZGVtby1yZWFkZXItc2VjcmV0LTAxMjM0NTY3ODk=';

let files: DaemonFiles;
let daemon: Daemon;
let ours: Authority;
let desk: Certified;
let other: Certified;
let served: Certified;

const at = (name: string): string => join(files.folder, name);
const install = ({ certPath, keyPath }: Certified): void => {
  copyFileSync(certPath, at('gateway.crt'));
  copyFileSync(keyPath, at('gateway.key'));
};

beforeAll(async () => {
  files = daemonFiles('tlsd', 'config/paper.yaml', 'apart');
  ours = new Authority(files.folder, 'ours');
  served = ours.certify('gateway', { names: 'DNS:twap.desk.example' });
  [desk, other] = [ours.certify('desk'), ours.certify('other')];
  install(served);
  const tls = `gateway:\n  tls: { cert: ${at('gateway.crt')}, key: ${at('gateway.key')}, ca: ${ours.certPath} }\n`;
  const text = readFileSync(files.configPath, 'utf8')
    .replace('\nvenues:\n', `\n${tls}venues:\n`)
    .replace(/ {2}- id: demo-taker\n/, `$&    certificate: "${desk.fingerprint}"\n`);
  writeFileSync(files.configPath, text);
  daemon = await startDaemon(files);
});
afterAll(async () => {
  await daemon?.end('SIGTERM');
  files.remove();
});

const asked = (client: Certified, ...words: readonly string[]): Promise<Ran> =>
  twapd([
    ...words,
    '--config',
    files.configPath,
    '--url',
    daemon.url,
    '--cert',
    client.certPath,
    '--cert-key',
    client.keyPath,
  ]);

test('commands trust the certificate of their configuration and show their own', async () => {
  expect(daemon.url).toMatch(/^https:/);
  await until(async () => (await asked(desk, 'status')).code === 0);
  expect((await asked(desk, 'list')).code).toBe(0);
  expect((await asked(desk, 'top', '--once')).code).toBe(0);
});

test('without a client certificate nothing is answered', async () => {
  const bare = await twapd(['status', '--config', files.configPath, '--url', daemon.url]);
  expect(bare.code).toBe(3);
});

test('a key bound to a certificate is refused with another one of the same authority', async () => {
  const refused = await asked(other, 'list');
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('the client certificate set for the key'),
  ]);
  expect((await asked(other, 'list', '--key', 'demo-reader')).code).toBe(0);
});

test('half a client certificate is wrong usage', async () => {
  const half = await twapd(['list', '--config', files.configPath, '--cert', desk.certPath]);
  expect([half.code, half.err]).toEqual([2, expect.stringContaining('--cert-key')]);
});

const shown = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const { cert, key } = desk;
    const port = Number(new URL(daemon.url).port);
    const where = { port, host: '127.0.0.1', servername: 'twap.desk.example' };
    const socket = connectTls({ ...where, ca: ours.cert, cert, key }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });

test('SIGHUP takes a renewed certificate, and refuses one that does not fit its key', async () => {
  const renewed = ours.certify('gateway', { names: `${LOCAL_NAMES},DNS:twap.desk.example` });
  expect(await shown()).toBe(served.fingerprint);
  copyFileSync(renewed.certPath, at('gateway.crt'));
  daemon.process.kill('SIGHUP');
  await until(() => daemon.output().includes('is not the key of the certificate'));
  expect(await shown()).toBe(served.fingerprint);
  install(renewed);
  daemon.process.kill('SIGHUP');
  await until(async () => (await shown()) === renewed.fingerprint);
});

test('the Python client reaches it over https and wss with a context of its own', async () => {
  const program = [
    'import ssl, sys',
    'sys.path.insert(0, "examples/python")',
    'import twapd',
    'url, ca, cert, key, secret = sys.argv[1:]',
    'context = ssl.create_default_context(cafile=ca)',
    'context.load_cert_chain(cert, key)',
    'client = twapd.Client(url, key="demo-reader", secret=secret, context=context)',
    'print(client.trading.whoami())',
    'socket = twapd.WebSocket(url.replace("https", "wss") + "/ws/api", context=context)',
    'socket.close()',
    'print("open")',
    'try:',
    '    twapd.Client(url, key="demo-reader", secret=secret, context=ssl.create_default_context(cafile=ca)).trading.whoami()',
    'except twapd.TwapdError:',
    '    print("refused")',
  ].join('\n');
  const words = [daemon.url, ours.certPath, desk.certPath, desk.keyPath, READER_SECRET];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run('python3', ['-c', program, ...words], { env });
  expect(stdout).toContain('demo-reader');
  expect(stdout).toMatch(/open\nrefused\n$/);
});

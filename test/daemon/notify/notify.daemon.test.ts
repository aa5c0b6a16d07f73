// The real daemon notifies people on this machine: of a portfolio that ends, of a switch, once, also over a kill.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HttpReceiver, httpReceiver } from '../../adapters/notices/http-receiver.ts';
import { type MailReceiver, mailReceiver } from '../../adapters/notices/mail-receiver.ts';
import { twapd } from '../../main/cli-world.ts';
import { submit } from '../../support/daemon/daemon-deployment.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../../support/daemon/daemon-process.ts';

const HOOK_PATH = '/services/q8Zr3xkT0vWb5nLy';
const WAIT = { timeout: 60_000, interval: 100 };

let files: DaemonFiles;
let chat: HttpReceiver;
let mail: MailReceiver;
let daemon: Daemon;
let environment: Record<string, string>;

beforeAll(async () => {
  chat = await httpReceiver();
  mail = await mailReceiver();
  files = daemonFiles('ntfy');
  environment = {
    TWAPD_TEST_HOOK: `${chat.url}${HOOK_PATH}`,
    TWAPD_TEST_SECRET: 'a secret of the receiver that is long enough',
  };
  appendFileSync(
    files.configPath,
    `
notify:
  channels:
    desk: { kind: slack, url: env:TWAPD_TEST_HOOK, happenings: [filled, residual, switch_set], digestSec: 1 }
    mail: { kind: email, host: 127.0.0.1, port: ${mail.port}, encryption: none, from: a@example.com, to: [b@example.com], happenings: [switch_set] }
    backups: { kind: webhook, url: '${chat.url}/backups', secret: env:TWAPD_TEST_SECRET, happenings: [backup_old], digestSec: 1 }
  backupOldSec: 5
`,
  );
  daemon = await startDaemon(files, environment);
});
afterAll(async () => {
  await daemon.end('SIGTERM');
  await Promise.all([chat.close(), mail.close()]);
  files.remove();
});

const told = (text: string): number =>
  chat.received.filter(({ body }) => body.includes(text)).length;

test('notify test sends through each channel, and says which one failed without its secret', async () => {
  const run = (...words: string[]) =>
    twapd(['notify', 'test', '--config', files.configPath, ...words], { env: environment });
  const { code, out } = await run();
  expect(out).toMatch(/desk +slack +delivered/);
  expect(out).toMatch(/mail +email +delivered/);
  expect(code).toBe(0);
  expect(out).toMatch(/backups +webhook +delivered/);
  expect(told('a test message')).toBe(2);
  expect(mail.mails).toHaveLength(1);
  chat.answer = { status: 404, body: 'no_service' };
  const failed = await run('--channel', 'desk', '--json');
  chat.answer = { status: 200 };
  expect(failed.code).not.toBe(0);
  expect(JSON.parse(failed.out)).toEqual([
    { channel: 'desk', kind: 'slack', outcome: 'the receiver answers 404 no_service' },
  ]);
  expect(failed.out + failed.err).not.toContain(HOOK_PATH);
  expect((await run('--channel', 'nobody')).err).toContain('accepted: desk, mail, backups');
});

test('an ended portfolio and a halt are reported to the channels that want them', async () => {
  const portfolio = await submit(daemon, 10001, 10);
  await expect.poll(() => told(`portfolio ${portfolio} `), WAIT).toBe(1);
  await twapd(['switch', 'halt', '--reason', 'a drill', '--url', daemon.url], {});
  await expect.poll(() => told('a drill'), WAIT).toBe(1);
  await expect.poll(() => mail.mails.length, WAIT).toBe(2);
  expect(mail.mails[1]?.source).toContain('a drill');
  await twapd(['switch', 'activate', '--reason', 'drill over', '--url', daemon.url], {});
  await expect.poll(() => told('drill over'), WAIT).toBe(1);
});

test('a backup that has become too old is reported, and one that was never taken is not', async () => {
  const old = 'the newest backup of the ledger is of ';
  expect(told(old)).toBe(0);
  const to = join(files.folder, 'backups');
  const { code, err } = await twapd(['backup', '--config', files.configPath, '--to', to], {
    env: environment,
  });
  expect([code, err.includes('fault')]).toEqual([0, false]);
  const [name = ''] = readdirSync(to);
  const { takenAt } = JSON.parse(readFileSync(join(to, name, 'manifest.json'), 'utf8'));
  await expect.poll(() => told(`${old}${takenAt}`), WAIT).toBe(1);
  const of = chat.received.find(({ body }) => body.includes(old));
  expect(JSON.parse(of?.body ?? '').happenings).toMatchObject([{ kind: 'backup_old' }]);
});

test('what could not be sent before a kill is sent once by the next process', async () => {
  chat.answer = { status: 503 };
  const portfolio = await submit(daemon, 10001, 10);
  await expect
    .poll(async () => {
      const info = await daemon.client.info(portfolio);
      return info.kind === 'done' && info.value.portfolioStatus === 2;
    }, WAIT)
    .toBe(true);
  await daemon.end('SIGKILL');
  const refused = told(`portfolio ${portfolio} `);
  chat.answer = { status: 200 };
  daemon = await startDaemon(files, environment);
  await expect.poll(() => told(`portfolio ${portfolio} `), WAIT).toBe(refused + 1);
  const { out } = await twapd(['notify', 'status', '--config', files.configPath, '--json'], {});
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({ channel: 'desk', waiting: 0, dropped: 0 }),
  );
  expect(daemon.output()).not.toContain(HOOK_PATH);
});

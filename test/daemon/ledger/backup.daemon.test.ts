// A backup taken while a daemon trades at an exchange in another process, and restored after the daemon and its machine are
// gone: the exchange has gone on meanwhile.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../adapters/until.ts';
import { WarmCli } from '../../main/warm-cli.ts';
import {
  type Daemon,
  daemonFiles,
  deribitUrl,
  startDaemon,
  startExchange,
} from '../../support/daemon/daemon-process.ts';
import { course } from '../../support/engine/two-legs.ts';

const SECONDS = 180;
const exchangeFiles = daemonFiles('exch', 'config/exchange.yaml');
const files = daemonFiles('bkup', 'config/paper-remote.yaml');
const cli = new WarmCli();
const running: Daemon[] = [];
let backup: string;
let atWork: string;

async function run(words: readonly string[]): Promise<string> {
  const ran = await cli.run(words);
  expect(ran.code, ran.err).toBe(0);
  return ran.out;
}

async function started(): Promise<Daemon> {
  const daemon = await startDaemon(files);
  running.push(daemon);
  return daemon;
}

async function submitted(daemon: Daemon, seconds: number): Promise<string> {
  let id = '';
  await until(async () => {
    const answer = await daemon.client.submit(course(seconds));
    if (answer.kind === 'done') id = String(answer.value.portfolioId);
    // A daemon that sheds load is asked again.
    else expect(answer).toMatchObject({ status: 503 });
    return id !== '';
  });
  return id;
}

async function filledOf(daemon: Daemon, id: string): Promise<number> {
  const info = await daemon.client.info(id);
  return info.kind === 'done' ? Number(info.value.legs[0]?.filledQuantity) : Number.NaN;
}

beforeAll(async () => {
  const exchange = await startExchange(exchangeFiles);
  running.push(exchange);
  const config = readFileSync(files.configPath, 'utf8');
  writeFileSync(files.configPath, config.replace(/url: .*/, `url: ${deribitUrl(exchange.url)}`));
});
afterAll(async () => {
  await cli.close();
  for (const one of running.reverse()) await one.end('SIGKILL');
  files.remove();
  exchangeFiles.remove();
});

test('a backup taken while slices are filled is whole', async () => {
  const daemon = await started();
  atWork = await submitted(daemon, SECONDS);
  await until(async () => (await filledOf(daemon, atWork)) > 2_000);
  const to = join(files.dataDir, '..', 'backups');
  await run(['backup', '--config', files.configPath, '--to', to]);
  const [name = ''] = readdirSync(to);
  backup = join(to, name);
  expect(await run(['backup', 'verify', backup])).toContain('the backup is whole');
  const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
  const newest = /^twapd_backup_newest_timestamp_seconds.* (\S+)$/m.exec(metrics)?.[1];
  const { takenAt } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'));
  expect(Number(newest)).toBe(Date.parse(takenAt) / 1_000);
});

test('a daemon on a restored ledger starts with trading halted, and trades again when it is activated', async () => {
  const former = running.pop() as Daemon;
  const later = await submitted(former, SECONDS);
  const before = await filledOf(former, atWork);
  await until(async () => (await filledOf(former, atWork)) > before);
  await former.end('SIGKILL');
  const config = readFileSync(files.configPath, 'utf8');
  const elsewhere = join(files.dataDir, '..', 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(files.configPath, config.replace(files.dataDir, elsewhere));
  expect(await run(['restore', backup, '--config', files.configPath])).toContain('Restored.');
  const again = await cli.run(['restore', backup, '--config', files.configPath]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('holds a ledger already') });

  const daemon = await startDaemon({ ...files, dataDir: elsewhere });
  running.push(daemon);
  expect(await daemon.client.switches()).toMatchObject({
    value: [{ scope: 'deployment', state: 'halted' }],
  });
  expect(await daemon.client.info(later)).toMatchObject({ kind: 'refused', code: 40401 });
  const known = await filledOf(daemon, atWork);
  expect(known).toBeGreaterThan(0);
  expect(await daemon.client.cancel(atWork)).toMatchObject({ kind: 'done' });
  const words = ['switch', 'activate', '--reason', 'compared with the venue'];
  await run([...words, '--url', daemon.url, '--config', files.configPath]);
  const fresh = await submitted(daemon, 20);
  await until(async () => (await filledOf(daemon, fresh)) === 20_000, 160_000);
});

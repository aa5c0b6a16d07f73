// A backup taken while a daemon trades at an exchange in another process, and restored after the daemon and its machine are
// gone: the exchange has gone on meanwhile.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PortfolioBody } from '../../../src/gateway/client/client.ts';
import { until } from '../../adapters/until.ts';
import { warmCli } from '../../main/warm-cli.ts';
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
const running: Daemon[] = [];
let backup: string;
let atWork: string;

async function run(words: readonly string[]): Promise<string> {
  const ran = await warmCli.run(words);
  expect(ran.code, ran.err).toBe(0);
  return ran.out;
}

async function started(): Promise<Daemon> {
  const daemon = await startDaemon(files);
  running.push(daemon);
  return daemon;
}

/** One order far from the market that rests for an hour. */
const RESTING: PortfolioBody = {
  ...course(3_600),
  twapTrade: { durationSec: 3_600, frequencySec: 3_600 },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: '1000',
      priceOptions: { priceType: 'LIMIT', price: '20000', priceIn: 'USD' },
    },
  ],
  execution: {},
};

async function submitted(
  daemon: Daemon,
  seconds: number,
  body: PortfolioBody = course(seconds),
): Promise<string> {
  let id = '';
  await until(async () => {
    const answer = await daemon.client.submit(body);
    if (answer.kind === 'done') id = String(answer.value.portfolioId);
    // A daemon that sheds load is asked again.
    else expect(answer).toMatchObject({ status: 503 });
    return id !== '';
  });
  return id;
}

async function switchesOf(daemon: Daemon) {
  const switches = await daemon.client.switches();
  return switches.kind === 'done' ? switches.value : [];
}

/** Labels of the orders of a portfolio that are open at the exchange. */
async function openOf(daemon: Daemon, id: string): Promise<readonly string[]> {
  const open = await daemon.client.call('private/get_open_orders', { accountId: '10001' });
  if (open.kind !== 'done') return [];
  const own = `-${Number(id).toString(36)}-`;
  return open.value.flatMap(({ label = '' }) => (label.includes(own) ? [label] : []));
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

test('a daemon on a restored ledger halts the account, says what it does not know, and trades again once it is activated', async () => {
  const former = running.at(-1) as Daemon;
  const later = await submitted(former, SECONDS);
  const resting = await submitted(former, 3_600, RESTING);
  const before = await filledOf(former, atWork);
  await until(async () => (await filledOf(former, atWork)) > before);
  await until(async () => (await filledOf(former, later)) > 0);
  await until(async () => (await openOf(former, resting)).length === 1);
  await former.end('SIGKILL');
  const config = readFileSync(files.configPath, 'utf8');
  const elsewhere = join(files.dataDir, '..', 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(files.configPath, config.replace(files.dataDir, elsewhere));
  expect(await run(['restore', backup, '--config', files.configPath])).toContain('Restored.');
  const again = await warmCli.run(['restore', backup, '--config', files.configPath]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('holds a ledger already') });
  const unaccounted = ['ledger', 'unaccounted', '--config', files.configPath];
  expect(await run([...unaccounted, '--orders', 'leave'])).toContain('left open');

  const daemon = await startDaemon({ ...files, dataDir: elsewhere });
  running.push(daemon);
  // The venue is asked once the daemon has connected to it.
  await until(async () => (await switchesOf(daemon)).length === 2);
  expect(await switchesOf(daemon)).toMatchObject([
    { scope: 'deployment', state: 'halted' },
    { scope: 'account', state: 'halted' },
  ]);
  expect(await daemon.client.info(later)).toMatchObject({ kind: 'refused', code: 40401 });
  const { accounts } = JSON.parse(await run([...unaccounted, '--json']));
  const legs: readonly Record<string, unknown>[] = accounts[0].legs;
  const ofPerpetual = (id: string) =>
    legs.find(({ portfolio, instrument }) => portfolio === id && instrument === 'BTC-PERPETUAL');
  expect(ofPerpetual(resting)).toMatchObject({
    isInLedger: false,
    leg: 0,
    side: 'buy',
    open: '1000',
    orders: 1,
    filled: '0',
    trades: 0,
  });
  expect(ofPerpetual(later)).toMatchObject({ isInLedger: false, side: 'buy' });
  expect(Number(ofPerpetual(later)?.['filled'])).toBeGreaterThan(0);
  expect(ofPerpetual(atWork)).toMatchObject({ isInLedger: true, side: 'buy' });
  expect(await run(unaccounted)).toContain(resting);
  expect(await openOf(daemon, resting)).toHaveLength(1);
  const known = await filledOf(daemon, atWork);
  expect(known).toBeGreaterThan(0);
  expect(await daemon.client.cancel(atWork)).toMatchObject({ kind: 'done' });

  const activate = ['switch', 'activate', '--reason', 'compared with the venue'];
  const at = ['--url', daemon.url, '--config', files.configPath];
  await run([...activate, ...at]);
  await run([...activate, '--account', '10001', ...at]);
  const fresh = await submitted(daemon, 20);
  await until(async () => (await filledOf(daemon, fresh)) === 20_000, 160_000);
  expect(await openOf(daemon, resting)).toHaveLength(1);
  expect(await run([...unaccounted, '--orders', 'cancel'])).toContain('cancelled');
  await until(async () => (await openOf(daemon, resting)).length === 0, 160_000);
  expect(await run(['audit', ...at])).toContain('right');
});

test('a second start on the restored ledger halts nothing again', async () => {
  const before = running.pop() as Daemon;
  await before.end('SIGTERM');
  const daemon = await startDaemon({ ...files, dataDir: join(files.dataDir, '..', 'elsewhere') });
  running.push(daemon);
  const states = (await switchesOf(daemon)).map(({ state }) => state);
  expect(states).toEqual(['active', 'active']);
  const at = ['--url', daemon.url, '--config', files.configPath];
  expect(await run(['audit', ...at])).toContain('right');
});

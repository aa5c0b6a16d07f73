// Options traded by a daemon on an exchange in another process, where every first quote arrives late.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { until } from '../adapters/until.ts';
import {
  type Daemon,
  daemonFiles,
  startDaemon,
  startExchange,
} from '../support/daemon/daemon-process.ts';
import { TWO_LEGS } from '../support/engine/two-legs.ts';

const exchangeFiles = daemonFiles('exop', 'config/exchange.yaml');
const files = daemonFiles('rtop', 'config/paper-remote.yaml');
const running: Daemon[] = [];

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.end('SIGTERM');
});
afterAll(() => {
  files.remove();
  exchangeFiles.remove();
});

const leg = (instrument: string) => ({
  ...{ instrument, instrumentType: 'OPTION', side: 1, quantity: '0.4' },
  priceOptions: { priceType: 'MARKET' },
});

test('a portfolio of options is submitted and filled on an exchange in another process', async () => {
  const exchange = await startExchange(exchangeFiles, 0);
  running.push(exchange);
  const config = readFileSync(files.configPath, 'utf8');
  writeFileSync(files.configPath, config.replace(/url: .*/, `url: ${exchange.url}`));
  const daemon = await startDaemon(files);
  running.push(daemon);
  const legs = ['BTC-{>=30d}-{atm}-C', 'BTC-{>=30d}-{atm}-P'].map(leg);
  const submitted = await daemon.client.submit({ ...TWO_LEGS, legs } as never);
  expect(submitted, JSON.stringify(submitted)).toMatchObject({ kind: 'done' });
  const portfolioId = submitted.kind === 'done' ? String(submitted.value.portfolioId) : 'none';
  await until(async () => {
    await sleep(100);
    const info = await daemon.client.info(portfolioId);
    return info.kind === 'done' && info.value.portfolioStatus === 2;
  }, 160_000);
  expect(await daemon.end('SIGTERM')).toBe(0);
}, 360_000);

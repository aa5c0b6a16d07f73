// The real exchange and the real daemon as two processes: the exchange is killed with -9 while the daemon trades
// there. Its journal shows what was actually placed.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { openRemoteVenue } from '../../src/adapters/remote/open-remote-venue.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import { quantity } from '../../src/values/amounts.ts';
import { accountId, childLabelOf, instrumentName, venueName } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { passiveTick } from '../../src/values/instrument.ts';
import { rng } from '../../src/values/rng.ts';
import { until } from '../adapters/until.ts';
import { twapd } from '../main/cli-world.ts';
import {
  type Daemon,
  daemonFiles,
  startDaemon,
  startExchange,
} from '../support/daemon/daemon-process.ts';
import { sumOf, tradesInJournal } from '../support/daemon/journal-trades.ts';
import { TWO_LEGS } from '../support/engine/two-legs.ts';

const ACCOUNT = accountId('10001');
const BTC = instrumentName('BTC-PERPETUAL');
const exchangeFiles = daemonFiles('exch', 'config/exchange.yaml');
const files = daemonFiles('rtst', 'config/paper-remote.yaml');
const running: Daemon[] = [];

afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.end('SIGTERM');
});
afterAll(() => {
  files.remove();
  exchangeFiles.remove();
});

async function exchange(port = 0): Promise<Daemon> {
  const started = await startExchange(exchangeFiles, port);
  running.push(started);
  return started;
}

async function actions(): Promise<readonly unknown[]> {
  const words = ['actions', '--exchange', '--config', exchangeFiles.configPath, '--json'];
  return JSON.parse((await twapd(words)).out);
}

describe('an exchange in a process of its own', () => {
  test('an exchange in its own process takes orders over the wire and keeps them after kill -9', async () => {
    const first = await exchange();
    const secret = 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';
    const account = accountId('10002');
    const clock = new SystemClock({ unref: true });
    const venue = await openRemoteVenue({
      name: venueName('paper'),
      url: first.url,
      credentials: [{ keyId: 'demo-maker', secret, bindBody: false, accounts: [account] }],
      ...{ clock, rng: rng('smoke'), skewMaxMs: 1_000 },
      rules: { backoff: { minMs: 50, maxMs: 200, heldMs: 1_000 } },
      onFault: () => undefined,
    });
    try {
      venue.watch(BTC);
      await until(() => venue.quote(BTC)?.mark !== undefined);
      const terms = venue.instrument(BTC);
      const mark = venue.quote(BTC)?.mark;
      if (terms === undefined || mark === undefined) throw new Error('not listed');
      const label = childLabelOf('smoke-1');
      const of = { account, instrument: BTC, label };
      const placed = await venue.place({
        ...of,
        ...{ side: 'buy', type: 'limit', mmp: false },
        quantity: quantity('100'),
        price: passiveTick(terms, 'buy', mark.mul('0.98') as typeof mark),
        timeInForce: 'good_til_cancelled',
        ...{ postOnly: true, rejectPostOnly: true, reduceOnly: false },
        validUntil: later(venue.venueNow(), 5_000),
      });
      expect(placed).toMatchObject({ kind: 'done', value: { order: { state: 'open' } } });
      // Written a moment after the reply; from then on it survives any end of the process.
      await until(async () => (await actions()).length === 1);
      const reconnected = new Promise<void>((heard) => {
        venue.subscribe((notice) => notice.kind === 'reconnected' && heard());
      });
      expect(await first.end('SIGKILL')).toBe('SIGKILL');
      await until(() => venue.trouble() !== undefined);
      expect(venue.quote(BTC)).toBeUndefined();
      expect((await venue.reconcile(of)).kind).not.toBe('done');
      await exchange(Number(new URL(first.url).port));
      await reconnected;
      const found = await venue.reconcile(of);
      expect(found).toMatchObject({ value: { orders: [{ state: 'open', label }] } });
      const cancelled = await venue.cancel({ account, of: { instrument: BTC, label } });
      expect(cancelled).toMatchObject({ value: { state: 'cancelled' } });
      await until(async () => (await actions()).length > 1);
      const by = { keyId: 'demo-maker', uid: '1002', nickname: 'Demo maker one', account };
      const done = { ...by, address: '127.0.0.1', instrument: BTC, label, outcome: 'done' };
      expect(await actions()).toMatchObject([
        { ...done, method: expect.stringMatching(/^private\/cancel/) },
        { ...done, method: 'private/buy' },
      ]);
    } finally {
      await venue.close();
    }
  }, 240_000);

  test('a daemon finishes with the exact total although its exchange is killed in mid-run', async () => {
    const first = await exchange();
    const config = readFileSync(files.configPath, 'utf8');
    writeFileSync(files.configPath, config.replace(/url: .*/, `url: ${first.url}`));
    const daemon = await startDaemon(files);
    running.push(daemon);
    const submitted = await daemon.client.submit(TWO_LEGS);
    if (submitted.kind !== 'done') throw new Error(JSON.stringify(submitted));
    await sleep(3_300);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    await until(async () => (await fetch(`${daemon.url}/readyz`)).status === 503);
    await sleep(1_500);
    const second = await exchange(Number(new URL(first.url).port));
    await until(async () => (await fetch(`${daemon.url}/readyz`)).status === 200);
    const portfolioId = String(submitted.value.portfolioId);
    let filled: readonly string[] = [];
    await until(async () => {
      await sleep(100);
      const info = await daemon.client.info(portfolioId);
      if (info.kind !== 'done' || info.value.portfolioStatus !== 2) return false;
      filled = info.value.legs.map((leg) => leg.filledQuantity);
      return true;
    }, 160_000);
    expect(filled).toEqual(['14000', '0.28']);
    expect(daemon.output()).not.toContain('dHdhcGQtZGVtby10YWtlci1z');
    expect(await daemon.end('SIGTERM')).toBe(0);
    expect(await second.end('SIGTERM')).toBe(0);
    const trades = await tradesInJournal(exchangeFiles.dataDir, ACCOUNT);
    expect(sumOf(trades, 'BTC-PERPETUAL')).toBe('14000');
    expect(sumOf(trades, 'BTC_USDC')).toBe('0.28');
    const ordersOf = new Map<string, Set<string>>();
    for (const trade of trades) {
      ordersOf.set(trade.label, (ordersOf.get(trade.label) ?? new Set()).add(trade.orderId));
    }
    for (const [label, orders] of ordersOf) expect(orders.size, label).toBe(1);
  }, 360_000);
});

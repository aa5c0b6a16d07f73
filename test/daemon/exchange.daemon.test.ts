// The real exchange and the real daemon as two processes: the exchange is killed with -9 while the daemon trades
// there. Its journal shows what was actually placed.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NETWORK, openDeribitVenue } from '../../src/adapters/deribit/open-deribit-venue.ts';
import { SystemClock } from '../../src/adapters/system/system-clock.ts';
import type { PortfolioBody } from '../../src/gateway/client/client.ts';
import { quantity } from '../../src/values/amounts.ts';
import { accountId, childLabelOf, instrumentName, venueName } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';
import { passiveTick } from '../../src/values/instrument.ts';
import { rng } from '../../src/values/rng.ts';
import { until } from '../adapters/until.ts';
import { TRADER } from '../clients/client-stage.ts';
import { postRpc } from '../gateway/deribit/raw-client.ts';
import { warmCli } from '../main/warm-cli.ts';
import {
  allowLongEnds,
  type Daemon,
  daemonFiles,
  deribitUrl,
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

/** Ends what a block of tests started, the last first. */
async function endAll(): Promise<void> {
  for (const one of running.splice(0).reverse()) await one.end('SIGTERM');
}

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
  return JSON.parse((await warmCli.run(words)).out);
}

describe('an exchange in a process of its own', () => {
  afterAll(endAll);

  test('an exchange in its own process takes orders over the wire and keeps them after kill -9', async () => {
    const first = await exchange();
    const secret = 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==';
    const account = accountId('10002');
    const clock = new SystemClock({ unref: true });
    const key = { kind: 'deribit', clientId: 'demo-maker', clientSecret: secret } as const;
    const venue = await openDeribitVenue({
      name: venueName('paper'),
      line: NETWORK,
      url: deribitUrl(first.url),
      accounts: [{ account, key }],
      expected: 'any',
      allowsLive: false,
      clock,
      rng: rng('smoke'),
      skewMaxMs: 1_000,
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
        side: 'buy',
        type: 'limit',
        mmp: false,
        quantity: quantity('100'),
        price: passiveTick(terms, 'buy', mark.mul('0.98') as typeof mark),
        timeInForce: 'good_til_cancelled',
        postOnly: true,
        rejectPostOnly: true,
        reduceOnly: false,
        validUntil: later(venue.venueNow(), 5_000),
      });
      expect(placed).toMatchObject({ kind: 'done', value: { order: { state: 'open' } } });
      // Written a moment after the reply; from then on it survives any end of the process.
      await until(async () => (await actions()).length === 1);
      const reconnected = new Promise<void>((heard) => {
        venue.subscribe((notice) => {
          if (notice.kind === 'reconnected' && notice.accounts.includes(account)) heard();
        });
      });
      expect(await first.end('SIGKILL')).toBe('SIGKILL');
      await until(() => venue.trouble() !== undefined && venue.quote(BTC) === undefined);
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
        { ...done, method: 'deribit private/cancel' },
        { ...done, method: 'deribit private/buy' },
      ]);
    } finally {
      await venue.close();
    }
  }, 240_000);
});

const option = (instrument: string) => ({
  instrument,
  instrumentType: 'OPTION',
  side: 1,
  quantity: '0.4',
  priceOptions: { priceType: 'MARKET' },
});

describe('a daemon on an exchange in another process', () => {
  let first: Daemon;
  let daemon: Daemon;
  beforeAll(async () => {
    first = await exchange();
    const config = readFileSync(files.configPath, 'utf8');
    writeFileSync(files.configPath, config.replace(/url: .*/, `url: ${deribitUrl(first.url)}`));
    allowLongEnds(files);
    daemon = await startDaemon(files);
    running.push(daemon);
  });
  afterAll(endAll);

  async function submitted(body: unknown): Promise<string> {
    const answer = await daemon.client.submit(body as PortfolioBody);
    if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
    return String(answer.value.portfolioId);
  }

  /** Waits until the portfolio is filled; returns the filled quantities of its legs. */
  async function filledBy(portfolioId: string): Promise<readonly string[]> {
    let filled: readonly string[] = [];
    await until(async () => {
      await sleep(100);
      const info = await daemon.client.info(portfolioId);
      if (info.kind !== 'done' || info.value.portfolioStatus !== 2) {
        expect(info).not.toMatchObject({ value: { portfolioStatus: 3 } });
        return false;
      }
      filled = info.value.legs.map((leg) => leg.filledQuantity);
      return true;
    }, 160_000);
    return filled;
  }

  test('a portfolio of options, whose first quotes arrive late, is submitted and filled', async () => {
    const legs = ['BTC-{>=30d}-{atm}-C', 'BTC-{>=30d}-{atm}-P'].map(option);
    const portfolioId = await submitted({ ...TWO_LEGS, legs });
    expect(await filledBy(portfolioId)).toEqual(['0.4', '0.4']);
  }, 360_000);

  test('an exchange in its own process creates combos, and says what an order of them needs', async () => {
    const { url } = first;
    const asked = async (method: string, params: object) => {
      const { result, error } = await postRpc(url, { method, params, by: TRADER });
      return result ?? error;
    };
    const listed = await asked('public/get_instruments', { currency: 'BTC', kind: 'future' });
    const dated = listed.find((one: { settlement_period: string }) => {
      return one.settlement_period !== 'perpetual';
    });
    const legs = [
      { instrument_name: dated.instrument_name, amount: 10, direction: 'buy' },
      { instrument_name: BTC, amount: 10, direction: 'sell' },
    ];
    const combo = await asked('private/create_combo', { trades: legs });
    expect(combo).toMatchObject({ state: 'active', legs: [{ amount: 1 }, { amount: -1 }] });
    const order = { instrument_name: combo.id, amount: 10, price: 0 };
    expect(await asked('private/get_margins', order)).toMatchObject({ buy: expect.any(Number) });
  });

  test('a daemon finishes with the exact total although its exchange is killed in mid-run', async () => {
    const portfolioId = await submitted(TWO_LEGS);
    await sleep(3_300);
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    await until(async () => (await fetch(`${daemon.url}/readyz`)).status === 503);
    await sleep(1_500);
    const second = await exchange(Number(new URL(first.url).port));
    await until(async () => (await fetch(`${daemon.url}/readyz`)).status === 200);
    expect(await filledBy(portfolioId)).toEqual(['14000', '0.28']);
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

// The time from kill -9 to ready, with a thousand active portfolios and five thousand of their orders at the
// venue.

import { setTimeout as sleep } from 'node:timers/promises';
import type { PortfolioBody } from '../src/gateway/client/client.ts';
import { type Daemon, daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import type { Row } from './row.ts';

const PORTFOLIOS = Number(process.env['TWAPD_BENCH_PORTFOLIOS'] ?? '1000');
const LEGS = 5;
const KILLS = Number(process.env['TWAPD_BENCH_KILLS'] ?? '10');
const READY_MS_MAX = 60_000;
const SUBMITS_AT_ONCE = 8;

interface Market {
  readonly instrument: string;
  readonly instrumentType: PortfolioBody['legs'][number]['instrumentType'];
  readonly quantity: string;
  readonly price: string;
  readonly priceIn: string;
}

async function request<T>(daemon: Daemon, method: string, params: object): Promise<T> {
  const answer = await fetch(`${daemon.url}/api/${method}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ rid: 1, method, params }),
  });
  const { result, error } = (await answer.json()) as { result?: T; error?: unknown };
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

interface Listed {
  readonly instrumentName: string;
  readonly kind: string;
}

/** Five markets of one coin, each with a price slightly below it at which orders rest. */
async function markets(daemon: Daemon): Promise<readonly Market[]> {
  const params = { currency: 'BTC', kind: 'future' };
  const listed = await request<readonly Listed[]>(daemon, 'public/get_instruments', params);
  const inverse = listed.map(({ instrumentName }) => instrumentName);
  const names = [
    ...inverse.filter((name) => name.startsWith('BTC-')),
    'BTC_USDC-PERPETUAL',
    'BTC_USDC',
  ];
  const chosen = names.slice(-LEGS);
  return await Promise.all(
    chosen.map(async (instrument) => {
      const { markPrice } = await request<{ markPrice: string }>(daemon, 'public/ticker', {
        instrumentName: instrument,
      });
      const isInverse = instrument.startsWith('BTC-');
      return {
        instrument,
        instrumentType:
          instrument === 'BTC_USDC'
            ? 'SPOT'
            : instrument.endsWith('PERPETUAL')
              ? 'PERPETUAL'
              : 'DELIVERY_FUTURES',
        quantity: isInverse ? '240' : '0.0024',
        // A multiple of every tick size.
        price: String(Math.round((Number(markPrice) * 0.99) / 10) * 10),
        priceIn: isInverse ? 'USD' : 'USDC',
      };
    }),
  );
}

const body = (legs: readonly Market[]): PortfolioBody => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 43_200, frequencySec: 3_600 },
  legs: legs.map(({ instrument, instrumentType, quantity, price, priceIn }) => ({
    instrument,
    instrumentType,
    quantity,
    side: 1,
    timeInForce: 1,
    priceOptions: { priceType: 'LIMIT', price, priceIn },
  })),
});

/** Portfolios of five legs each, whose orders rest. */
export async function submitAll(daemon: Daemon, count = PORTFOLIOS): Promise<void> {
  const legs = await markets(daemon);
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      for (;;) {
        const answer = await daemon.client.submit(body(legs));
        if (answer.kind === 'done') break;
        const { retryAfterSec } = answer.kind === 'refused' ? answer : {};
        if (retryAfterSec === undefined) throw new Error(JSON.stringify(answer));
        await sleep(retryAfterSec * 300);
      }
    }
  };
  await Promise.all(Array.from({ length: SUBMITS_AT_ONCE }, work));
}

const PAGE = 100;

/** Legs with an order at the venue. */
export async function openChildren({ client }: Daemon): Promise<number> {
  let open = 0;
  for (let currentPage = 1; (currentPage - 1) * PAGE < PORTFOLIOS; currentPage += 1) {
    const page = await client.page({ accountId: '10001', pageSize: PAGE, currentPage });
    if (page.kind !== 'done') throw new Error(JSON.stringify(page));
    const legs = page.value.values.flatMap((portfolio) => portfolio.legs);
    open += legs.filter((leg) => Number(leg.outstandingQuantity) > 0).length;
  }
  return open;
}

/** Waits until the daemon reports that it is ready: everything is loaded and the venue has listed the open orders. */
async function ready({ url }: Daemon): Promise<void> {
  const until = performance.now() + READY_MS_MAX;
  while (performance.now() < until) {
    const { ok } = await fetch(`${url}/readyz`);
    if (ok) return;
    await sleep(5);
  }
  throw new Error('the daemon does not get ready');
}

export async function benchRecovery(): Promise<Row[]> {
  const files = daemonFiles('rcvr');
  let daemon = await startDaemon(files);
  try {
    await submitAll(daemon);
    await sleep(5_000);
    const open = await openChildren(daemon);
    const listeningMs: number[] = [];
    const tookMs: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await daemon.end('SIGKILL');
      const from = performance.now();
      daemon = await startDaemon(files);
      listeningMs.push(performance.now() - from);
      await ready(daemon);
      tookMs.push(performance.now() - from);
      await sleep(1_000);
    }
    const what = `${PORTFOLIOS} portfolios, ${open} open children, ${KILLS} times`;
    return [
      {
        what: `kill -9, start to ready, ${what}`,
        value: spread(tookMs),
        yardstick: 'target: < 2000 ms',
      },
      { what: 'the same, until it accepts requests', value: spread(listeningMs) },
    ];
  } finally {
    await daemon.end('SIGTERM');
    files.remove();
  }
}

function spread(tookMs: readonly number[]): string {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)]?.toFixed(0);
  return `median ${middle} ms, worst ${sorted.at(-1)?.toFixed(0)} ms`;
}

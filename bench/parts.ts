// What clients get of a daemon whose gateway is a process of its own, alongside one that serves them in the process that
// executes: orders over one connection, and signed plans while slices run. The two take turns.
import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PortfolioBody } from '../src/gateway/client/client.ts';
import { type Daemon, daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import { PLAN, rateOf, type Target, target } from './gateway-requests.ts';
import { percentile } from './percentile.ts';
import { placeOrders } from './place-orders.ts';
import { cpuSec } from './process-cost.ts';
import { echoServer } from './rid-echo.ts';
import type { Row } from './row.ts';
import { latenessOf } from './slice-lateness.ts';

const TAKER = {
  keyId: 'demo-taker',
  secret: 'dHdhcGQtZGVtby10YWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
/** Its account has no portfolios. */
const MAKER = {
  keyId: 'demo-maker',
  secret: 'dHdhcGQtZGVtby1tYWtlci1zZWNyZXQtMDEyMzQ1Njc4OQ==',
};
const PACED = { wire: 'rid', count: 5_000, perSecond: 500 } as const;
const WARM_UP = 20_000;
const PIPED = Number(process.env['TWAPD_BENCH_ORDERS'] ?? '40000');
/** One slice a second each. */
const PORTFOLIOS = 200;
const PLANS = 4_000;
/** Of one daemon; an even number. */
const ROUNDS = 8;
const QUIET_SEC = 15;
/** A client is on another machine: here it must take nothing that the daemon needs, so it is nicer than the gateway, too. */
const CLIENT_NICER = 12;

const LOOSE = 1_000_000;
const RATES = ['read', 'submit', 'order', 'query', 'work']
  .map((name) => `${name}: ${LOOSE}`)
  .join(', ');
const UNLIMITED = `
gateway:
  perKey: { ${RATES}, connections: 100 }
  inFlightMax: 2000
  perAddress: { connections: 100000 }
`;

const portOf = ({ url }: Daemon): number => Number(new URL(url).port);
const ms = (values: readonly number[], share: number): string =>
  `${percentile([...values], share).toFixed(2)} ms`;

type Parts = 'together' | 'apart';

interface Opened {
  readonly parts: Parts;
  readonly daemon: Daemon;
  close(): Promise<void>;
}

export async function benchParts(): Promise<Row[]> {
  const [together, apart] = [await open('together'), await open('apart')];
  try {
    const rows = [...(await orders(together)), ...(await orders(apart))];
    return [...rows, await plansBesideSlices(together, apart)];
  } finally {
    for (const one of [together, apart]) await one.close();
  }
}

async function open(parts: Parts): Promise<Opened> {
  const files = daemonFiles('bnch', 'config/paper.yaml', parts);
  const text = readFileSync(files.configPath, 'utf8').replace(/latencyMs: \d+/, 'latencyMs: 0');
  writeFileSync(files.configPath, text + UNLIMITED);
  const daemon = await startDaemon(files);
  const close = async (): Promise<void> => {
    await daemon.end('SIGTERM');
    files.remove();
  };
  return { parts, daemon, close };
}

async function orders({ daemon, parts }: Opened): Promise<Row[]> {
  const port = portOf(daemon);
  await placeOrders(port, { wire: 'rid', count: WARM_UP, perSecond: 0 }, MAKER);
  const paced = await placeOrders(port, PACED, MAKER);
  const echo = await echoServer();
  const bare = await placeOrders(echo.port, PACED).finally(() => echo.close());
  const costsFrom = processorOf(daemon, parts);
  const piped = await placeOrders(port, { wire: 'rid', count: PIPED, perSecond: 0 }, MAKER);
  const costs = processorOf(daemon, parts).map(([name, sec], index) => {
    const micros = ((sec - (costsFrom[index]?.[1] ?? 0)) / PIPED) * 1_000_000;
    return `${name} ${micros.toFixed(0)} µs`;
  });
  const [own, theirs] = [paced.roundTripMs, bare.roundTripMs];
  return [
    {
      what: `${parts}: round trip of an order at 500 a second (${own.length})`,
      value: `p50 ${ms(own, 0.5)}, p99 ${ms(own, 0.99)}`,
      yardstick: `a bare echo: p50 ${ms(theirs, 0.5)}, p99 ${ms(theirs, 0.99)}`,
    },
    {
      what: `${parts}: orders over one pipelined connection (${PIPED})`,
      value: `${Math.round(PIPED / (piped.elapsedMs / 1_000))} a second`,
      yardstick: `processor time of an order: ${costs.join(', ')}`,
    },
  ];
}

/** Seconds of processor time that each process has used so far. */
function processorOf(daemon: Daemon, parts: Parts): readonly (readonly [string, number])[] {
  const names = parts === 'apart' ? (['engine', 'gateway'] as const) : (['engine'] as const);
  return names.map((name) => [name, cpuSec(daemon.part(name))]);
}

/** Plans of the one without slices and of the other alongside slices take turns. */
async function plansBesideSlices(together: Opened, apart: Opened): Promise<Row> {
  const [before, now] = [together, apart].map(({ daemon }) =>
    target(portOf(daemon), PLAN, PLANS, TAKER),
  ) as [Target, Target];
  try {
    for (const { client } of [before, now]) {
      if (client.pid !== undefined) setPriority(client.pid, getPriority() + CLIENT_NICER);
    }
    // The first of each warms up the compiler.
    for (const one of [before, now]) await rateOf(one);
    for (let index = 0; index < PORTFOLIOS; index += 1) {
      const outcome = await apart.daemon.client.submit(body(index));
      if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    }
    await sleep(5_000);
    const quiet = await latenessOf(apart.daemon, () => sleep(QUIET_SEC * 1_000));
    const [rates, own]: [number[], number[]] = [[], []];
    // Apart from each other: the daemon that is compared must not take the slices' share of the processor.
    for (let round = 0; round < ROUNDS; round += 2) rates.push((await rateOf(before)).perSecond);
    const busy = await latenessOf(apart.daemon, async () => {
      for (let round = 0; round < ROUNDS; round += 1) own.push((await rateOf(now)).perSecond);
    });
    for (let round = 0; round < ROUNDS; round += 2) rates.push((await rateOf(before)).perSecond);
    const [theirs, ours] = [percentile(rates, 0.5), percentile(own, 0.5)];
    return {
      what: `signed plans a second, apart, while ${PORTFOLIOS} slices a second run`,
      value: `${ours.toFixed(0)} a second; slices p99 about ${busy.p99Ms} ms late, ${busy.missed} missed`,
      yardstick: `together, without slices: ${theirs.toFixed(0)} a second; without plans p99 about ${quiet.p99Ms} ms late`,
    };
  } finally {
    for (const { client } of [before, now]) client.kill();
  }
}

const body = (index: number): PortfolioBody => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 300, frequencySec: 1 },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: index % 2 === 0 ? 1 : 2,
      quantity: '3000',
      priceOptions: { priceType: 'MARKET' },
    },
  ],
});

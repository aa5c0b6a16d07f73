// The daemon as a process: the time until it is ready, and its cost while a thousand portfolios wait for
// their next slice.

import { setTimeout as sleep } from 'node:timers/promises';
import type { PortfolioBody } from '../src/gateway/client/client.ts';
import { type Daemon, daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import { cpuSec, residentMb } from './process-cost.ts';
import type { Row } from './row.ts';

const PORTFOLIOS = 1_000;
const WATCHED_MS = 20_000;
const INSTRUMENTS = ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL', 'ETH_USDC-PERPETUAL'];

/** Legs on instruments that are quoted all day, with slices an hour apart: active, but idle. */
const idleBody = (index: number): PortfolioBody => ({
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 86_400, frequencySec: 3_600 },
  legs: [
    {
      instrument: INSTRUMENTS[index % INSTRUMENTS.length] as string,
      instrumentType: 'PERPETUAL',
      side: index % 2 === 0 ? 1 : 2,
      quantity: index % 4 < 2 ? '2400' : '0.24',
      priceOptions: { priceType: 'MARKET' },
    },
  ],
});

async function submitIdle({ client }: Daemon): Promise<void> {
  for (let index = 0; index < PORTFOLIOS; index += 1) {
    for (;;) {
      const answer = await client.submit(idleBody(index));
      if (answer.kind === 'done') break;
      if (answer.kind === 'refused' && answer.retryAfterSec !== undefined)
        await sleep(answer.retryAfterSec * 200);
      else throw new Error(JSON.stringify(answer));
    }
  }
}

async function idleCost(daemon: Daemon): Promise<Row[]> {
  await submitIdle(daemon);
  await sleep(5_000);
  const pid = daemon.part('engine');
  const from = cpuSec(pid);
  await sleep(WATCHED_MS);
  const share = ((cpuSec(pid) - from) * 1_000) / WATCHED_MS;
  return [
    {
      what: `idle with ${PORTFOLIOS} active portfolios`,
      value: `${(share * 100).toFixed(1)} % of a core, ${residentMb(pid).toFixed(0)} MB resident`,
      yardstick: 'target: < 5 %, < 300 MB',
    },
  ];
}

async function timedStart(files: ReturnType<typeof daemonFiles>): Promise<[Daemon, number]> {
  const from = performance.now();
  const daemon = await startDaemon(files);
  return [daemon, performance.now() - from];
}

export async function benchDaemon(): Promise<Row[]> {
  const files = daemonFiles('bnch', 'config/paper.yaml', 'apart');
  try {
    const [first, coldMs] = await timedStart(files);
    await first.end('SIGTERM');
    const [second, warmMs] = await timedStart(files);
    const idle = await idleCost(second);
    await second.end('SIGKILL');
    const [third, recoveryMs] = await timedStart(files);
    await third.end('SIGTERM');
    const ms = (value: number): string => `${value.toFixed(0)} ms`;
    return [
      { what: 'process start to ready, empty data folder', value: ms(coldMs) },
      { what: 'process start to ready, warm', value: ms(warmMs), yardstick: 'target: < 3000 ms' },
      {
        what: `kill -9, start to ready with ${PORTFOLIOS} portfolios to recover`,
        value: ms(recoveryMs),
      },
      ...idle,
    ];
  } finally {
    files.remove();
  }
}

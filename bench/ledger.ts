// The number of turns a second that the ledger makes durable, and the latency of one: closed loops of
// portfolios, each committing its next turn when the previous one is acknowledged.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../src/adapters/postgres/postgres-ledger.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import { turnOf } from './ledger-turn.ts';
import { opened } from './opened.ts';
import type { Row } from './row.ts';

export interface LedgerLoad {
  /** Active portfolios, each with one turn in flight. */
  readonly portfolios: number;
  readonly runMs: number;
  readonly warmUpMs: number;
}

export interface LedgerFigures {
  readonly turnsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Runs one load against an open ledger; `firstId` keeps the portfolios of several loads apart. */
export async function measureLedger(
  ledger: Pick<PostgresLedger, 'commit'>,
  load: LedgerLoad,
  firstId: number,
): Promise<LedgerFigures> {
  const latenciesMs: number[] = [];
  const countFrom = performance.now() + load.warmUpMs;
  const endAt = countFrom + load.runMs;
  const runPortfolio = async (id: number): Promise<void> => {
    for (let turn = 0; performance.now() < endAt; turn += 1) {
      const startedAt = performance.now();
      const outcome = await ledger.commit([turnOf(id, turn)]);
      if (outcome.kind !== 'committed') throw new Error(`portfolio ${id}: ${outcome.kind}`);
      if (startedAt >= countFrom) latenciesMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: load.portfolios }, (_, n) => runPortfolio(firstId + n)));
  const elapsedMs = performance.now() - countFrom;
  latenciesMs.sort((a, b) => a - b);
  const quantile = (q: number): number => latenciesMs[Math.floor(latenciesMs.length * q)] ?? 0;
  return {
    turnsPerSecond: (latenciesMs.length / elapsedMs) * 1_000,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}

/** Expected figures on two cores and a disk that syncs in a quarter of a millisecond. */
const YARDSTICKS: readonly (readonly [portfolios: number, yardstick: string])[] = [
  [1, 'p50 under 1 ms'],
  [16, ''],
  [64, 'at least 5 000 turns/s'],
  [500, ''],
];

/** Runs on its own PostgreSQL with the daemon's settings. */
export async function benchLedger(): Promise<Row[]> {
  await using all = opened();
  const dataDir = await mkdtemp(join(tmpdir(), 'twapd-bench-ledger-'));
  all.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = { info: () => undefined, warn: console.warn };
  const server = await startEmbeddedPostgres({ dataDir, log });
  all.defer(() => server.stop());
  const ledger = await openPostgresLedger({ connectionString: server.address });
  all.defer(() => ledger.close());
  const rows: Row[] = [];
  for (const [portfolios, yardstick] of YARDSTICKS) {
    const load = { portfolios, runMs: 4_000, warmUpMs: 1_000 };
    const figures = await measureLedger(ledger, load, 1_000_000 + portfolios * 1_000);
    rows.push({
      what: `ledger, ${portfolios} ${portfolios === 1 ? 'portfolio' : 'portfolios'} at a time`,
      value:
        `${Math.round(figures.turnsPerSecond)} turns/s, ` +
        `p50 ${figures.p50Ms.toFixed(2)} ms, p99 ${figures.p99Ms.toFixed(2)} ms`,
      ...(yardstick === '' ? {} : { yardstick }),
    });
  }
  return rows;
}

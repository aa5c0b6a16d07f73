// How late slices are when the daemon that works their account is stopped, and when it is killed: two daemons on one
// exchange and one ledger, under load. Read from the events, from the due instant to the turn that starts the slice.
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNTS, DaemonDeployment, submit } from '../test/support/daemon/daemon-deployment.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const PORTFOLIOS_EACH = 5;
const LEGS = 2;
const ROUNDS = 2;
/** Of a portfolio, with a slice of each leg every second. */
const SECONDS = 20;
/** What is due from the signal on for so long counts. */
const AFTER_MS = 5_000;

interface Slice extends Record<string, unknown> {
  readonly late: number;
}

async function lateAfter(
  d: DaemonDeployment,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<{ readonly lateMs: readonly number[]; readonly missed: number }> {
  const from = Date.now();
  await d.takeLatest().end(signal);
  await sleep(AFTER_MS);
  await d.shared();
  const until = from + AFTER_MS;
  const slices = await d.stage.query<Slice>(
    `SELECT (at - (data->>'dueAt')::bigint)::int AS late FROM event
     WHERE kind = 'slice_started' AND (data->>'dueAt')::bigint BETWEEN ${from} AND ${until}`,
  );
  const [skipped] = await d.stage.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM event
     WHERE kind = 'slices_missed' AND at BETWEEN ${from} AND ${until + AFTER_MS}`,
  );
  return { lateMs: slices.map(({ late }) => late), missed: skipped?.count ?? 0 };
}

export async function benchHandOver(): Promise<Row[]> {
  const d = await DaemonDeployment.open('hand', { ownPostgres: {} });
  try {
    // Two of them share the work.
    await d.takeLatest().end('SIGTERM');
    await d.shared();
    const rows: Row[] = [];
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const lateMs: number[] = [];
      let missed = 0;
      for (let round = 1; round <= ROUNDS; round += 1) {
        for (const account of ACCOUNTS) {
          for (let n = 0; n < PORTFOLIOS_EACH; n += 1) await submit(d.first, account, SECONDS);
        }
        await sleep(3_000);
        const found = await lateAfter(d, signal);
        lateMs.push(...found.lateMs);
        missed += found.missed;
        await d.add(`${signal} ${round}`);
        await d.shared();
        await sleep(SECONDS * 1_000);
      }
      const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(lateMs, share));
      const perSecond = ACCOUNTS.length * PORTFOLIOS_EACH * LEGS;
      const isPlanned = signal === 'SIGTERM';
      rows.push({
        what: `${isPlanned ? 'hand-over' : 'kill -9'} of one of two daemons, ${ROUNDS} times, ${perSecond} slices/s: lateness of the slices due in the 5 s after it`,
        value: `p50 ${p50} ms, p99 ${p99} ms, worst ${max} ms of ${lateMs.length}; missed ${missed}`,
        yardstick: `target: worst ${isPlanned ? '250 ms' : '2 s'}`,
      });
    }
    return rows;
  } finally {
    await d.close();
  }
}

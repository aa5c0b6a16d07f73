// What several daemons cost together at the load of one: the processor time of a slice with three, two and one daemon, and how
// many turns were decided in vain because another daemon had committed first.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PortfolioBody } from '../src/gateway/client/client.ts';
import {
  ACCOUNTS,
  type Account,
  clientOf,
  DaemonDeployment,
  sum,
} from '../test/support/daemon/daemon-deployment.ts';
import type { Daemon } from '../test/support/daemon/daemon-process.ts';
import { marketLegs } from './many-portfolios.ts';
import { cpuSec, residentMb } from './process-cost.ts';
import type { Row } from './row.ts';
import { latenessOf } from './slice-lateness.ts';

/** Slices a second of all accounts together. */
const PER_SEC = Number(process.env['TWAPD_BENCH_SLICES'] ?? '120');
const WATCHED_MS = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '20') * 1_000;
/** Before three daemons are measured, because each gets a third of what compiles its code; and before fewer are. */
const COLD_MS = 30_000;
const WARM_UP_MS = WATCHED_MS / 2;
const IDLE_MS = 8_000;
/** Long enough for all of them, however long the stops take. */
const WORK_SEC = 600;

const body = (index: number, account: Account): PortfolioBody => ({
  accountId: account,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: WORK_SEC, frequencySec: 1 },
  legs: marketLegs(index, WORK_SEC),
});

async function submitAll({ first }: DaemonDeployment): Promise<void> {
  const share = Math.floor(PER_SEC / ACCOUNTS.length);
  const ofAccount = async (account: Account): Promise<void> => {
    const client = clientOf(first, account);
    for (let index = 0; index < share; ) {
      const answer = await client.submit(body(index, account));
      if (answer.kind === 'done') index += 1;
      else if (answer.kind === 'refused' && answer.retryAfterSec !== undefined)
        await sleep(answer.retryAfterSec * 1_000);
      else throw new Error(JSON.stringify(answer));
    }
  };
  await Promise.all(ACCOUNTS.map(ofAccount));
}

const PARTS = ['engine', 'gateway'] as const;
type Part = (typeof PARTS)[number];

const spent = (daemons: readonly Daemon[], part: Part): number =>
  sum(daemons.map((daemon) => cpuSec(daemon.part(part))));

interface Measured {
  readonly sent: number;
  readonly missed: number;
  readonly p99Ms: number;
  readonly lost: number;
  readonly micros: Readonly<Record<Part, number>>;
}

async function measure(d: DaemonDeployment): Promise<Measured> {
  const before = PARTS.map((part) => spent(d.daemons, part));
  const lostBefore = await d.total('twapd_turn_conflicts_total');
  const passed = sleep(WATCHED_MS);
  const each = await Promise.all(d.daemons.map((daemon) => latenessOf(daemon, () => passed)));
  const after = PARTS.map((part) => spent(d.daemons, part));
  const sent = sum(each.map((one) => one.sent));
  const [engine = 0, gateway = 0] = after.map(
    (sec, index) => ((sec - (before[index] ?? 0)) * 1_000_000) / sent,
  );
  return {
    sent,
    missed: sum(each.map((one) => one.missed)),
    p99Ms: Math.max(...each.map(({ p99Ms }) => p99Ms).filter((ms) => !Number.isNaN(ms))),
    lost: (await d.total('twapd_turn_conflicts_total')) - lostBefore,
    micros: { engine, gateway },
  };
}

/** Each daemon's share of a core while there is nothing to do. */
async function idle(d: DaemonDeployment): Promise<string> {
  const before = PARTS.map((part) => spent(d.daemons, part));
  await sleep(IDLE_MS);
  return PARTS.map((part, index) => {
    const share = (spent(d.daemons, part) - (before[index] ?? 0)) / d.daemons.length;
    return `${part} ${((share * 100_000) / IDLE_MS).toFixed(1)} %`;
  }).join(', ');
}

export async function benchSeveral(): Promise<Row[]> {
  const d = await DaemonDeployment.open('many', { ownPostgres: {}, parts: 'apart' });
  try {
    await d.shared();
    const atRest = await idle(d);
    process.stderr.write(`   ${atRest}\n`);
    await submitAll(d);
    const measured: Measured[] = [];
    for (;;) {
      await sleep(measured.length === 0 ? COLD_MS : WARM_UP_MS);
      measured.unshift(await measure(d));
      process.stderr.write(`   ${d.daemons.length}: ${JSON.stringify(measured[0])}\n`);
      if (d.daemons.length === 1) break;
      await d.takeLatest().end('SIGTERM');
      await d.shared();
    }
    const mb = residentMb(d.first.part('engine')).toFixed(0);
    const whole = ({ engine, gateway }: Measured['micros']): number => engine + gateway;
    const ofOne = whole(measured[0]?.micros ?? { engine: 0, gateway: 0 });
    return [
      { what: 'three daemons without portfolios, each', value: `${atRest} of a core` },
      ...measured.map(({ sent, missed, p99Ms, lost, micros }, index) => ({
        what: `${index + 1} of them, ${PER_SEC} slices/s: processor time of a slice, ${sent} sent`,
        value:
          `${whole(micros).toFixed(0)} µs (engines ${micros.engine.toFixed(0)}), ${(whole(micros) / ofOne).toFixed(2)} times that of one; ` +
          `${(lost / sent).toFixed(4)} turns lost a slice; p99 ${p99Ms} ms late, ${missed} missed`,
        yardstick: `target: ${['1', '1.1', '1.2'][index]} times; < 0.01 lost`,
      })),
      { what: 'the last one at the end', value: `${mb} MB resident` },
    ];
  } finally {
    await d.close();
  }
}

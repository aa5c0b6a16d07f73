// The tasks of `npm run test:long`: whole deployments, soaks, more seeds and mutants, each a few minutes on an idle machine with two cores.

import { CASE_SUBJECTS, LONG_SUBJECTS } from './long-files.ts';

export interface Task {
  readonly name: string;
  /** The words behind `node`. */
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const SIMULATION_MUTANT_SHARES = 6;
const SOURCE_MUTANT_SHARES = 4;
const SEED_CHUNKS = 4;
const SEEDS = 15_000;

/** As a word of a task. */
export const VITEST = 'node_modules/vitest/vitest.mjs';

const vitest = (...files: readonly string[]): readonly string[] => [
  '--disable-proto=delete',
  VITEST,
  'run',
  ...files,
];

/** What no test of the suite states, and every commit must keep: it comes first in each run that has the suite. */
export const CHECKS: Task = {
  name: 'format, types and dead code',
  words: ['test/check.mjs', 'format and lint', 'types', 'types of the page', 'dead code'],
};

/** Test files that failed alongside others. */
export const aloneTask = (files: readonly string[]): Task => ({
  name: `what failed, alone: ${files.join(', ')}`,
  words: vitest(...files),
});

const simulate = (...words: readonly string[]): readonly string[] => [
  '--disable-warning=ExperimentalWarning',
  'test/simulation/simulate.ts',
  ...words,
];

const numbered = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

const SIMULATION_MUTANTS = numbered(SIMULATION_MUTANT_SHARES).map((part): Task => {
  const share = `${part}/${SIMULATION_MUTANT_SHARES}`;
  return {
    name: `mutants of the simulation, share ${share}`,
    words: ['test/simulation/kill-mutants.ts', '--share', share],
  };
});

const SOURCE_MUTANTS = numbered(SOURCE_MUTANT_SHARES).map((part): Task => {
  const share = `${part}/${SOURCE_MUTANT_SHARES}`;
  return {
    name: `source-text mutants, share ${share}`,
    words: ['test/mutants/run.ts', '--share', share],
  };
});

const MORE_SEEDS = numbered(SEED_CHUNKS).map((part): Task => {
  const from = part * 100_000;
  return {
    name: `${SEEDS} cheap seeds of the simulation from ${from}`,
    words: simulate('--from', String(from), '--seeds', String(SEEDS)),
  };
});

const SUBJECTS = LONG_SUBJECTS.map(({ name, files }): Task => ({ name, words: vitest(...files) }));

const MORE_CASES = CASE_SUBJECTS.map(
  ({ name, files }): Task => ({
    name: `eight times as many cases of ${name}`,
    words: vitest(...files),
    environment: { TWAPD_CASES: '8' },
  }),
);

const SOAKS: readonly Task[] = [
  {
    name: 'ten thousand seeds of the simulation, with what they have to meet',
    words: vitest('test/simulation/simulation.test.ts'),
    environment: { SIMULATION_SEEDS: '10000' },
  },
  {
    name: 'a month of days that are archived and backed up',
    words: vitest('test/main/ledger/archive/month.service.test.ts'),
    environment: { TWAPD_ARCHIVE_DAYS: '30', TWAPD_ARCHIVE_PAIRS: '20' },
  },
  ...MORE_CASES,
  {
    name: "a sample of Stryker's mutants",
    words: ['test/mutation/run.ts', '--sample'],
  },
  {
    name: 'full runs of the simulation',
    words: simulate('--profile', 'full', '--seeds', '400'),
  },
  {
    name: 'runs of the simulation with low limits',
    words: simulate('--profile', 'limits', '--seeds', '4000'),
  },
  {
    name: 'runs of the simulation with Block RFQs',
    words: simulate('--profile', 'blocks', '--seeds', '4000'),
  },
  {
    name: 'runs of the simulation with cron schedules',
    words: simulate('--profile', 'schedules', '--seeds', '1000'),
  },
  {
    name: 'runs of the simulation whose busy account changes hands',
    words: simulate('--profile', 'owners', '--seeds', '2000'),
  },
  {
    name: 'runs of the simulation whose gateways reach their engines over the line between processes',
    words: simulate('--line', '--seeds', '4000'),
  },
  {
    name: 'runs of the simulation between the Deribit adapter and a served wire',
    words: simulate('--profile', 'wire', '--seeds', '4000'),
  },
  {
    name: 'runs of the simulation on the real PostgreSQL and Redis',
    words: simulate('--stores', 'real', '--seeds', '60'),
  },
  {
    name: 'three hundred storms of every kind',
    words: vitest(
      'test/engine/orders/faults.test.ts',
      'test/engine/scheduling/two-engines.test.ts',
    ),
    environment: { STORM_SEEDS: '300' },
  },
  {
    name: 'daemons killed before and after every kind of durable write and request',
    words: vitest('test/daemon/durability-'),
    environment: { TWAPD_DURABILITY: 'all' },
  },
  {
    name: 'a daemon that is suspended, terminated, killed and run beside a second one, and whose clock is stepped',
    words: vitest(
      'test/daemon/process-faults.daemon.test.ts',
      'test/daemon/balance.daemon.test.ts',
    ),
  },
  {
    name: "a daemon that trades over Deribit's wire",
    words: vitest(
      'test/daemon/deribit-venue.daemon.test.ts',
      'test/daemon/commands/capture.daemon.test.ts',
    ),
  },
  {
    name: 'two daemons of which one is upgraded, two gateways, and load balancers before them',
    words: vitest(
      'test/daemon/several/gateways.daemon.test.ts',
      'test/daemon/several/rolling-upgrade.daemon.test.ts',
      'test/daemon/several/load-balancer.daemon.test.ts',
    ),
  },
  {
    name: 'the resident with the exchange in the daemon and in a process of its own',
    words: vitest('test/resident/resident.daemon.test.ts'),
  },
  {
    name: 'three daemons whose stores fail and of which one stands still, five times over',
    words: vitest('test/daemon/several/owner-faults.daemon.test.ts'),
    environment: { OWNER_FAULT_ROUNDS: '5' },
  },
  {
    name: 'two hundred storms on the connection to an exchange in another process',
    words: vitest('test/adapters/deribit/line/deribit-storm.test.ts'),
    environment: { DERIBIT_STORM_SEEDS: '200' },
  },
  {
    name: 'the packed program from its installation to its upgrade, for a user without rights',
    words: ['test/installed/run.ts'],
  },
  {
    name: 'the tutorial and every other page of docs/ with commands, followed by a reader',
    words: vitest('test/daemon/documents/pages.daemon.test.ts'),
    environment: { TWAPD_PAGES: 'all' },
  },
  {
    name: 'alerts and notifications, each fired by what it is about',
    words: vitest('test/daemon/alerts/'),
    environment: { TWAPD_ALERTS: 'all' },
  },
  {
    name: 'the newest ccxt, tardis-dev and ws, against a daemon',
    words: ['test/long/newest-clients.ts'],
  },
  {
    name: 'a resident of ten minutes',
    words: ['test/resident/run.ts', '--minutes', '10'],
  },
];

/** Interleaved by kind, so that every share contains some of each. */
export const TASKS: readonly Task[] = interleaved([
  SUBJECTS,
  SIMULATION_MUTANTS,
  SOAKS,
  SOURCE_MUTANTS,
  MORE_SEEDS,
]);

function interleaved(lists: readonly (readonly Task[])[]): readonly Task[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  ).flat();
}

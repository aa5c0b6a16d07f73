// One process of the bench of machinery: what it measures is named by its argument, and a piece of machinery
// may have been replaced while its modules loaded. It measures whenever it is asked to.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { openPostgresLedger } from '../src/adapters/postgres/postgres-ledger.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import { measureLedger } from './ledger.ts';
import { closeAll, opened } from './opened.ts';
import { pairedRatio } from './paired.ts';
import { costPairs } from './telemetry.ts';

/** One measurement: processor time of this process for each piece of work, and pieces a second. */
export interface Measured {
  readonly cpuUs: number;
  readonly perSecond: number;
}

type Measure = () => Promise<Measured>;

const PORTFOLIOS = 64;
const PAIRS = 60;

const SUBJECTS: Readonly<Record<string, () => Promise<Measure>>> = {
  /** Turns made durable. */
  ledger: async () => {
    const open = opened();
    const dataDir = mkdtempSync(join(tmpdir(), 'twapd-bench-'));
    open.defer(() => rmSync(dataDir, { recursive: true, force: true }));
    const log = { info: () => undefined, warn: console.warn };
    const server = await startEmbeddedPostgres({ dataDir, log });
    open.defer(() => server.stop());
    const ledger = await openPostgresLedger({ connectionString: server.address });
    open.defer(() => ledger.close());
    let firstId = 0;
    return async () => {
      firstId += 1_000;
      const from = process.cpuUsage();
      const load = { portfolios: PORTFOLIOS, runMs: 1_500, warmUpMs: 0 };
      const { turnsPerSecond } = await measureLedger(ledger, load, firstId);
      const { user, system } = process.cpuUsage(from);
      return { perSecond: turnsPerSecond, cpuUs: (user + system) / (turnsPerSecond * 1.5) };
    };
  },
  /** Slices; the rate is the share that is left of it with telemetry on. */
  telemetry: () =>
    Promise.resolve(async () => {
      const pairs = await costPairs(PAIRS);
      const { ratio } = pairedRatio(
        pairs.map(({ on, off }) => ({ one: off.thread, other: on.thread })),
      );
      const costs = pairs.map(({ on, off }) => on.thread - off.thread);
      return { perSecond: ratio, cpuUs: costs.toSorted((a, b) => a - b)[PAIRS >> 1] ?? 0 };
    }),
};

const subject = SUBJECTS[process.argv[2] ?? ''];
if (subject === undefined) throw new Error(`nothing to measure is named ${process.argv[2]}`);
/** Also when the bench is interrupted: the servers of this process would outlive it. */
const leave = (code: number): void => void closeAll().finally(() => process.exit(code));
process.on('disconnect', () => leave(0));
process.on('uncaughtException', (error) => {
  console.error(error);
  leave(1);
});
const measure = await subject();
process.send?.('ready');
for (;;) {
  await once(process, 'message');
  process.send?.(await measure());
}

// Runs all benches, or those named on the command line, and prints one table. Figures depend on this machine at this
// moment: compare them with the reference values of the same run.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import Table from 'cli-table3';
import { onEndSignal, StartedProcesses } from '../test/support/started-processes.ts';
import { closeAll } from './opened.ts';
import type { Row } from './row.ts';

/** How long servers may take to close, and then other processes to end by themselves. */
const GRACE_MS = 10_000;

const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  queue: async () => {
    const { benchQueueOnOwnRedis } = await import('./own-services.ts');
    return await benchQueueOnOwnRedis();
  },
  commands: async () => (await import('./redis-commands.ts')).benchRedisCommands(),
  ledger: async () => [
    ...(await (await import('./ledger.ts')).benchLedger()),
    ...(await (await import('./ledger-bytes.ts')).benchLedgerBytes(30)),
  ],
  migrations: async () => (await import('./migrations.ts')).benchMigrations(),
  page: async () => (await import('./page.ts')).benchPage(),
  'page-updated': async () => (await import('./page.ts')).benchPageUpdated(),
  'page-sessions': async () => (await import('./page-sessions.ts')).benchPageSessions(),
  'page-frames': async () => (await import('./page-frames.ts')).benchPageFrames(),
  slices: async () => (await import('./slices.ts')).benchSlices(),
  auditor: async () => (await import('./auditor.ts')).benchAuditor(),
  overload: async () => (await import('./overload.ts')).benchOverload(),
  reads: async () => (await import('./reads.ts')).benchReads(),
  daemon: async () => (await import('./daemon.ts')).benchDaemon(),
  halt: async () => (await import('./halt.ts')).benchHalt(),
  'hand-over': async () => (await import('./hand-over.ts')).benchHandOver(),
  'at-work': async () => (await import('./at-work.ts')).benchAtWork(),
  several: async () => (await import('./several.ts')).benchSeveral(),
  waiting: async () => (await import('./waiting.ts')).benchWaiting(),
  recovery: async () => (await import('./recovery.ts')).benchRecovery(),
  costs: async () => (await import('./cost-record.ts')).benchCostRecord(),
  report: async () => (await import('./report.ts')).benchReport(),
  start: async () => (await import('./start.ts')).benchStart(),
  telemetry: async () => (await import('./telemetry.ts')).benchTelemetry(),
  matching: async () => (await import('./matching.ts')).benchMatching(),
  gateway: async () => (await import('./gateway.ts')).benchGateway(),
  floods: async () => (await import('./floods.ts')).benchFloods(),
  parts: async () => (await import('./parts.ts')).benchParts(),
  rid: async () => (await import('./rid.ts')).benchRid(),
  deribit: async () => (await import('./deribit.ts')).benchDeribit(),
  adapters: async () => (await import('./adapters.ts')).benchAdapters(),
  mmp: async () => (await import('./mmp.ts')).benchMmp(),
  peers: async () => (await import('./peers.ts')).benchPeers(),
  soak: async () => (await import('./soak.ts')).benchSoak(),
  backtest: async () => (await import('./backtest.ts')).benchBacktest(),
  market: async () => (await import('./paper-market.ts')).benchPaperMarket(),
  margins: async () => (await import('./margins.ts')).benchMargins(),
  machinery: async () => (await import('./machinery.ts')).benchMachinery(),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  const known = Object.keys(BENCHES).join(', ');
  process.stderr.write(`no bench named ${unknown.join(', ')}; there are: ${known}\n`);
  process.exit(2);
}

const table = new Table({
  head: ['benchmark', 'measurement', 'result', 'reference'],
  wordWrap: true,
  colWidths: [10, 48, 46, 40],
});
const started = new StartedProcesses();
let ending: Promise<never> | undefined;

/** Ends this process once the servers are closed and the processes it started have ended. */
function end(exitCode: number): Promise<never> {
  ending ??= Promise.race([closeAll(), sleep(GRACE_MS)])
    .finally(() => started.end(GRACE_MS))
    .finally(() => process.exit(exitCode)) as Promise<never>;
  return ending;
}

/** The first failure ends the process; failures caused by closing are printed too. */
function failed(error: unknown): Promise<never> {
  console.error(error);
  return end(1);
}
process.on('uncaughtException', failed);
onEndSignal((exitCode) => void end(exitCode));

/** Part of `page`; only when it is named. */
const PARTS = new Set(['page-updated']);
const everything = Object.keys(BENCHES).filter((name) => !PARTS.has(name));
for (const name of asked.length > 0 ? asked : everything) {
  process.stderr.write(`${name} …\n`);
  const rows = (await BENCHES[name]?.().catch(failed)) ?? [];
  for (const { what, value, yardstick } of rows) table.push([name, what, value, yardstick ?? '']);
}
process.stdout.write(`${table.toString()}\n`);
await end(0);

// Runs all benches, or those named on the command line, and prints one table. Figures depend on this machine at this
// moment: compare them with the reference values of the same run.
import process from 'node:process';
import Table from 'cli-table3';
import { closeAll } from './opened.ts';
import type { Row } from './row.ts';

const BENCHES: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  queue: async () => {
    const { benchQueueOnOwnRedis } = await import('./own-services.ts');
    return await benchQueueOnOwnRedis();
  },
  ledger: async () => (await import('./ledger.ts')).benchLedger(),
  page: async () => (await import('./page.ts')).benchPage(),
  slices: async () => (await import('./slices.ts')).benchSlices(),
  daemon: async () => (await import('./daemon.ts')).benchDaemon(),
  halt: async () => (await import('./halt.ts')).benchHalt(),
  recovery: async () => (await import('./recovery.ts')).benchRecovery(),
  telemetry: async () => (await import('./telemetry.ts')).benchTelemetry(),
  matching: async () => (await import('./matching.ts')).benchMatching(),
  gateway: async () => (await import('./gateway.ts')).benchGateway(),
  floods: async () => (await import('./floods.ts')).benchFloods(),
  rid: async () => (await import('./rid.ts')).benchRid(),
  mmp: async () => (await import('./mmp.ts')).benchMmp(),
  peers: async () => (await import('./peers.ts')).benchPeers(),
  soak: async () => (await import('./soak.ts')).benchSoak(),
  backtest: async () => (await import('./backtest.ts')).benchBacktest(),
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
  head: ['bench', 'what', 'figure', 'yardstick'],
  wordWrap: true,
  colWidths: [10, 48, 46, 40],
});
let ending: Promise<never> | undefined;

/** The first failure ends the process once the servers are closed; failures caused by closing are printed too. */
function failed(error: unknown): Promise<never> {
  console.error(error);
  ending ??= closeAll().finally(() => process.exit(1)) as Promise<never>;
  return ending;
}
process.on('uncaughtException', failed);

for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  process.stderr.write(`${name} …\n`);
  const rows = (await BENCHES[name]?.().catch(failed)) ?? [];
  for (const { what, value, yardstick } of rows) table.push([name, what, value, yardstick ?? '']);
}
process.stdout.write(`${table.toString()}\n`);
process.exit(0);

// Time from a halt of the deployment to the last cancel sent, and to the query that shows no order open.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, daemonFiles, startDaemon } from '../test/support/daemon/daemon-process.ts';
import { openChildren, submitAll } from './recovery.ts';
import type { Row } from './row.ts';

const ORDERS = 500;
const LEGS = 5;
const HALTS = 5;
const WAIT_MS_MAX = 60_000;

interface Swept {
  readonly orders: number;
  readonly sentMs: number;
  readonly provedMs?: number;
}

/** The mass cancels that the daemon has logged. */
const sweeps = ({ output }: Daemon): readonly Swept[] =>
  output()
    .split('\n')
    .filter((line) => line.includes('"event":"orders_swept"'))
    .map((line) => JSON.parse(line) as Swept);

async function set(daemon: Daemon, state: 'active' | 'halted'): Promise<void> {
  const wish = { scope: 'deployment', state, reason: 'bench' } as const;
  const answer = await daemon.client.setSwitch(wish);
  if (answer.kind !== 'done') throw new Error(JSON.stringify(answer));
}

async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + WAIT_MS_MAX;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${WAIT_MS_MAX} ms`);
    await sleep(50);
  }
}

export async function benchHalt(): Promise<Row[]> {
  const files = daemonFiles('halt', 'config/paper.yaml', 'apart');
  const daemon = await startDaemon(files);
  try {
    await submitAll(daemon, ORDERS / LEGS);
    for (let halt = 1; halt <= HALTS; halt += 1) {
      await until(`${ORDERS} open orders`, async () => (await openChildren(daemon)) >= ORDERS);
      await set(daemon, 'halted');
      await until('proof', () => sweeps(daemon).length >= halt);
      await set(daemon, 'active');
    }
    const told = sweeps(daemon);
    const proved = told.map(({ provedMs }) => provedMs ?? Number.POSITIVE_INFINITY);
    const what = `halt over ${ORDERS} open orders, ${HALTS} times`;
    return [
      {
        what: `${what}: to the last cancel sent`,
        value: `worst ${Math.max(...told.map(({ sentMs }) => sentMs)).toFixed(0)} ms`,
        yardstick: 'target: < 1000 ms',
      },
      {
        what: 'to the query that proves nothing open',
        value: `worst ${Math.max(...proved).toFixed(0)} ms`,
        yardstick: 'target: < 3000 ms',
      },
    ];
  } finally {
    await daemon.end('SIGTERM');
    files.remove();
  }
}

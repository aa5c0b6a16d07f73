// Deribit's wire alongside our own in one run: orders through a real WebSocket of each, and one book published to a
// thousand subscribers.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { BookReport, BookWish } from './deribit-listener.ts';
import { KEY } from './key.ts';
import { openOrderGateway } from './order-gateway.ts';
import { percentile } from './percentile.ts';
import { placeOrders } from './place-orders.ts';
import type { ClientWish } from './rid-client.ts';
import type { Row } from './row.ts';

const WIRES: readonly (readonly [ClientWish['wire'], string])[] = [
  ['rid', 'the order methods'],
  ['deribit', "Deribit's wire"],
];
const WARM_UP = 20_000;
const PACED = { count: 5_000, perSecond: 500 } as const;
const SUBSCRIBERS = 1_000;
const UPDATES_PER_SECOND = 10;

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const cores = (from: NodeJS.CpuUsage, elapsedMs: number): string => {
  const { user, system } = process.cpuUsage(from);
  return `${((user + system) / 10 / elapsedMs).toFixed(0)} % of a core`;
};

export async function benchDeribit(): Promise<Row[]> {
  const count = Number(process.env['TWAPD_BENCH_ORDERS'] ?? '30000');
  const seconds = Number(process.env['TWAPD_BENCH_SECONDS'] ?? '10');
  const bench = await openOrderGateway();
  try {
    const rows: Row[] = [];
    for (const [wire] of WIRES)
      await placeOrders(bench.port, { wire, count: WARM_UP, perSecond: 0 });
    for (const [wire, name] of WIRES) {
      const piped = await placeOrders(bench.port, { wire, count, perSecond: 0 });
      const paced = await placeOrders(bench.port, { wire, ...PACED });
      rows.push({
        what: `${name}: ${count} pipelined orders, then ${PACED.count} at ${PACED.perSecond} a second`,
        value: `${Math.round(count / (piped.elapsedMs / 1_000))} orders a second`,
        yardstick: `p50 ${ms(percentile(paced.roundTripMs, 0.5))}, p99 ${ms(percentile(paced.roundTripMs, 0.99))} paced`,
      });
    }
    rows.push(await book(bench.port, seconds));
    return rows;
  } finally {
    await bench.close();
  }
}

async function book(port: number, seconds: number): Promise<Row> {
  const child = fork(new URL('./deribit-listener.ts', import.meta.url), { stdio: 'inherit' });
  const wish: BookWish = {
    port,
    key: { ...KEY, keyId: KEY.id },
    seconds,
    connections: SUBSCRIBERS,
    perSecond: UPDATES_PER_SECOND,
  };
  child.send(wish);
  const ended = (code: number | null): never => {
    throw new Error(`the subscribers of the bench ended with ${code} before their report`);
  };
  child.once('exit', ended);
  await once(child, 'message');
  const [cpuFrom, fromMs] = [process.cpuUsage(), performance.now()];
  const [report] = (await once(child, 'message')) as [BookReport];
  const core = cores(cpuFrom, performance.now() - fromMs);
  child.off('exit', ended);
  child.kill();
  const { received, updates, delaysMs } = report;
  const share = (100 * received) / (SUBSCRIBERS * updates);
  return {
    what: `${SUBSCRIBERS} subscribers of a book, ${UPDATES_PER_SECOND} updates a second for ${seconds} s (${received} received)`,
    value: `${share.toFixed(2)} % delivered, delay p50 ${percentile(delaysMs, 0.5)} ms, p99 ${percentile(delaysMs, 0.99)} ms`,
    yardstick: `${core} in this process`,
  };
}

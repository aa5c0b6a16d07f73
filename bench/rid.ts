// The order methods through a real WebSocket: gateway, gate, journaled paper exchange and action log in this
// process, one client in another. Counts orders placed and answered.
import process from 'node:process';
import { openOrderGateway } from './order-gateway.ts';
import { percentile } from './percentile.ts';
import { placeOrders } from './place-orders.ts';
import { echoServer } from './rid-echo.ts';
import type { Row } from './row.ts';

const PACED = { wire: 'rid', count: 5_000, perSecond: 500 } as const;
/**
 * The number of orders until the compiler has done its work; before that, its thread uses the core that
 * processes orders.
 */
const WARM_UP = 40_000;
const ms = (value: number): string => `${value.toFixed(2)} ms`;

export async function benchRid(): Promise<Row[]> {
  const count = Number(process.env['TWAPD_BENCH_ORDERS'] ?? '60000');
  const bench = await openOrderGateway();
  try {
    await placeOrders(bench.port, { wire: 'rid', count: WARM_UP, perSecond: 0 });
    const paced = await placeOrders(bench.port, PACED);
    const echo = await echoServer();
    const bare = await placeOrders(echo.port, PACED).finally(() => echo.close());
    const cpuFrom = process.cpuUsage();
    const piped = await placeOrders(bench.port, { wire: 'rid', count, perSecond: 0 });
    const cpu = process.cpuUsage(cpuFrom);
    const cpuMicros = (cpu.user + cpu.system) / count;
    return [
      {
        what: `orders from one pipelined connection (${count})`,
        value: `${Math.round(count / (piped.elapsedMs / 1_000))} orders a second`,
        yardstick: `${cpuMicros.toFixed(0)} µs of this process an order`,
      },
      {
        what: `round trip of an order at 500 a second (${paced.roundTripMs.length})`,
        value: `p50 ${ms(percentile(paced.roundTripMs, 0.5))}, p99 ${ms(percentile(paced.roundTripMs, 0.99))}`,
        yardstick: `p99 2 ms wanted; a bare echo in this run: p99 ${ms(percentile(bare.roundTripMs, 0.99))}`,
      },
    ];
  } finally {
    await bench.close();
  }
}

// The gateway of a daemon from its clients' point of view: plans answered, and news received.
import { type GatewayDaemon, openGateway } from './gateway-daemon.ts';
import { benchListeners } from './gateway-listeners.ts';
import { benchRequests } from './gateway-requests.ts';
import type { Row } from './row.ts';

const PARTS: Readonly<Record<string, (daemon: GatewayDaemon) => Promise<Row[]>>> = {
  requests: benchRequests,
  listeners: benchListeners,
};

/** `TWAPD_BENCH_GATEWAY` selects one part; by default all run. */
export async function benchGateway(): Promise<Row[]> {
  const wanted = process.env['TWAPD_BENCH_GATEWAY'];
  const parts = Object.entries(PARTS).filter(([name]) => wanted === undefined || name === wanted);
  const daemon = await openGateway();
  try {
    const rows: Row[] = [];
    for (const [, bench] of parts) rows.push(...(await bench(daemon)));
    return rows;
  } finally {
    await daemon.close();
  }
}

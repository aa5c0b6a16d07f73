// Signed requests answered with a plan, compared with an empty route of the same framework. Both receive the
// same bytes over as many connections, in alternation, so that changes in the machine's speed affect both.
import type { ChildProcess } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { ClientKey } from '../src/gateway/auth/signed-stamp.ts';
import { REST_EXAMPLES } from '../src/gateway/docs/rest-examples.ts';
import type { RequestsWish } from './gateway-client.ts';
import { type GatewayDaemon, openClient, told } from './gateway-daemon.ts';
import { KEY } from './key.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

/** As many as a busy trading desk has; nonce claims are written in groups of those that wait at the same time. */
const CONNECTIONS = 128;
const ROUNDS = 12;
export const PLAN = '/tt/broker/openapi/portfolios/plan';
const BODY = JSON.stringify(REST_EXAMPLES['plan']?.body);

export interface Rate {
  readonly perSecond: number;
  /** Processor time of this process, including its threads. */
  readonly cpuUs: number;
}

/** The same route, requested repeatedly by one client. */
export interface Target {
  readonly client: ChildProcess;
  readonly wish: RequestsWish;
}

export async function benchRequests({ port }: GatewayDaemon): Promise<Row[]> {
  const count = Number(process.env['TWAPD_BENCH_REQUESTS'] ?? '6000');
  const empty = Fastify({ logger: false });
  empty.post('/empty', () => ({}));
  await empty.listen({ host: '127.0.0.1', port: 0 });
  const emptyPort = (empty.server.address() as AddressInfo).port;
  const bare = target(emptyPort, '/empty', count);
  const planned = target(port, PLAN, count);
  const rounds: (readonly [bare: Rate, planned: Rate])[] = [];
  // The first two rounds warm up the compiler.
  for (let round = -2; round < ROUNDS; round += 1) {
    const pair = [await rateOf(bare), await rateOf(planned)] as const;
    if (round >= 0) rounds.push(pair);
  }
  for (const { client } of [bare, planned]) client.kill();
  await empty.close();
  return rowsOf(rounds, count);
}

export function target(
  port: number,
  path: string,
  count: number,
  key: ClientKey = { ...KEY, keyId: KEY.id },
): Target {
  return {
    client: openClient(new URL('./gateway-client.ts', import.meta.url)),
    wish: { kind: 'requests', port, path, key, body: BODY, count, connections: CONNECTIONS },
  };
}

/** Throws if any request was refused. */
export async function rateOf({ client, wish }: Target): Promise<Rate> {
  client.send(wish);
  await told(client);
  const from = process.cpuUsage();
  client.send({ kind: 'go' });
  const report = await told(client);
  const { user, system } = process.cpuUsage(from);
  if (report.kind !== 'requests') throw new Error(report.kind);
  const { count } = wish;
  const { length: refused, 0: first } = report.refusals;
  if (refused > 0) throw new Error(`${refused} of ${count} were refused, the first with: ${first}`);
  return { perSecond: count / (report.elapsedMs / 1_000), cpuUs: (user + system) / count };
}

function rowsOf(rounds: readonly (readonly [bare: Rate, planned: Rate])[], count: number): Row[] {
  const median = (of: (pair: readonly [Rate, Rate]) => number): number =>
    percentile(rounds.map(of), 0.5);
  const shares = rounds.map(([bare, planned]) => planned.perSecond / bare.perSecond);
  const lowest = percent(Math.min(...shares));
  const highest = percent(Math.max(...shares));
  const bareCpuUs = median(([bare]) => bare.cpuUs);
  const share = median(([bare, planned]) => planned.perSecond / bare.perSecond);
  const cpuShare = median(([bare, planned]) => bare.cpuUs / planned.cpuUs);
  return [
    {
      what: `signed requests answered with a plan (${ROUNDS} × ${count}, ${CONNECTIONS} connections)`,
      value: `${Math.round(median(([, planned]) => planned.perSecond))} requests a second`,
      yardstick: `${percent(share)} (${lowest} to ${highest}) of an empty route (${Math.round(median(([bare]) => bare.perSecond))})`,
    },
    {
      what: 'processor time of this process per request',
      value: `${median(([, planned]) => planned.cpuUs).toFixed(0)} µs`,
      yardstick: `an empty route ${bareCpuUs.toFixed(0)} µs, which is ${percent(cpuShare)}`,
    },
  ];
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

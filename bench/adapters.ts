// The round trip of an order through the Deribit adapter, and over a bare WebSocket in turn, at one exchange in another
// process; then a flow of two hundred slices a second through the adapter.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { NETWORK, openDeribitVenue } from '../src/adapters/deribit/open-deribit-venue.ts';
import { SystemClock } from '../src/adapters/system/system-clock.ts';
import type { Cleared } from '../src/ports/cleared.ts';
import type { NewOrder } from '../src/ports/trading-desk.ts';
import type { Venue } from '../src/ports/venue.ts';
import { quantity, ratio, scaled, text } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { accountId, instrumentName, venueName } from '../src/values/ids.ts';
import { later } from '../src/values/instant.ts';
import { passiveTick } from '../src/values/instrument.ts';
import { rng } from '../src/values/rng.ts';
import { BareDeribitClient } from './bare-deribit-client.ts';
import { KEY } from './key.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const PERPETUAL = instrumentName('BTC-PERPETUAL');
const ACCOUNT = accountId(String(KEY.accounts[0]));
const ROUNDS = 12;
const PER_ROUND = 250;
const WARM_UP = 1_500;
const SLICES_PER_SECOND = 200;
const FLOW_SECONDS = 15;

const ms = (value: number): string => `${value.toFixed(2)} ms`;

export async function benchAdapters(): Promise<Row[]> {
  const child = fork(new URL('./adapter-exchange.ts', import.meta.url), { stdio: 'inherit' });
  try {
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    const venue = await openedVenue(port);
    const client = await BareDeribitClient.open(port);
    try {
      return await measured(venue, client);
    } finally {
      client.close();
      await venue.close();
    }
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

const openedVenue = (port: number): Promise<Venue> =>
  openDeribitVenue({
    clock: new SystemClock(),
    rng: rng('bench'),
    skewMaxMs: 1_000,
    onFault: (error) => {
      throw error;
    },
    name: venueName('deribit'),
    line: NETWORK,
    url: `ws://127.0.0.1:${port}/ws/api/v2`,
    expected: 'any',
    allowsLive: false,
    accounts: [
      { account: ACCOUNT, key: { kind: 'deribit', clientId: KEY.id, clientSecret: KEY.secret } },
    ],
  });

interface Contender {
  readonly name: string;
  /** Places an order. Resolves with what cancels it. */
  readonly place: () => Promise<() => Promise<unknown>>;
  readonly roundTripMs: number[];
  cpuMicros: number;
}

async function measured(venue: Venue, client: BareDeribitClient): Promise<Row[]> {
  venue.watch(PERPETUAL);
  while (venue.quote(PERPETUAL)?.bid === undefined) await sleep(20);
  const contenders: readonly Contender[] = [
    throughAdapter(venue),
    { name: 'a bare WebSocket', place: barePlace(venue, client), roundTripMs: [], cpuMicros: 0 },
  ];
  for (const one of contenders) {
    await rounds(one, WARM_UP);
    one.roundTripMs.length = 0;
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const one of contenders) {
      const from = process.cpuUsage();
      await rounds(one, PER_ROUND);
      const { user, system } = process.cpuUsage(from);
      one.cpuMicros += user + system;
    }
  }
  const orders = ROUNDS * PER_ROUND;
  const rows = contenders.map(({ name, roundTripMs, cpuMicros }) => ({
    what: `${name}: place and cancel, ${orders} times, in turn with the other`,
    value: `p50 ${ms(percentile(roundTripMs, 0.5))}, p99 ${ms(percentile(roundTripMs, 0.99))} a request`,
    yardstick: `${(cpuMicros / orders).toFixed(0)} µs of this process for both requests`,
  }));
  return [...rows, await flow(throughAdapter(venue))];
}

let labels = 0;

function restingOrder(venue: Venue): Cleared<NewOrder> {
  labels += 1;
  const terms = must(venue.instrument(PERPETUAL), 'the perpetual is listed');
  const bid = must(venue.quote(PERPETUAL)?.bid, 'a bid').price;
  return {
    account: ACCOUNT,
    instrument: PERPETUAL,
    side: 'buy',
    type: 'limit',
    quantity: quantity('10'),
    price: passiveTick(terms, 'buy', scaled(bid, ratio('0.99'))),
    timeInForce: 'good_til_cancelled',
    postOnly: true,
    rejectPostOnly: true,
    reduceOnly: false,
    label: `bench-${labels}`,
    mmp: false,
    validUntil: later(venue.venueNow(), 10_000),
  } as Cleared<NewOrder>;
}

const throughAdapter = (venue: Venue): Contender => ({
  name: 'adapters/deribit',
  place: async () => {
    const reply = await venue.place(restingOrder(venue));
    if (reply.kind !== 'done') throw new Error(JSON.stringify(reply));
    const of = { orderId: reply.value.order.orderId, instrument: PERPETUAL };
    return async () => {
      const cancelled = await venue.cancel({ account: ACCOUNT, of });
      if (cancelled.kind !== 'done') throw new Error(JSON.stringify(cancelled));
    };
  },
  roundTripMs: [],
  cpuMicros: 0,
});

/** The same orders as the adapter sends; their prices are those of its quotes. */
const barePlace =
  (venue: Venue, client: BareDeribitClient): Contender['place'] =>
  async () => {
    const { label, price, validUntil } = restingOrder(venue);
    const placed = (await client.call('private/buy', {
      instrument_name: PERPETUAL,
      amount: 10,
      price: Number(text(must(price, 'a price'))),
      type: 'limit',
      time_in_force: 'good_til_cancelled',
      label,
      valid_until: validUntil,
      post_only: true,
      reject_post_only: true,
      reduce_only: false,
    })) as { readonly order: { readonly order_id: string } };
    return () => client.call('private/cancel', { order_id: placed.order.order_id });
  };

/** Places and cancels; the two round trips are recorded. */
async function roundTrip({ place, roundTripMs }: Contender): Promise<void> {
  const placedMs = performance.now();
  const cancel = await place();
  const cancelMs = performance.now();
  await cancel();
  roundTripMs.push(cancelMs - placedMs, performance.now() - cancelMs);
}

async function rounds(one: Contender, count: number): Promise<void> {
  for (let order = 0; order < count; order += 1) await roundTrip(one);
}

async function flow(paced: Contender): Promise<Row> {
  const count = SLICES_PER_SECOND * FLOW_SECONDS;
  const from = process.cpuUsage();
  const startMs = performance.now();
  const running: Promise<void>[] = [];
  for (let slice = 0; slice < count; slice += 1) {
    const waitMs = startMs + (slice * 1_000) / SLICES_PER_SECOND - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    running.push(roundTrip(paced));
  }
  await Promise.all(running);
  const elapsedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(from);
  const cores = ((user + system) / 10 / elapsedMs).toFixed(0);
  return {
    what: `${paced.name}: ${SLICES_PER_SECOND} orders and cancels a second for ${FLOW_SECONDS} s`,
    value: `${Math.round(count / (elapsedMs / 1_000))} a second, p50 ${ms(percentile(paced.roundTripMs, 0.5))}, p99 ${ms(percentile(paced.roundTripMs, 0.99))}`,
    yardstick: `${cores} % of a core in this process`,
  };
}

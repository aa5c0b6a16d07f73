// Fifty children of unknown outcome at once, over the socket of a real exchange: the requests that it takes to find
// out about all of them.
import { afterEach, expect, test } from 'vitest';
import type { DeribitVenue } from '../../../../src/adapters/deribit/deribit-venue.ts';
import type { Reply } from '../../../../src/ports/trading-desk.ts';
import type { Reconciled } from '../../../../src/ports/venue.ts';
import { ratio, scaled, text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { later } from '../../../../src/values/instant.ts';
import { passiveTick } from '../../../../src/values/instrument.ts';
import { value } from '../../../conformance/venue-act.ts';
import { FaultLine } from '../../../support/daemon/fault-line.ts';
import { heardOut, ORDERS } from '../../../support/daemon/line-senses.ts';
import { anOrder, BTC, type StageOrder } from '../../paper/paper-stage.ts';
import { until } from '../../until.ts';
import { connectTo } from '../connect-deribit.ts';
import { serveDeribit } from '../deribit-stage.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const QUERY = /"method":"(private\/get_[a-z_]+)"/;

async function staged() {
  const exchange = await serveDeribit();
  closers.push(() => exchange.close());
  const methods: string[] = [];
  const heard = heardOut(ORDERS, (sent) => {
    const method = QUERY.exec(sent)?.[1];
    if (method !== undefined) methods.push(method);
  });
  const line = await FaultLine.to(exchange.port, heard);
  closers.push(() => line.close());
  const { venue } = await connectTo(`ws://127.0.0.1:${line.port}/ws/api/v2`);
  closers.push(() => venue.close());
  venue.watch(BTC);
  await until(() => venue.quote(BTC)?.ask !== undefined);
  return { venue, methods };
}

/** A buy of the perpetual at that share of the ask: it rests below, or takes above. */
function buy(venue: DeribitVenue, share: string): StageOrder {
  const terms = must(venue.instrument(BTC), 'listed');
  const ask = must(venue.quote(BTC)?.ask, 'an ask').price;
  const at = passiveTick(terms, 'buy', scaled(ask, ratio(share)));
  const validUntil = later(venue.venueNow(), 60_000);
  return anOrder(venue, { instrument: BTC, quantity: terms.minAmount, price: at, validUntil });
}

const outcomeOf = (reply: Reply<Reconciled>): string => {
  const { orders, trades } = value(reply);
  const [order] = orders;
  if (order === undefined) return 'absent';
  const filled = trades.map(({ quantity }) => text(quantity));
  return `${order.label} ${order.state} ${filled.join(' ')}`;
};

test('fifty children of unknown outcome are found out about with few requests, and as by single queries', async () => {
  const { venue, methods } = await staged();
  const resting = Array.from({ length: 16 }, () => buy(venue, '0.98'));
  const taking = Array.from({ length: 18 }, () => buy(venue, '1.005'));
  const unsent = Array.from({ length: 16 }, () => buy(venue, '0.98'));
  for (const order of [...resting, ...taking]) value(await venue.place(order));
  const children = [...resting, ...taking, ...unsent];

  methods.length = 0;
  const alone: string[] = [];
  for (const child of children) alone.push(outcomeOf(await venue.reconcile(child)));
  const singleRequests = methods.length;

  methods.length = 0;
  const replies = await Promise.all(children.map((child) => venue.reconcile(child)));
  expect(replies.map(outcomeOf)).toEqual(alone);
  expect(alone.filter((one) => one === 'absent')).toHaveLength(16);
  expect(alone.filter((one) => one.includes(' filled '))).toHaveLength(18);
  expect(methods.length * 3).toBeLessThan(singleRequests);
  expect(methods.filter((one) => one === 'private/get_open_orders')).toHaveLength(1);
});

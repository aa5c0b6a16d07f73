// What leaves the paper exchange, or leaves for it, at one instant and takes as long arrives in one call of the clock.
import { expect, test } from 'vitest';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import { later } from '../../../src/values/instant.ts';
import { anOrder, NOON, paperStage, settle } from './paper-stage.ts';

const LATENCY_MS = 60;

/** Runs one call of the clock and what it starts; returns when it was due. */
async function next({ clock }: ReturnType<typeof paperStage>): Promise<number> {
  clock.runNext(later(NOON, 10 * LATENCY_MS));
  await settle();
  return clock.now() - NOON;
}

test('requests of one instant arrive together, are decided in their order and answered together', async () => {
  const stage = paperStage({ latencyMs: LATENCY_MS });
  await stage.venue.attach(anOrder(stage.venue).account);
  const placed: string[] = [];
  const noticed: string[] = [];
  stage.venue.subscribe((notice: VenueNotice) => {
    if (notice.kind === 'order') noticed.push(notice.order.label);
  });
  const orders = [1, 2, 3].map(() => anOrder(stage.venue, { postOnly: true }));
  for (const order of orders) {
    void stage.venue.place(order).then((reply) => {
      if (reply.kind === 'done') placed.push(reply.value.order.label);
    });
  }
  const labels = orders.map(({ label }) => label as string);
  expect(await next(stage)).toBe(LATENCY_MS / 2);
  expect(placed).toEqual([]);
  while (placed.length === 0) await next(stage);
  expect(stage.clock.now() - NOON).toBe(LATENCY_MS);
  expect([placed, noticed]).toEqual([labels, []]);
  while (noticed.length === 0) await next(stage);
  expect(stage.clock.now() - NOON).toBe(LATENCY_MS);
  expect(noticed).toEqual(labels);
});

test('a request that leaves later arrives by itself, even at the same instant', async () => {
  const arrivesAt = later(NOON, LATENCY_MS);
  const latencyMs = { arrival: () => arrivesAt, answer: () => arrivesAt };
  const stage = paperStage({ latencyMs });
  const first = stage.venue.place(anOrder(stage.venue));
  const between: string[] = [];
  stage.clock.at(arrivesAt, () => between.push('between'));
  stage.clock.at(later(NOON, 1), () => {
    void stage.venue.place(anOrder(stage.venue)).then(() => between.push('later'));
  });
  void first.then(() => between.push('first'));
  for (let calls = 0; calls < 20 && between.length < 3; calls += 1) await next(stage);
  expect(between).toEqual(['first', 'between', 'later']);
});

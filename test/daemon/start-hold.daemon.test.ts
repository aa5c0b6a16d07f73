// The real daemon, killed with -9 while one of its orders has no reply yet. The requests that reach the exchange
// after the restart are counted: until the exchange has replied, none of them is an order.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FaultStage } from '../support/daemon/fault-stage.ts';
import { course } from '../support/engine/two-legs.ts';

const SECONDS = 8;
/** Slices of both portfolios become due in this time, several of each. */
const SILENT_MS = 2_500;
const ORDER = /"private\/(buy|sell)"/;
const BY_LABEL = /"private\/get_order_state_by_label"/;

let stage: FaultStage;
let onRequest: (text: string) => void = () => undefined;

beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'hold', onRequest: (text) => onRequest(text) });
});
afterAll(() => stage.close());

test.each(['before', 'after'] as const)(
  'a daemon killed %s an order arrives sends no order after the restart before the exchange replies',
  async (when) => {
    const { venue } = stage.lines;
    const beside = await stage.submit(course(SECONDS), `beside ${when}`);
    const own = await stage.submit(course(SECONDS), `own ${when}`);
    const death = venue.strike({ nth: 5, when, act: () => stage.kill() });
    await death;
    let orders = 0;
    const asked = new Promise<void>((done) => {
      onRequest = (text) => {
        if (ORDER.test(text)) orders += 1;
        if (!BY_LABEL.test(text) || venue.isSilent) return;
        // From here on requests get no reply.
        venue.isSilent = true;
        done();
      };
    });
    const starting = stage.start();
    await asked;
    const before = orders;
    await starting;
    await sleep(SILENT_MS);
    const ready = await fetch(`${stage.daemon.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('recovering');
    expect({ before, orders }).toEqual({ before: 0, orders: 0 });
    onRequest = (text) => {
      if (ORDER.test(text)) orders += 1;
    };
    venue.speak();
    await stage.ready();
    for (const id of [beside, own]) await stage.filled(id);
    expect(orders).toBeGreaterThan(0);
  },
);

test('a daemon that is still reading its portfolios says so, answers requests, and sends no order', async () => {
  const own = await stage.submit(course(SECONDS), 'read late');
  await sleep(1_000);
  await stage.kill();
  let orders = 0;
  onRequest = (text) => {
    if (ORDER.test(text)) orders += 1;
  };
  const client = new Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    // States are loaded from their snapshots first.
    await client.query('BEGIN; LOCK TABLE state_snapshot IN ACCESS EXCLUSIVE MODE');
    await stage.start();
    await sleep(SILENT_MS);
    const ready = await fetch(`${stage.daemon.url}/readyz`);
    expect(await ready.json()).toMatchObject({ ready: false, reasons: ['recovering'] });
    const info = await stage.daemon.client.info(own);
    expect(info.kind === 'done' && info.value.portfolioId).toBe(own);
    expect(orders).toBe(0);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
  await stage.ready();
  await stage.filled(own);
  expect(orders).toBeGreaterThan(0);
});

test('after all kills ledger and exchange agree', () => stage.expectSameBooks());

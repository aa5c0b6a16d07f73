// `twapd reconcile` against a real daemon and its paper exchange: books that agree, and a fill falsified in the ledger.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '../../../src/values/assert.ts';
import { until } from '../../adapters/until.ts';
import { twapd } from '../../main/cli-world.ts';
import { FaultStage } from '../../support/daemon/fault-stage.ts';
import { eventChanged } from '../../support/daemon/tampered-events.ts';
import { course } from '../../support/engine/two-legs.ts';

let stage: FaultStage;
beforeAll(async () => {
  stage = await FaultStage.open({ deployment: 'reco' });
});
afterAll(() => stage.close());

const reconcile = (...words: readonly string[]) =>
  twapd(
    [
      'reconcile',
      '--account',
      '10001',
      '--config',
      stage.configPath,
      ...words,
      '--url',
      stage.daemon.url,
    ],
    { env: { ...stage.environment } },
  );

test('the books agree after a portfolio has filled; a falsified fill is reported by name with exit code 1', async () => {
  const id = await stage.submit(course(2), 'done');
  await stage.filled(id);
  const fills = await stage.query<{ version: number; data: { price: string; tradeId: string } }>(
    `SELECT version, data FROM event WHERE portfolio = ${id} AND kind = 'fill_booked' ORDER BY version`,
  );
  expect(fills.length).toBeGreaterThan(1);
  // The youngest seconds are not compared.
  let out = '';
  await until(async () => {
    const ran = await reconcile('--json');
    expect([ran.code, ran.err]).toEqual([0, '']);
    out = ran.out;
    return JSON.parse(out).compared.fills === fills.length;
  }, 120_000);
  const { compared, differences } = JSON.parse(out);
  expect(differences).toEqual([]);
  expect(compared.entries).toBeGreaterThanOrEqual(fills.length);
  expect(compared.positions).toBeGreaterThan(0);
  const text = await reconcile();
  expect(text.code).toBe(0);
  expect(text.out).toContain(`compared: ${fills.length} fills of the ledger`);
  expect(text.out).toContain('\nno difference\n');

  const { version, data } = must(fills[0], 'a fill');
  await stage.query(eventChanged(id, { version, field: 'price', value: '"1.5"' }));
  const found = await reconcile('--json');
  expect(found.code).toBe(1);
  expect(JSON.parse(found.out).differences).toMatchObject([
    { name: 'price', tradeId: data.tradeId, portfolio: id, here: '1.5', there: data.price },
  ]);
  const csv = await reconcile('--csv');
  expect(csv.code).toBe(1);
  expect(csv.out.split('\n')[0]).toBe(
    'difference,at,instrument,currency,here,there,trade,order,portfolio',
  );
  expect(csv.out.split('\n')[1]).toMatch(/^price,2/);
});

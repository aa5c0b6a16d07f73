// Where a list continues: each method that takes the continuation of an earlier answer, or an id to begin or to end at,
// refuses any other text and names the field. Read as a start it would give a wrong or an empty page.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DERIBIT_METHODS } from '../../src/gateway/deribit/deribit-method-table.ts';
import { METHODS } from '../../src/gateway/order-api/method-table.ts';
import { btcPerpetual } from '../exchange/instruments.ts';
import { DeribitScene } from './deribit/deribit-scene.ts';
import { OrderScene, paramsOf } from './order-api/order-scene.ts';

const CURSOR = /^(continuation|(start|end)(Id|_id))$/;

const own = [...METHODS.keys()].flatMap((name) =>
  paramsOf(name)
    .filter((param) => CURSOR.test(param))
    .map((param) => [name, param] as const),
);
const theirs = [...DERIBIT_METHODS.values()].flatMap(({ name, paramNames }) =>
  paramNames.filter((param) => CURSOR.test(param)).map((param) => [name, param] as const),
);

/** What the methods of Deribit's wire need alongside it. */
const NEEDED = {
  currency: 'BTC',
  instrument_name: btcPerpetual.name,
  index_name: 'btc_usd',
  start_timestamp: 0,
  end_timestamp: 4_000_000_000_000,
};

let mine: OrderScene;
let deribit: DeribitScene;
beforeAll(() => {
  mine = new OrderScene();
  deribit = new DeribitScene();
});
afterAll(() => deribit.close());

describe('a cursor that no answer gave', () => {
  test('methods of both wires take cursors', () => {
    expect(own.map(([name]) => name)).toContain('block/rfqs/get_rfqs');
    expect(own.length).toBeGreaterThanOrEqual(7);
    expect(theirs.length).toBeGreaterThanOrEqual(10);
  });

  test.each(own)('%s refuses its %s and names it', async (name, param) => {
    const example = METHODS.get(name)?.example ?? {};
    for (const text of ['abc', '12abc', '😀']) {
      const { code, details } = await mine.refusal(name, { ...example, [param]: text });
      expect([code, details.param]).toEqual([-32_602, param]);
      expect(details.reason).toMatch(/accepted: /);
    }
  });

  test.each(theirs)("%s of Deribit's wire refuses its %s and names it", async (name, param) => {
    const read = DERIBIT_METHODS.get(name)?.paramNames;
    const needed = Object.entries(NEEDED).filter(([key]) => read?.includes(key));
    for (const text of ['abc', '12abc', '😀']) {
      const params = { ...Object.fromEntries(needed), [param]: text };
      const refused = await deribit.refusal(name, params);
      expect([refused.code, refused.details?.param]).toEqual([-32_602, param]);
    }
  });

  test('the continuation of the last page of settlements gives no page more', async () => {
    const asked = { currency: 'BTC', continuation: 'none' };
    const { settlements, continuation } = await deribit.get(
      'public/get_last_settlements_by_currency',
      asked,
    );
    expect([settlements, continuation]).toEqual([[], 'none']);
  });
});

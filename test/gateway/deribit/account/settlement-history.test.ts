// The settlement history of an account over Deribit's wire: what the daily settlements moved in its balance.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { btcCall, btcPerpetual } from '../../../exchange/instruments.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene } from '../deribit-scene.ts';

const DAY_MS = 86_400_000;
const EIGHT = 8 * 3_600_000;
const BY_CURRENCY = 'private/get_settlement_history_by_currency';
const BY_INSTRUMENT = 'private/get_settlement_history_by_instrument';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

const balance = async (): Promise<number> =>
  Number((await scene.get('private/get_account_summary', { currency: 'BTC' })).balance);

async function sell(amount: string, price: string): Promise<void> {
  await scene.rid.other('buy', amount, price, btcPerpetual);
  await scene.get('private/sell', { instrument_name: btcPerpetual.name, amount, price });
}

/** The exchange settles at 08:00 of each of them, however late it looks at its clock. */
async function passDays(days: number): Promise<void> {
  scene.rid.clock.stepWall(days * DAY_MS);
  await scene.rid.pass(1_500);
}

test('a settlement has the position, and what it moved in the balance', async () => {
  await sell('5000', '100000');
  const before = await balance();
  await passDays(1);
  const { settlements, continuation } = await scene.get(BY_CURRENCY, { currency: 'BTC' });
  expect(continuation).toBe('none');
  expect(settlements).toHaveLength(1);
  const [one] = settlements;
  expect(one).toMatchObject({ type: 'settlement', instrument_name: btcPerpetual.name });
  expect(Number(one.timestamp) % DAY_MS).toBe(EIGHT);
  expect(Number(one.position)).toBe(-5_000);
  expect((await balance()) - before).toBeCloseTo(Number(one.session_profit_loss), 8);
  expect(Number(one.profit_loss) + Number(one.funding)).toBeCloseTo(
    Number(one.session_profit_loss),
    10,
  );
});

test('pages of every size have the same settlements, newest first, and only those requested', async () => {
  await sell('5000', '100000');
  await passDays(3);
  const whole: Fields = await scene.get(BY_INSTRUMENT, { instrument_name: btcPerpetual.name });
  const times = whole.settlements.map(({ timestamp }: Fields) => Number(timestamp));
  expect(times).toHaveLength(3);
  expect(times).toEqual([times[0], times[0] - DAY_MS, times[0] - 2 * DAY_MS]);
  for (const count of [1, 2]) {
    const paged: Fields[] = [];
    let next: string | undefined;
    do {
      const page: Fields = await scene.get(BY_INSTRUMENT, {
        instrument_name: btcPerpetual.name,
        count,
        ...(next !== undefined && { continuation: next }),
      });
      paged.push(...page.settlements);
      next = page.continuation;
    } while (next !== 'none');
    expect(paged).toEqual(whole.settlements);
  }
  const older = { currency: 'BTC', search_start_timestamp: times[1] };
  expect((await scene.get(BY_CURRENCY, older)).settlements).toEqual(whole.settlements.slice(1));
  for (const [method, params] of [
    [BY_CURRENCY, { currency: 'BTC', type: 'delivery' }],
    [BY_CURRENCY, { currency: 'ETH' }],
    [BY_INSTRUMENT, { instrument_name: btcCall.name }],
    [BY_CURRENCY, { currency: 'BTC', continuation: 'none' }],
  ] as const) {
    expect(await scene.get(method, params)).toEqual({ settlements: [], continuation: 'none' });
  }
});

test('the history of all currencies at once, and a continuation that no answer gave, are refused', async () => {
  for (const [params, param] of [
    [{ currency: 'any' }, 'currency'],
    [{ currency: 'BTC', continuation: 'abc' }, 'continuation'],
  ] as const) {
    expect(await scene.refusal(BY_CURRENCY, params)).toMatchObject({
      code: -32_602,
      details: { param },
    });
  }
});

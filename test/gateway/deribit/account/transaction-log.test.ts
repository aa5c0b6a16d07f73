// The transaction log over Deribit's wire: what each kind of trade moves, and that the log explains the balance.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { btcCall, btcPerpetual, btcSpot } from '../../../exchange/instruments.ts';
import type { Fields } from '../../order-api/order-scene.ts';
import { DeribitScene } from '../deribit-scene.ts';

let scene: DeribitScene;
beforeEach(() => {
  scene = new DeribitScene();
});
afterEach(async () => {
  expect([...scene.check.faults]).toEqual([]);
  await scene.close();
});

const ALWAYS = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 };
const log = async (currency: string, params: object = {}): Promise<Fields> =>
  await scene.get('private/get_transaction_log', { currency, ...ALWAYS, ...params });

const balance = async (currency: string): Promise<number> =>
  Number((await scene.get('private/get_account_summary', { currency })).balance);

async function trade(side: 'buy' | 'sell', of: typeof btcCall, amount: string, price: string) {
  await scene.rid.other(side === 'buy' ? 'sell' : 'buy', amount, price, of);
  await scene.get(`private/${side}`, { instrument_name: of.name, amount, price });
}

test('an option moves its premium, a future its realised profit, and spot both of its currencies', async () => {
  const before = { BTC: await balance('BTC'), USDC: await balance('USDC') };
  await trade('buy', btcCall, '2', '0.1');
  await trade('sell', btcCall, '1', '0.12');
  await trade('buy', btcPerpetual, '99000', '99000');
  await trade('sell', btcPerpetual, '99000', '100000');
  await trade('buy', btcSpot, '0.5', '99000');
  const { logs: coins } = await log('BTC');
  const { logs: dollars } = await log('USDC');
  const shown = (logs: Fields[]) =>
    logs.map(({ instrument_name: name, cashflow }) => [name, Number(cashflow)]);
  expect(shown(coins)).toEqual([
    [btcSpot.name, 0.5],
    [btcPerpetual.name, 0.01],
    [btcPerpetual.name, 0],
    [btcCall.name, 0.12],
    [btcCall.name, -0.2],
  ]);
  expect(shown(dollars)).toEqual([[btcSpot.name, -49_500]]);
  expect(coins[0].commission).toBe('0');
  for (const [currency, logs] of [
    ['BTC', coins],
    ['USDC', dollars],
  ] as const) {
    const changes = logs.reduce((sum: number, { change }: Fields) => sum + Number(change), 0);
    expect(await balance(currency)).toBeCloseTo(before[currency] + changes, 8);
    for (const { change, cashflow, commission } of logs)
      expect(Number(change)).toBeCloseTo(Number(cashflow) - Number(commission), 10);
  }
});

test('each entry has the balance of its currency right after its trade', async () => {
  const seen: Record<string, number[]> = { BTC: [], USDC: [] };
  const note = async (...currencies: string[]): Promise<void> => {
    for (const code of currencies) seen[code]?.unshift(await balance(code));
    await scene.rid.pass(1);
  };
  await trade('buy', btcCall, '2', '0.1');
  await note('BTC');
  await trade('sell', btcPerpetual, '5000', '100000');
  await note('BTC');
  await trade('buy', btcSpot, '0.5', '99000');
  await note('BTC', 'USDC');
  await trade('buy', btcPerpetual, '5000', '101000');
  await note('BTC');
  for (const [code, expected] of Object.entries(seen)) {
    const { logs } = await log(code);
    expect(logs.map((one: Fields) => Number(one.balance))).toEqual(expected);
  }
});

test('entries of several markets and of one millisecond are numbered alike on pages of every size', async () => {
  for (let at = 0; at < 3; at++) {
    await trade('buy', btcSpot, '0.1', '99000');
    await trade('buy', btcPerpetual, '1000', '99000');
    await trade('buy', btcCall, '1', '0.1');
    if (at === 1) await scene.rid.pass(5);
  }
  const { logs: whole, continuation: end } = await log('BTC');
  expect(end).toBeNull();
  expect(whole).toHaveLength(9);
  const numbers = whole.map(({ user_seq: seq }: Fields) => Number(seq));
  expect(numbers).toEqual([...new Set<number>(numbers)].sort((a, b) => b - a));
  expect(new Set(whole.map(({ timestamp }: Fields) => timestamp)).size).toBeLessThan(9);
  for (const count of [1, 2, 4]) {
    const paged: Fields[] = [];
    let next: string | null = null;
    for (let page = 0; page < 20; page++) {
      const read: Fields = await log('BTC', {
        count,
        ...(next !== null && { continuation: next }),
      });
      paged.push(...read.logs);
      next = read.continuation;
      if (next === null) break;
    }
    expect(next).toBeNull();
    expect(paged).toEqual(whole);
  }
});

test('the log of all currencies at once is refused', async () => {
  expect(
    await scene.refusal('private/get_transaction_log', { currency: 'any', ...ALWAYS }),
  ).toMatchObject({ code: -32_602, details: { param: 'currency' } });
});

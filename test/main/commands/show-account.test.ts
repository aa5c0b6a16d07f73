// The table of limits of `account`, against a gateway whose engine reports what the test says.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LimitUse } from '../../../src/engine/interface/trading-api.ts';
import { instant } from '../../../src/values/instant.ts';
import { GatewayUnderTest } from '../../gateway/gateway-under-test.ts';
import { captured } from '../captured-terminal.ts';
import { demoKeys } from '../cli-world.ts';

const USES: readonly Omit<LimitUse, 'account'>[] = [
  { control: 'gross', unit: 'USD', limit: '1000000', used: '999999' },
  { control: 'slippage', unit: 'USD', limit: '250', used: '-12.5' },
  { control: 'position', instrument: 'BTC-PERPETUAL', unit: 'USD', limit: '5000', used: '6000' },
  { control: 'position', instrument: 'ETH_USDC', unit: 'ETH', used: '3' },
];

let gateway: GatewayUnderTest;
beforeAll(async () => {
  const keys = demoKeys();
  gateway = await GatewayUnderTest.start(
    {},
    {
      keys: { find: (id) => keys.get(id) },
      now: () => instant(Date.now()),
      limitUseOf: (account) =>
        account === '10001' ? USES.map((use) => ({ account, ...use })) : [],
    },
  );
});
afterAll(() => gateway.close());

const account = async (...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await captured(['account', ...words, '--url', gateway.url]);
  expect([code, err]).toEqual([0, '']);
  return out;
};

test('each limit is shown with what is used of it, in percent rounded down', async () => {
  const lines = (await account()).split('\n').map((line) => line.split(/ {2,}/));
  expect(lines[0]).toEqual(['no balances']);
  const rows = lines.filter(([head = '']) => /^(gross|slippage|position)/.test(head));
  expect(rows.map((row) => [row[0], row.at(-1)])).toEqual([
    ['gross', '99.9'],
    ['slippage', '0'],
    ['position BTC-PERPETUAL', '100'],
    ['position ETH_USDC', '–'],
  ]);
});

test('the limits are a CSV table of their own, in which an unknown limit is empty', async () => {
  const rows: Record<string, string>[] = parse(await account('--csv', 'limits'), { columns: true });
  expect(
    rows.map(({ control, instrument, used, limit }) => [control, instrument, used, limit]),
  ).toEqual(
    USES.map(({ control, instrument = '', used = '', limit = '' }) => [
      control,
      instrument,
      used,
      limit,
    ]),
  );
});

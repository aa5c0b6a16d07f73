// A combo as the leg of a portfolio, from a strategy file through the real daemon, killed with -9 in the middle: every
// slice fills both legs of the combo at once, and the total is exact.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { PortfolioRecord } from '../../src/gateway/portfolios/record-schema.ts';
import { must } from '../../src/values/assert.ts';
import { until } from '../adapters/until.ts';
import { TRADER } from '../clients/client-stage.ts';
import { postRpc } from '../gateway/deribit/raw-client.ts';
import { type Daemon, daemonFiles, startDaemon } from '../support/daemon/daemon-process.ts';

const PERPETUAL = 'BTC-PERPETUAL';
const TOTAL = 800;
const files = daemonFiles('cmbo');
let daemon: Daemon | undefined;

afterEach(async () => {
  await daemon?.end('SIGTERM');
  daemon = undefined;
});
afterAll(() => files.remove());

const strategy = (combo: string): string => `
name: calendar-spread
description: Sells the perpetual against a future as one instrument.
schedule: { at: start }
portfolio:
  accountId: 10001
  portfolioType: TWAP
  twapTrade: { durationSec: 40, frequencySec: 5 }
  legs:
    - instrument: ${combo}
      instrumentType: FUTURE_COMBO
      side: 1
      quantity: "${TOTAL}"
      priceOptions: { priceType: MARKET }
execution: { endAction: market }
`;

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
async function asked(method: string, params: object): Promise<any> {
  const { result, error } = await postRpc(must(daemon, 'a daemon').url, {
    method,
    params,
    by: TRADER,
  });
  return error === undefined ? result : Promise.reject(new Error(JSON.stringify(error)));
}

/** Signed, by instrument. */
async function positions(): Promise<ReadonlyMap<string, number>> {
  const held: { instrument_name: string; size: number }[] = await asked(
    'private/get_positions',
    {},
  );
  return new Map(held.map((one) => [one.instrument_name, one.size]));
}

async function portfolios(
  tag: 'OPEN_ORDER' | 'ORDER_HISTORY',
): Promise<readonly PortfolioRecord[]> {
  const { client } = must(daemon, 'a daemon');
  const page = await client.page({ accountId: '10001', portfolioTag: tag });
  return page.kind === 'done' ? page.value.values : [];
}

const filledOf = ({ legs }: PortfolioRecord): number => Number(legs[0]?.filledQuantity ?? 0);

test('a combo of a strategy file is worked in slices through kill -9, in both legs alike', async () => {
  daemon = await startDaemon(files);
  const futures: { instrument_name: string; settlement_period: string }[] = await asked(
    'public/get_instruments',
    { currency: 'BTC', kind: 'future' },
  );
  const dated = must(
    futures.find(({ settlement_period: period }) => period !== 'perpetual'),
    'a dated future',
  ).instrument_name;
  const trades = [
    { instrument_name: dated, amount: 10, direction: 'buy' },
    { instrument_name: PERPETUAL, amount: 10, direction: 'sell' },
  ];
  const { id: combo, legs } = await asked('private/create_combo', { trades });
  writeFileSync(join(files.strategies, 'spread.yaml'), strategy(combo));
  expect(await daemon.end('SIGTERM')).toBe(0);

  daemon = await startDaemon(files);
  await until(async () => (await portfolios('OPEN_ORDER')).some((one) => filledOf(one) > 0));
  expect(await daemon.end('SIGKILL')).toBe('SIGKILL');
  daemon = await startDaemon(files);
  while ((await portfolios('OPEN_ORDER')).length > 0) {
    const held = await positions();
    expect(held.get(dated)).toBe(-(held.get(PERPETUAL) ?? 0));
    await sleep(200);
  }
  const [record, ...others] = await portfolios('ORDER_HISTORY');
  expect(others).toEqual([]);
  expect(record).toMatchObject({ portfolioStatus: 2, legs: [{ instrument: combo }] });
  expect(filledOf(must(record, 'a portfolio'))).toBe(TOTAL);
  const held = await positions();
  for (const { instrument_name: leg, amount } of legs) expect(held.get(leg)).toBe(TOTAL * amount);
  const query = { currency: 'BTC', kind: 'combo', count: 100 };
  const made = (await asked('private/get_user_trades_by_currency', query)).trades;
  const sum = made.reduce((all: number, one: { amount: number }) => all + one.amount, 0);
  expect(sum).toBe(TOTAL);
  expect(new Set(made.map((one: { order_id: string }) => one.order_id)).size).toBeGreaterThan(3);
});

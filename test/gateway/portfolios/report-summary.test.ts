// What many portfolios cost, asked of the operation: which portfolios count, and who may ask.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CostSummary } from '../../../src/core/report/summary/cost-summary-shapes.ts';
import type { PortfolioCall } from '../../../src/gateway/portfolios/portfolio-method.ts';
import { reportSummary } from '../../../src/gateway/portfolios/report-summary-method.ts';
import { reportSummarySchema } from '../../../src/gateway/portfolios/report-summary-schema.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { form, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { reported } from '../../support/engine/reported.ts';
import { GatewayUnderTest, STRANGER, TAKER } from '../gateway-under-test.ts';

/** Three ended portfolios of two strategies, and one that is still at work. */
async function desk() {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  await one.engine.start();
  const costs: number[] = [];
  for (const strategy of ['a', 'a', 'b']) {
    const portfolio = await submitted(one, form({ strategy }));
    await one.run(2 * MINUTE_MS);
    const [leg] = (await reported(one, record, portfolio)).legs;
    costs.push(leg?.shortfall?.executionBps ?? Number.NaN);
  }
  await submitted(one, form({ strategy: 'a', twapTrade: { durationSec: 600, frequencySec: 60 } }));
  await one.run(MINUTE_MS);
  const call = {
    key: TAKER,
    operations: one.operations,
    reportOn: (portfolio) => reported(one, record, portfolio),
  } as Pick<PortfolioCall, 'key' | 'operations' | 'reportOn'> as PortfolioCall;
  const summed = async (query: Readonly<Record<string, string>>): Promise<CostSummary> => {
    const answer = await reportSummary.run(call, reportSummary.asked.parse(query));
    return reportSummarySchema.parse('value' in answer ? answer.value : undefined);
  };
  return { summed, costs };
}

test('Ended portfolios count, of one strategy or all, and those at work are left out.', async () => {
  const { summed, costs } = await desk();
  const [first = 0, second = 0, third = 0] = costs;
  const all = await summed({});
  expect(all).toMatchObject({ portfolios: 3, leftOut: { active: 1, withoutRecord: 0, older: 0 } });
  expect(all.all.execution.mean).toBeCloseTo((first + second + third) / 3, 3);
  const some = await summed({ strategy: 'a' });
  expect(some).toMatchObject({ portfolios: 2, leftOut: { active: 1 } });
  expect(some.all.execution.mean).toBeCloseTo((first + second) / 2, 3);
  expect((await summed({ strategy: 'none of these' })).portfolios).toBe(0);
});

test('At most as many as requested are read, the newest, and the older ones are counted.', async () => {
  const { summed, costs } = await desk();
  const newest = await summed({ limit: '1' });
  expect(newest).toMatchObject({ portfolios: 1, leftOut: { older: 2 } });
  expect(newest.all.execution.mean).toBe(costs[2]);
  expect(newest.groups[0]?.rows.map(({ name }) => name)).toEqual(['b']);
});

test('Portfolios count by the time of their submit.', async () => {
  const { summed } = await desk();
  const { worst } = await summed({});
  const starts = worst.map(({ start }) => Date.parse(start)).sort((a, b) => a - b);
  const to = String((starts[1] ?? 0) + 1_000);
  expect((await summed({ endTimestamp: to })).portfolios).toBe(2);
  expect((await summed({ startTimestamp: to })).portfolios).toBe(1);
});

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await GatewayUnderTest.start();
});
afterAll(() => gateway.close());

test('Over REST it is a value in the envelope or a page, and an account of another key is refused.', async () => {
  const path = '/tt/broker/openapi/portfolios/report-summary';
  const { json } = await gateway.request(`${path}?strategy=a`);
  expect(json).toMatchObject({ succ: true, value: { schema: 'twapd.tca-summary/1' } });
  const page = await gateway.request(`${path}?strategy=a&format=html`);
  expect(page.json).toContain('Execution costs of many portfolios');
  const account = String(TAKER.accounts[0]);
  const refused = await gateway.request(`${path}?accountId=${account}`, { by: STRANGER });
  expect(refused.json).toMatchObject({ succ: false, errors: [{ field: 'accountId' }] });
  const wrong = await gateway.request(`${path}?limit=501`);
  expect(wrong.json.errors[0]).toMatchObject({ field: 'limit' });
});

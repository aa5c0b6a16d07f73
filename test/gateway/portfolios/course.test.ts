// The course of a portfolio over REST, and how it is read.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { coursesFrom } from '../../../src/gateway/portfolios/read-course.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { form, submitted, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { GatewayUnderTest, READER, TAKER } from '../gateway-under-test.ts';
import { type SubmittedPortfolio, submitPortfolio } from './submitted-portfolio.ts';

let gateway: GatewayUnderTest;
let portfolio: string;
let client: SubmittedPortfolio['client'];

beforeEach(async () => {
  ({ gateway, portfolio, client } = await submitPortfolio());
});
afterEach(() => gateway.close());

test('a reader of the account gets the plan of every leg, without asking the engine', async () => {
  const answer = await client(READER).course(portfolio);
  expect(answer).toMatchObject({
    kind: 'done',
    value: { version: 1, overTimestamp: null, legs: [{ leg: 0, fills: [], children: [] }] },
  });
  expect(answer.kind === 'done' && answer.value.legs[0]?.plan.length).toBeGreaterThan(0);
  expect([...gateway.crossed].filter((call) => call.startsWith('portfolios.info'))).toEqual([]);
});

test('the course is refused from a version below zero', async () => {
  expect(await client(TAKER).course(portfolio, { after: -1 })).toMatchObject({
    kind: 'refused',
    errors: [{ field: 'after' }],
  });
});

test('a gateway without a ledger answers that it has no course', async () => {
  const bare = await GatewayUnderTest.start({}, { courses: undefined });
  const { json } = await bare.request(
    `/tt/broker/openapi/portfolios/course?portfolioId=${portfolio}`,
  );
  expect(json).toMatchObject({ code: 40401, message: expect.stringContaining('no course') });
  await bare.close();
});

const isOwn = (): boolean => true;

/** Courses of a portfolio of an engine whose ledger can fail, and the versions that were read from. */
async function traded() {
  const costs = new MemoryCostRecord();
  const one = world({ costRecord: costs });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  await one.engine.start();
  await one.run(20);
  const id = await submitted(one, form());
  await one.run(15_000);
  const stage = { isDown: false, reads: [] as number[] };
  const read = coursesFrom({
    costs,
    ledger: {
      eventsAfter: async (of: PortfolioId, after: number, limit: number) => {
        if (stage.isDown) throw new Error('the ledger is away');
        stage.reads.push(after);
        return ((await one.ledger.load(of))?.events ?? []).slice(after, after + limit);
      },
    },
    accounts: { describe: () => ({ name: '', exchange: one.venue.name }) },
    now: () => one.clock.now(),
  });
  return { one, id, stage, read };
}

test('who looks again gets what is new, and only that is read from the ledger', async () => {
  const { one, id, stage, read } = await traded();
  const first = await read({ portfolio: id, after: 0, isOwn });
  const version = first?.version ?? 0;
  const lastMs = first?.legs[0]?.market.at(-1)?.at ?? 0;
  await one.run(20_000);
  const next = await read({
    portfolio: id,
    after: version,
    isOwn,
    marketAfter: lastMs as ReturnType<typeof one.clock.now>,
  });
  // The first event tells whose it is.
  expect(stage.reads).toEqual([0, 0, version]);
  const whole = await coursesAnew(one, id);
  const [before, since, all] = [first?.legs[0], next?.legs[0], whole?.legs[0]];
  expect(before?.fills.length).toBeGreaterThan(0);
  expect([...(before?.fills ?? []), ...(since?.fills ?? [])]).toEqual(all?.fills);
  expect(since?.plan).toEqual(all?.plan);
  expect(since?.market.every(({ at }) => at > lastMs)).toBe(true);
});

async function coursesAnew(one: ReturnType<typeof world>, id: PortfolioId) {
  const read = coursesFrom({
    costs: new MemoryCostRecord(),
    ledger: {
      eventsAfter: async (of, after, limit) =>
        ((await one.ledger.load(of))?.events ?? []).slice(after, after + limit),
    },
    accounts: { describe: () => ({ name: '', exchange: one.venue.name }) },
    now: () => one.clock.now(),
  });
  return await read({ portfolio: id, after: 0, isOwn });
}

test('of a portfolio of another account only the first event is read', async () => {
  const { id, stage, read } = await traded();
  expect(await read({ portfolio: id, after: 0, isOwn: () => false })).toBeUndefined();
  expect(stage.reads).toEqual([0]);
});

test('a read that fails is reported to who asked, and the next one is complete', async () => {
  const { one, id, stage, read } = await traded();
  stage.isDown = true;
  await expect(read({ portfolio: id, after: 0, isOwn })).rejects.toThrow('the ledger is away');
  stage.isDown = false;
  await one.run(10 * MINUTE_MS);
  const [once, twice] = await Promise.all([
    read({ portfolio: id, after: 0, isOwn }),
    read({ portfolio: id, after: 0, isOwn }),
  ]);
  expect(once?.legs[0]?.filled).toBe('600');
  expect(twice).toEqual(once);
});

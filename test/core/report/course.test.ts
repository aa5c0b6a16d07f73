// The course for charts, against sums over the events of runs of the engine.
import { expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { CourseBuilder } from '../../../src/core/report/course/course-builder.ts';
import type { PortfolioCourse } from '../../../src/core/report/course/course-shapes.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { form, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

async function run(): Promise<{ one: World; portfolio: PortfolioId }> {
  const one = world();
  one.venue.show(quote(PERP, [99_990, 100_000]));
  await one.engine.start();
  await one.run(20);
  const portfolio = await submitted(one, form());
  await one.run(20_000);
  return { one, portfolio };
}

async function eventsOf({ ledger }: World, portfolio: PortfolioId) {
  return (await ledger.load(portfolio))?.events ?? [];
}

function told(
  one: World,
  portfolio: PortfolioId,
  events: readonly PortfolioEvent[],
  after = 0,
): PortfolioCourse {
  const teller = new CourseBuilder(portfolio);
  for (const event of events) teller.add(event);
  return teller.course({ now: one.clock.now(), after, market: new Map() });
}

test('every slice is in the plan when it was due, and every fill with the sum of the fills so far', async () => {
  const { one, portfolio } = await run();
  await one.run(10 * MINUTE_MS);
  const events = await eventsOf(one, portfolio);
  const course = told(one, portfolio, events);
  const leg = must(course.legs[0], 'one leg');
  const started = events.filter((event) => event.kind === 'slice_started');
  expect(leg.plan.map(({ at }) => at)).toEqual(started.map(({ dueAt }) => dueAt));
  const fills = events.filter((event) => event.kind === 'fill_booked');
  let sum = 0;
  expect(leg.fills).toEqual(
    fills.map(({ quantity, price, liquidity, tradedAt }) => {
      sum += Number(quantity);
      return { at: tradedAt, quantity, price, liquidity, filled: String(sum) };
    }),
  );
  expect(leg.fills.length).toBeGreaterThan(0);
  expect(leg.filled).toBe(String(sum));
  expect(leg.plan.at(-1)?.quantity).toBe(leg.quantity);
  expect(course.version).toBe(events.length);
  expect(leg.children.filter(({ closedAt }) => closedAt === null)).toEqual([]);
  expect(course.overTimestamp).toBe(events.at(-1)?.at);
});

test('a reader that requests what is new gets the later fills, and together with the earlier ones all of them', async () => {
  const { one, portfolio } = await run();
  const early = told(one, portfolio, await eventsOf(one, portfolio));
  await one.run(10 * MINUTE_MS);
  const events = await eventsOf(one, portfolio);
  const late = told(one, portfolio, events, early.version);
  const whole = told(one, portfolio, events);
  const fills = (course: PortfolioCourse) => course.legs.flatMap((leg) => leg.fills);
  expect(fills(early).length).toBeGreaterThan(0);
  expect([...fills(early), ...fills(late)]).toEqual(fills(whole));
});

test('events that are added one by one give the course of the whole history at each of them', async () => {
  const { one, portfolio } = await run();
  await one.run(10 * MINUTE_MS);
  const events = await eventsOf(one, portfolio);
  const growing = new CourseBuilder(portfolio);
  for (const [index, event] of events.entries()) {
    growing.add(event);
    const question = { now: one.clock.now(), after: 0, market: new Map() };
    expect(growing.course(question)).toEqual(told(one, portfolio, events.slice(0, index + 1)));
  }
});

// How far fills are from the plan in force, on runs of the engine that are amended, against a second reckoning that looks
// at every millisecond of lines written out in the test.
import { describe, expect, test } from 'vitest';
import type { AmendForm } from '../../../src/core/portfolio/admission/admit-amend.ts';
import { deviation, straightLine } from '../../../src/core/report/schedule-deviation.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { form, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';
import { reported } from '../../support/engine/reported.ts';

const OPERATOR = { uid: '99', nickname: 'operator' };

async function started() {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  one.venue.show(quote(perpetual(), [99_990, 100_000]));
  await one.engine.start();
  await one.run(20);
  return { record, one, portfolio: await submitted(one, form()) };
}

const amend = async (one: World, portfolio: PortfolioId, asked: Partial<AmendForm>) =>
  expect(
    await one.operations.amend({
      portfolio,
      form: { legs: [], ...asked },
      isPreview: false,
      by: OPERATOR,
    }),
  ).toMatchObject({ kind: 'done', value: { isApplied: true } });

const total = (to: string, seen: string) => ({
  legs: [{ leg: 0, quantity: quantity(to), filledSeen: quantity(seen) }],
});

/** Planned quantity by milliseconds after the start. */
type Planned = (ms: number) => number;

interface Looked {
  readonly greatest: number;
  readonly mean: number;
}

/** At every millisecond, and at each fill before and after it. */
async function looked(
  { ledger }: World,
  portfolio: PortfolioId,
  { planned, asked, endMs }: { planned: Planned; asked: number; endMs: number },
): Promise<Looked> {
  const events = (await ledger.load(portfolio))?.events ?? [];
  const first = must(events[0], 'a submission');
  const startAt = first.kind === 'submitted' ? first.spec.startAt : Number.NaN;
  const fills = events.filter((event) => event.kind === 'fill_booked');
  let [filled, next, sum, greatest] = [0, 0, 0, 0];
  const see = (ms: number): number => {
    const value = (filled - planned(ms)) / asked;
    if (Math.abs(value) > Math.abs(greatest)) greatest = value;
    return Math.abs(value);
  };
  for (let ms = 0; ms < endMs; ms += 1) {
    see(ms);
    for (let fill = fills[next]; fill !== undefined && fill.tradedAt <= startAt + ms; ) {
      filled += Number(fill.quantity);
      next += 1;
      fill = fills[next];
    }
    sum += see(ms);
  }
  return { greatest, mean: sum / endMs };
}

async function compared(
  { record, one, portfolio }: Awaited<ReturnType<typeof started>>,
  question: Parameters<typeof looked>[2],
): Promise<Looked> {
  const leg = must((await reported(one, record, portfolio)).legs[0], 'one leg');
  expect(leg.filled).toBe(String(question.asked));
  const found = must(leg.schedule ?? undefined, 'a schedule');
  const second = await looked(one, portfolio, question);
  expect(found.greatest).toBeCloseTo(second.greatest, 4);
  expect(found.mean).toBeCloseTo(second.mean, 4);
  return found;
}

describe('a portfolio that follows its plan', () => {
  test('never amended is ahead of it by a slice at most', async () => {
    const run = await started();
    await run.one.run(MINUTE_MS * 2);
    const found = await compared(run, {
      planned: (ms) => ms / 100,
      asked: 600,
      endMs: MINUTE_MS,
    });
    expect(found.greatest).toBeCloseTo(100 / 600, 3);
  });

  test('and is then given a larger total is ahead by one of its larger slices at most', async () => {
    const run = await started();
    await run.one.run(12_000);
    await amend(run.one, run.portfolio, total('1000', '200'));
    await run.one.run(MINUTE_MS * 2);
    const planned: Planned = (ms) => (ms < 20_000 ? ms / 100 : 200 + (ms - 20_000) / 50);
    const found = await compared(run, { planned, asked: 1_000, endMs: MINUTE_MS });
    expect(found.greatest).toBeCloseTo(200 / 1_000, 3);
    // Half a slice of 100 for 20 s, half a slice of 200 for 40 s.
    expect(found.mean).toBeCloseTo((50 * 20 + 100 * 40) / 60 / 1_000, 3);
  });

  test('and is then given a later end is ahead by one of its slices at most', async () => {
    const run = await started();
    await run.one.run(12_000);
    await amend(run.one, run.portfolio, { durationSec: 120 });
    await run.one.run(MINUTE_MS * 3);
    const planned: Planned = (ms) => (ms < 20_000 ? ms / 100 : 200 + (ms - 20_000) / 250);
    const found = await compared(run, { planned, asked: 600, endMs: 2 * MINUTE_MS });
    expect(found.greatest).toBeCloseTo(100 / 600, 3);
  });

  test('and is amended twice within one slice follows the later amendment only', async () => {
    const run = await started();
    await run.one.run(12_000);
    await amend(run.one, run.portfolio, total('1000', '200'));
    await run.one.run(2_000);
    await amend(run.one, run.portfolio, total('400', '200'));
    await run.one.run(MINUTE_MS * 2);
    const planned: Planned = (ms) => (ms < 20_000 ? ms / 100 : 200 + (ms - 20_000) / 200);
    await compared(run, { planned, asked: 400, endMs: MINUTE_MS });
  });
});

test('A portfolio that was behind when it was amended is behind its first plan until then, and not behind the new one, which starts from what it had.', async () => {
  const run = await started();
  const { one, portfolio } = run;
  await one.run(5_000);
  one.venue.isDown = true;
  await one.run(27_000);
  one.venue.isDown = false;
  await amend(one, portfolio, total('400', '100'));
  await one.run(MINUTE_MS * 2);
  const events = (await one.ledger.load(portfolio))?.events ?? [];
  const cut = events.flatMap((event) => (event.kind === 'amended' ? [event.replans[0]] : []))[0];
  const startAt = events[0]?.kind === 'submitted' ? events[0].spec.startAt : Number.NaN;
  const [fromMs, done] = [(cut?.from ?? Number.NaN) - startAt, Number(cut?.done)];
  const planned: Planned = (ms) =>
    ms < fromMs ? ms / 100 : done + ((400 - done) * (ms - fromMs)) / (MINUTE_MS - fromMs);
  const found = await compared(run, { planned, asked: 400, endMs: MINUTE_MS });
  expect(found.greatest).toBeLessThan(-0.1);
});

test('Fills along a line in ten thousand slices deviate from it by a ten-thousandth at most, and by half of that on average.', () => {
  const fills = Array.from({ length: 10_000 }, (_, at) => ({ at: at * 10, share: 1 / 10_000 }));
  const { greatest, mean } = deviation(fills, straightLine(0, 100_000));
  expect(greatest).toBeCloseTo(1 / 10_000, 8);
  expect(mean).toBeCloseTo(0.5 / 10_000, 8);
});

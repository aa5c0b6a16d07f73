// What a run leaves behind for the report on its costs: the market of each second, and that of each decision and fill.
import { expect, test } from 'vitest';
import type { LegMoment, MarketSecond } from '../../../src/core/report/cost-rows.ts';
import { midOf } from '../../../src/core/report/seen-market.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { later, MINUTE_MS, SECOND_MS } from '../../../src/values/instant.ts';
import { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import { life } from '../../support/daemon/mortal.ts';
import { form, legForm, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

const seconds = (record: MemoryCostRecord, { venue }: World): Promise<readonly MarketSecond[]> =>
  record.seconds({
    venue: venue.name,
    instrument: PERP.name,
    from: NOON,
    to: later(NOON, 240 * MINUTE_MS),
  });

const afterNoon = (rows: readonly MarketSecond[]): readonly number[] =>
  rows.map(({ second }) => (second - NOON) / SECOND_MS);

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** Half an hour and ten seconds after the end of the portfolio. */
async function lastSecond({ ledger }: World, portfolio: PortfolioId): Promise<number> {
  const { updatedAt = NOON } = (await ledger.row(portfolio)) ?? {};
  return Math.ceil((updatedAt - NOON) / SECOND_MS) - 1 + 30 * 60 + 10;
}

/** A venue that quotes, with an engine that has started. */
async function started(parts: Parameters<typeof world>[0] = {}) {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record, ...parts });
  one.venue.show(quote(PERP, [99_999.5, 100_000], { traded: quantity('1000') }));
  await one.engine.start();
  return { record, one };
}

test('A market is recorded every second while a portfolio is at work in it and for half an hour longer, then no more.', async () => {
  const { record, one } = await started();
  await one.run(5_000);
  expect(await seconds(record, one)).toEqual([]);
  const portfolio = await submitted(one, form());
  await one.run(120 * MINUTE_MS);
  expect(afterNoon(await seconds(record, one))).toEqual(
    numbers(6, await lastSecond(one, portfolio)),
  );
});

test('A venue that is away at the submit leaves the expected cost out, and no failure is reported.', async () => {
  const { record, one } = await started();
  const away = () => Promise.reject(new MarketUnanswered('the connection is closed'));
  const { market } = one.venue;
  const { book, ticker } = market;
  Object.assign(market, { book: away, ticker: away });
  await submitted(one, form());
  await one.run(1_000);
  // Every venue of this file has the same reads.
  Object.assign(market, { book, ticker });
  expect(one.observer.failures).toEqual([]);
  expect(await seconds(record, one)).not.toEqual([]);
});

test('Portfolios on one market share its rows.', async () => {
  const { record, one } = await started();
  await Promise.all([submitted(one, form()), submitted(one, form())]);
  await one.run(10_000);
  expect(afterNoon(await seconds(record, one))).toEqual(numbers(1, 10));
});

test('A portfolio whose state leaves memory between its slices is still recorded.', async () => {
  const { record, one } = await started({ stateBytesMax: 0 });
  await submitted(one, form({ twapTrade: { durationSec: 7_200, frequencySec: 3_600 } }));
  await one.run(55 * MINUTE_MS);
  expect(one.assembled.stats().watched).toBe(0);
  expect(afterNoon(await seconds(record, one))).toEqual(numbers(1, 55 * 60));
});

test('What is traded between the submit and the first row is in the volume of that row.', async () => {
  const { record, one } = await started();
  const show = (traded: string): void =>
    one.venue.show(quote(PERP, [99_999.5, 100_000], { traded: quantity(traded) }));
  await one.run(200);
  show('1200');
  await submitted(one, form());
  await one.run(100);
  show('1300');
  await one.run(1_000);
  show('1350');
  await one.run(1_000);
  const volumes = (await seconds(record, one)).map(({ volume }) => volume && text(volume));
  expect(volumes).toEqual(['100', '50']);
});

test('A market that is first known after the submit is counted from the first decision in it.', async () => {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  await one.engine.start();
  await submitted(one, form());
  await one.run(1_200);
  const show = (traded: string): void =>
    one.venue.show(quote(PERP, [99_999.5, 100_000], { traded: quantity(traded) }));
  show('500');
  // The waiting slice is sent when it is looked at again.
  await one.run(30_000);
  show('640');
  await one.run(1_000);
  const rows = await seconds(record, one);
  expect(rows.at(0)?.volume).toBeUndefined();
  expect(rows.at(-1)?.volume && text(rows.at(-1)?.volume ?? quantity('0'))).toBe('140');
});

test('The volume of a second is what was traded since the one before; a gap and a new count leave it out or restart it.', async () => {
  const { record, one } = await started();
  await submitted(one, form());
  const show = async (traded: string | undefined, forMs: number): Promise<void> => {
    one.venue.show(
      quote(PERP, [99_999.5, 100_000], {
        traded: traded === undefined ? undefined : quantity(traded),
      }),
    );
    await one.run(forMs);
  };
  await one.run(1_500);
  await show('1030', 1_000);
  await show('1030', 1_000);
  await show('20', 1_000);
  one.venue.hide(PERP.name);
  await one.run(5_000);
  await show('70', 1_000);
  await show('95', 1_000);
  const told = (await seconds(record, one)).map(
    ({ second, volume }) => [(second - NOON) / SECOND_MS, volume && text(volume)] as const,
  );
  expect(told).toEqual([
    [1, '0'],
    [2, '30'],
    [3, '0'],
    [4, '20'],
    [10, undefined],
    [11, '25'],
  ]);
});

test('A process that dies after the end of a portfolio hands the rest of the half hour to the next one.', async () => {
  const process = life(0);
  const { record, one } = await started({ life: process });
  const portfolio = await submitted(one, form());
  await one.run(2 * MINUTE_MS);
  process.isDead = true;
  one.engine.stop();
  const next = world({
    clock: one.clock,
    ledger: one.ledger,
    venue: one.venue,
    costRecord: record,
  });
  await next.engine.start();
  await next.run(60 * MINUTE_MS);
  expect(afterNoon(await seconds(record, next))).toEqual(
    numbers(1, await lastSecond(next, portfolio)),
  );
});

test.each([
  ['is at work', 7_200],
  ['has ended', 60],
])(
  'Markouts of a fill from before a restart are of the exact instant, whether its portfolio %s.',
  async (_, durationSec) => {
    const process = life(0);
    const { record, one } = await started({ life: process });
    const twapTrade = { durationSec, frequencySec: durationSec / 2 };
    // Between whole seconds, so that no other instant that is recorded is a horizon of a fill.
    await one.run(1_234);
    const portfolio = await submitted(one, form({ twapTrade }));
    await one.run(70_000);
    process.isDead = true;
    one.engine.stop();
    const { clock, ledger, venue } = one;
    const next = world({ clock, ledger, venue, costRecord: record });
    await next.run(300);
    await next.engine.start();
    await next.run(31 * MINUTE_MS);
    const { events = [] } = (await ledger.load(portfolio)) ?? {};
    const fills = events.flatMap((event) => (event.kind === 'fill_booked' ? [event.tradedAt] : []));
    const first = fills[0] ?? 0;
    expect(first % 1_000).not.toBe(0);
    expect(first).toBeLessThan(NOON + 70_000);
    const span = { from: NOON, to: later(NOON, 240 * MINUTE_MS) };
    const rows = await record.instants({ venue: venue.name, instrument: PERP.name, ...span });
    const afterFirst = rows.map(({ at }) => at - first);
    // From the definition of the horizons: 1 and 10 s were answered before the restart, 5 and 30 min after it.
    for (const seconds of [1, 10, 60, 300, 1_800]) expect(afterFirst).toContain(seconds * 1_000);
  },
);

test('The market is recorded at the submit, the start, each child and each fill, by the number of the event.', async () => {
  const { record, one } = await started();
  const portfolio = await submitted(one, form({ legs: [legForm({ quantity: quantity('200') })] }));
  await one.run(2 * MINUTE_MS);
  const { events = [] } = (await one.ledger.load(portfolio)) ?? {};
  const moments = await record.moments(portfolio);
  const at = ({ version }: LegMoment): string | undefined => events[version - 1]?.kind;
  const fills = events.filter(({ kind }) => kind === 'fill_booked').length;
  const children = events.filter(({ kind }) => kind === 'child_intended').length;
  expect(children).toBeGreaterThan(1);
  const times = (kind: string): number => moments.filter((one) => at(one) === kind).length;
  expect(['submitted', 'started', 'child_intended', 'fill_booked'].map(times)).toEqual([
    1,
    1,
    children,
    fills,
  ]);
  expect(moments).toHaveLength(2 + children + fills);
  const mids = moments.map(({ market }) => market && midOf(market));
  expect(mids.map((mid) => mid && text(mid))).toEqual(moments.map(() => '99999.75'));
});

test('A slice that can place nothing is recorded with the market it met.', async () => {
  const { record, one } = await started();
  one.venue.show(quote(PERP, [99_999.5, undefined]));
  const portfolio = await submitted(one, form());
  await one.run(15_000);
  const { events = [] } = (await one.ledger.load(portfolio)) ?? {};
  const moments = await record.moments(portfolio);
  const slices = moments.filter(({ version }) => events[version - 1]?.kind === 'slice_started');
  expect(slices).toHaveLength(2);
  expect(slices.map(({ market }) => market?.ask)).toEqual([undefined, undefined]);
});

test('The cost that the plan expects is recorded with the submit.', async () => {
  const { record, one } = await started();
  const asked = form();
  const plan = await one.operations.plan(asked, { uid: '7', nickname: 'tester' });
  const verdict = plan.kind === 'done' ? plan.value.verdict : undefined;
  const portfolio = await submitted(one, asked);
  await one.run(1_000);
  const [first] = await record.moments(portfolio);
  const leg = verdict?.legs[0];
  expect(leg?.costBps).toBeGreaterThan(0);
  expect(first).toMatchObject({ version: 1, leg: 0 });
  expect(first?.expected).toEqual({
    bps: leg?.costBps,
    fee: leg?.fee,
    feeCurrency: leg?.feeCurrency,
  });
});

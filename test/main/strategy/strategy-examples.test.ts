// Every strategy shipped with the project, read as the daemon reads it and run to its end in virtual time on
// the paper market: nothing is refused, totals are exact, and each does what it promises.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioSummary } from '../../../src/core/portfolio/summary/portfolio-summary.ts';
import { withNames } from '../../../src/core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import type { Strategy } from '../../../src/main/strategy/strategy.ts';
import { readStrategyFile } from '../../../src/main/strategy/strategy-file.ts';
import { nextDue } from '../../../src/main/strategy/strategy-schedule.ts';
import {
  plus,
  quantity,
  ratioOf,
  share,
  text,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { deploymentId, instrumentName, parseChildLabel } from '../../../src/values/ids.ts';
import { type Instant, instant, isoText, later } from '../../../src/values/instant.ts';
import { COURSE_LIMITS } from '../../../src/virtual/backtest/virtual-course.ts';
import { World } from '../../../src/virtual/world.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { nonEmpty } from '../../support/non-empty.ts';

const FOLDER = join(import.meta.dirname, '../../../strategies');
const BY = { uid: '7', nickname: 'trader' };
/** A Thursday; the clocks of Europe and America have already gone back. */
const SUNRISE = instant(Date.UTC(2026, 10, 19, 5));
const DAY_MS = 86_400_000;
/** Longer strategies are shortened to this; the one whose sizes and times vary needs more slices for its own test. */
const longestSec = (file: string): number =>
  file === 'randomised-with-participation.yaml' ? 7_200 : 3_600;

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));

function strategyOf(name: string): Strategy {
  const reading = readStrategyFile(join(FOLDER, name));
  if (reading.kind === 'faulty') throw new Error(JSON.stringify(reading.faults));
  return reading.value;
}

interface Run {
  readonly info: PortfolioSummary;
  readonly events: readonly PortfolioEvent[];
}

async function run(form: PortfolioForm, startAt: Instant): Promise<Run> {
  const market = () => seededMarket({ seed: '1', startAt });
  const world = new World({
    startAt,
    market: market(),
    limits: COURSE_LIMITS,
    latencyMs: 5,
    settle,
    accounts: [{ account: form.accountId }],
    settings: { ...DEFAULT_SETTINGS, deployment: deploymentId('exam'), skewMs: 0, readLagMs: 0 },
  });
  const listed = market();
  const witness = instrumentName('BTC-PERPETUAL');
  listed.start(witness, startAt);
  const index = must(listed.reference(witness, startAt), 'a perpetual has an index').index;
  const named = withNames(form, {
    instruments: listed.instruments(startAt),
    index: () => index,
    now: startAt,
  });
  if (named.kind === 'refused') throw new Error(JSON.stringify(named.rejections));
  try {
    await world.start();
    const submitted = await world.operations.submit(named.value, BY);
    if (submitted.kind === 'refused') throw new Error(JSON.stringify(submitted.rejections));
    const { portfolio } = submitted.value;
    await world.run(later(startAt, DAY_MS));
    const info = must(await world.operations.info(portfolio), 'it is there');
    const { events } = must(await world.ledger.load(portfolio), 'it is stored');
    return { info, events };
  } finally {
    await world.close();
  }
}

const startOf = ({ schedule }: Strategy): Instant =>
  (schedule && nextDue(schedule, SUNRISE)) ?? SUNRISE;

/** In fewer seconds, with as much less; nobody quotes Block RFQs here, so the end action is the RFQ's fallback. */
function playable(
  { twapTrade, legs, execution, ...form }: PortfolioForm,
  seconds: number,
): PortfolioForm {
  const longer = Math.max(1, (twapTrade?.durationSec ?? 0) / seconds);
  const { rfq, ...options } = execution;
  return {
    ...form,
    dummyAccounts: [],
    twapTrade: twapTrade && { ...twapTrade, durationSec: twapTrade.durationSec / longer },
    legs: legs.map((leg) => ({ ...leg, quantity: share(leg.quantity, ratioOf(1 / longer)) })),
    execution: rfq === undefined ? options : { ...options, endAction: rfq.fallback ?? 'cancel' },
  };
}

const runs = new Map<string, Run>();
async function ran(file: string): Promise<Run> {
  const strategy = strategyOf(file);
  const form = playable(strategy.form, longestSec(file));
  const known = runs.get(file) ?? (await run(form, startOf(strategy)));
  runs.set(file, known);
  return known;
}

type Of<K extends PortfolioEvent['kind']> = Extract<PortfolioEvent, { kind: K }>;
const told = <K extends PortfolioEvent['kind']>({ events }: Run, kind: K): readonly Of<K>[] =>
  events.filter((event): event is Of<K> => event.kind === kind);

test.each(files)('%s is read without a fault and ends with exact totals', async (file) => {
  const one = await ran(file);
  const { info } = one;
  expect(['filled', 'cancelled']).toContain(info.status);
  expect(info.legs.some(({ filled }) => filled !== '0')).toBe(true);
  for (const [leg, { filled, quantity: total, remaining }] of info.legs.entries()) {
    const booked = told(one, 'fill_booked')
      .filter(({ label }) => parseChildLabel(label)?.leg === leg)
      .reduce((sum, fill) => plus(sum, quantity(fill.quantity)), ZERO_QUANTITY);
    expect(text(booked)).toBe(filled);
    expect(text(plus(booked, quantity(remaining)))).toBe(total);
    if (info.status === 'filled') expect(filled).toBe(total);
  }
});

test('randomised-with-participation varies sizes and due times, and never trades more than a tenth of the volume', async () => {
  const one = await ran('randomised-with-participation.yaml');
  const slices = told(one, 'slice_started');
  expect(slices.length).toBeGreaterThanOrEqual(60);
  expect(new Set(slices.map(({ planned }) => planned)).size).toBeGreaterThan(20);
  const intervals = slices.map(({ dueAt }) => (dueAt - (slices[0]?.dueAt ?? 0)) % 120_000);
  expect(new Set(intervals).size).toBeGreaterThan(20);
  let filled = 0;
  let first: number | undefined;
  for (const event of one.events) {
    if (event.kind === 'fill_booked') filled += Number(event.quantity);
    if (event.kind !== 'slice_started' || event.traded === undefined) continue;
    first ??= Number(event.traded);
    expect(filled).toBeLessThanOrEqual(0.1 * (Number(event.traded) - first));
  }
});

test('a slice of escalating-option-purchase starts by resting and ends by crossing', async () => {
  const one = await ran('escalating-option-purchase.yaml');
  const children = told(one, 'child_intended');
  expect(children.filter(({ attempt }) => attempt === 1).every(({ postOnly }) => postOnly)).toBe(
    true,
  );
  expect(children.some(({ postOnly }) => !postOnly)).toBe(true);
  const made = told(one, 'fill_booked').filter(({ liquidity }) => liquidity === 'maker');
  expect(made.length).toBeGreaterThan(0);
});

test('smart-balance-strangle is in proportion after each part, including its hedge', async () => {
  const one = await ran('smart-balance-strangle.yaml');
  for (const { filled } of nonEmpty(told(one, 'part_ended'))) {
    const [put, call, hedge] = filled.map(Number);
    expect(call).toBe(put);
    expect(hedge).toBe(2_000 * (put ?? 0));
  }
  for (const { imbalance } of nonEmpty(one.info.legs)) {
    expect(Number(imbalance?.ahead)).toBeLessThanOrEqual(Number(imbalance?.bound));
  }
});

test('spot-sale-london keeps its local time in summer and winter, and skips its holidays', () => {
  const { schedule } = strategyOf('spot-sale-london.yaml');
  const after = (text: string) =>
    isoText(must(schedule && nextDue(schedule, instant(Date.parse(text))), 'it comes again'));
  expect(after('2026-07-01T00:00:00Z')).toBe('2026-07-01T15:00:00.000Z');
  expect(after('2026-11-19T00:00:00Z')).toBe('2026-11-19T16:00:00.000Z');
  expect(after('2026-12-24T17:00:00Z')).toBe('2026-12-29T16:00:00.000Z');
});

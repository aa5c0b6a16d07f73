// Measures the report on costs of a portfolio of 10 000 slices, with as many fills: made from its events and the recorded
// market, and written as a page.
import { marketNeed, portfolioReport } from '../src/core/report/portfolio-report.ts';
import type { PortfolioReport } from '../src/core/report/report-shapes.ts';
import { reportPage } from '../src/gateway/report/report-page.ts';
import { quantity } from '../src/values/amounts.ts';
import { must } from '../src/values/assert.ts';
import { MINUTE_MS, SECOND_MS } from '../src/values/instant.ts';
import { MemoryCostRecord } from '../src/virtual/memory/memory-cost-record.ts';
import { form, legForm, submitted, world } from '../test/support/engine/engine-world.ts';
import { perpetual, quote } from '../test/support/engine/markets.ts';
import type { Row } from './row.ts';

const SLICES = 10_000;
const EVERY_SEC = 2;
const QUOTE_EVERY_MS = 20 * SECOND_MS;
const RUNS = 5;

export async function benchReport(): Promise<readonly Row[]> {
  const make = await preparedReport();
  const runs = Array.from({ length: RUNS }, () => {
    const from = performance.now();
    const report = make();
    const madeMs = performance.now() - from;
    const page = reportPage(report);
    return { report, page, madeMs, pageMs: performance.now() - from - madeMs };
  });
  const [first] = runs;
  const { report, page } = must(first, 'a run');
  const slowestMs = Math.max(...runs.map(({ madeMs, pageMs }) => madeMs + pageMs));
  const median = (of: readonly number[]): string =>
    must(of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)], 'a run').toFixed(0);
  return [
    {
      what: `report of ${report.slices.length} slices and ${report.fills.length} fills`,
      value: `${median(runs.map(({ madeMs }) => madeMs))} ms from events and record, ${median(runs.map(({ pageMs }) => pageMs))} ms as a page; slowest together ${slowestMs.toFixed(0)} ms`,
      yardstick: '2 000 ms together',
    },
    {
      what: 'its page, and its JSON',
      value: `${megabytes(page)} and ${megabytes(JSON.stringify(report))}`,
      yardstick: '3 MB the page',
    },
  ];
}

const megabytes = (text: string): string => `${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`;

/** Runs the portfolio in virtual time; what it returns makes its report. */
async function preparedReport(): Promise<() => PortfolioReport> {
  const record = new MemoryCostRecord();
  const one = world({ costRecord: record });
  const show = (step: number): void => {
    const bid = 99_990 + 40 * Math.round(10 * Math.sin(step / 20));
    one.venue.show(quote(perpetual(), [bid, bid + 10], { traded: quantity(String(step * 1_000)) }));
  };
  show(0);
  await one.engine.start();
  const durationSec = SLICES * EVERY_SEC;
  const legs = [legForm({ quantity: quantity(String(SLICES * 10)) })];
  const asked = form({ legs, twapTrade: { durationSec, frequencySec: EVERY_SEC } });
  const portfolio = await submitted(one, asked);
  for (let step = 1; step * QUOTE_EVERY_MS <= durationSec * SECOND_MS; step += 1) {
    await one.run(QUOTE_EVERY_MS);
    show(step);
  }
  await one.run(40 * MINUTE_MS);
  const { events } = must(await one.ledger.load(portfolio), 'it is stored');
  const now = one.clock.now();
  const { from, to } = must(marketNeed(events, now), 'it needs a market');
  const instrument = perpetual().name;
  const rows = await record.seconds({ venue: one.venue.name, instrument, from, to });
  const seconds = new Map([[instrument, rows]]);
  const exact = await record.instants({ venue: one.venue.name, instrument, from, to });
  const instants = new Map([[instrument, exact]]);
  const moments = await record.moments(portfolio);
  return () => {
    const markets = { moments, seconds, instants };
    const steps = portfolioReport({ portfolio, events, exceeded: [], now, ...markets });
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
}

// The report on a portfolio of a test world, whose markets were recorded in memory.
import {
  marketNeed,
  portfolioReport,
  type ReportMaterial,
} from '../../../src/core/report/portfolio-report.ts';
import type { PortfolioReport } from '../../../src/core/report/report-shapes.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import type { MemoryCostRecord } from '../../../src/virtual/memory/memory-cost-record.ts';
import type { World } from './engine-world.ts';

export async function reported(
  { ledger, clock, venue }: World,
  record: MemoryCostRecord,
  portfolio: PortfolioId,
  exceeded: ReportMaterial['exceeded'] = [],
): Promise<PortfolioReport> {
  const { events = [] } = (await ledger.load(portfolio)) ?? {};
  const now = clock.now();
  const need = marketNeed(events, now);
  const seconds = new Map();
  const instants = new Map();
  for (const instrument of need?.instruments ?? []) {
    const span = { from: need?.from ?? now, to: need?.to ?? now };
    seconds.set(instrument, await record.seconds({ venue: venue.name, instrument, ...span }));
    instants.set(instrument, await record.instants({ venue: venue.name, instrument, ...span }));
  }
  const moments = await record.moments(portfolio);
  const steps = portfolioReport({
    portfolio,
    events,
    moments,
    seconds,
    instants,
    exceeded,
    now,
  });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

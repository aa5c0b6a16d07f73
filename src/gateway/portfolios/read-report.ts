// Reads what a report is made from, in the ledger and in the record of markets, and makes it in steps, between which other
// requests are answered. Needs no engine.
import { setImmediate as nextLoop } from 'node:timers/promises';
import { marketNeed, portfolioReport } from '../../core/report/portfolio-report.ts';
import type { PortfolioReport } from '../../core/report/report-shapes.ts';
import type { CostReads } from '../../ports/costs/cost-record.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { MmpRecords } from '../../ports/mmp-records.ts';
import { accountId, type InstrumentName, type PortfolioId, venueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { AccountDirectory } from './portfolio-record.ts';

export interface ReportSources {
  readonly ledger: Pick<Ledger, 'load'>;
  readonly costs: CostReads;
  readonly mmp: Pick<MmpRecords, 'exceeded'>;
}

interface ReadReportOptions extends ReportSources {
  readonly accounts: AccountDirectory;
  readonly now: () => Instant;
}

/** The report on a portfolio, `undefined` if there is none. Rejects with the ledger's error while it is unavailable. */
export const reportsFrom =
  (options: ReadReportOptions) =>
  (portfolio: PortfolioId): Promise<PortfolioReport | undefined> =>
    readReport(options, portfolio);

async function readReport(
  { ledger, costs, mmp, accounts, now }: ReadReportOptions,
  portfolio: PortfolioId,
): Promise<PortfolioReport | undefined> {
  const stored = await ledger.load(portfolio);
  const [first] = stored?.events ?? [];
  const at = now();
  const need = marketNeed(stored?.events ?? [], at);
  if (stored === undefined || need === undefined || first?.kind !== 'submitted') return undefined;
  const { from, to, instruments } = need;
  const venue = venueName(accounts.describe(first.spec.accountId).exchange);
  const seconds = new Map<InstrumentName, Awaited<ReturnType<CostReads['seconds']>>>();
  const instants = new Map<InstrumentName, Awaited<ReturnType<CostReads['instants']>>>();
  for (const instrument of instruments) {
    seconds.set(instrument, await costs.seconds({ venue, instrument, from, to }));
    instants.set(instrument, await costs.instants({ venue, instrument, from, to }));
  }
  const { events } = stored;
  const { execution } = first.spec;
  const account = accountId(first.spec.accountId);
  const exceeded =
    execution.mmpGroup !== undefined
      ? await mmp.exceeded({ account, kind: 'order' }, { from, to })
      : [];
  const moments = await costs.moments(portfolio);
  const markets = { moments, seconds, instants };
  const steps = portfolioReport({ portfolio, events, exceeded, now: at, ...markets });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextLoop();
  }
}

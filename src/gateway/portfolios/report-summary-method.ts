// The portfolio operation report-summary: what the portfolios of a strategy or of accounts cost together. Reports are made one
// after the other and none is kept, so that memory stays bounded.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import { CostSummaries, type NotReported } from '../../core/report/summary/cost-summary.ts';
import type { CostSummary } from '../../core/report/summary/cost-summary-shapes.ts';
import type { PageQuery } from '../../ports/ledger.ts';
import { portfolioId } from '../../values/ids.ts';
import { requireAccount } from '../auth/require-account.ts';
import { costSummaryPage } from '../report/cost-summary-page.ts';
import { Refused } from '../wire/faults.ts';
import {
  accountIdField,
  choiceField,
  instantField,
  textField,
  wholeField,
} from '../wire/field-kinds.ts';
import { optional, optionalOr, record } from '../wire/fields.ts';
import { withoutEmpty } from './page-schema.ts';
import { type PortfolioCall, type PortfolioMethod, portfolioMethod } from './portfolio-method.ts';
import { reportSummarySchema } from './report-summary-schema.ts';

const PORTFOLIOS_MAX = 500;
const PORTFOLIOS_DEFAULT = 200;
const PAGE_ROWS = 50;

const querySchema = z.preprocess(
  withoutEmpty,
  record(
    {
      strategy: optional(textField({ max: 64, description: 'Only portfolios of this strategy' })),
      accountId: optional(
        accountIdField('Only portfolios of this account; absent: of all accounts of the key'),
      ),
      startTimestamp: optional(instantField('Submitted at or after, Unix milliseconds', true)),
      endTimestamp: optional(instantField('Submitted at or before, Unix milliseconds', true)),
      limit: optionalOr(
        wholeField({
          min: 1,
          max: PORTFOLIOS_MAX,
          description: `Read at most this many, the newest (default ${PORTFOLIOS_DEFAULT})`,
          fromText: true,
        }),
        PORTFOLIOS_DEFAULT,
      ),
      format: optional(
        choiceField(
          { json: 'json', html: 'html' } as const,
          'html: one self-contained page without the envelope; absent: json',
        ),
      ),
    },
    'Which portfolios to sum up',
  ),
);

type Asked = z.output<typeof querySchema>;

/** Minimum cost of a report in milliseconds; of the most that may be requested it is within what a key may save up. */
const REPORT_MS = 1.5;

export const reportSummary: PortfolioMethod = portfolioMethod({
  verb: 'GET',
  name: 'report-summary',
  lane: 'read',
  needs: 'read',
  summary: 'Show what many portfolios cost',
  asked: querySchema,
  value: reportSummarySchema,
  costMs: ({ limit }) => limit * REPORT_MS,
  run: async (call, asked) => {
    if (asked.accountId !== undefined) requireAccount(call.key, asked.accountId, 'accountId');
    const value = await summaryOf(call, asked);
    return asked.format === 'html' ? { page: costSummaryPage(value) } : { value };
  },
});

async function summaryOf(
  { key, operations, reportOn }: PortfolioCall,
  { strategy, accountId, startTimestamp, endTimestamp, limit }: Asked,
): Promise<CostSummary> {
  if (reportOn === undefined) {
    const message = 'no report can be made here; accepted: on a daemon that records markets';
    throw new Refused([reject('not_found', '', message)]);
  }
  const query: Omit<PageQuery, 'statuses' | 'offset' | 'limit'> = {
    accounts: accountId === undefined ? key.accounts : [accountId],
    strategy,
    submittedFrom: startTimestamp,
    submittedTo: endTimestamp,
    orderBy: 'submittedAt',
    descending: true,
  };
  const ended = { ...query, statuses: ['filled', 'cancelled'] } as const;
  const summaries = new CostSummaries();
  let [read, total, mirrors] = [0, 0, 0];
  do {
    const rows = Math.min(PAGE_ROWS, limit - read);
    const page = await operations.page({ ...ended, offset: read, limit: rows });
    total = page.total;
    if (page.rows.length === 0) break;
    for (const { portfolio, mirrorOf } of page.rows) {
      read += 1;
      const report = mirrorOf === undefined ? await reportOn(portfolioId(portfolio)) : undefined;
      if (report === undefined) mirrors += 1;
      else summaries.add(report);
    }
  } while (read < Math.min(limit, total));
  const all = await operations.page({ ...query, offset: 0, limit: 1 });
  const left: NotReported = {
    active: Math.max(0, all.total - total),
    mirrors,
    older: total - read,
  };
  return summaries.summary(left);
}

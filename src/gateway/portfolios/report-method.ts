// The portfolio operation report: what one portfolio cost.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import { reportPage } from '../report/report-page.ts';
import { Refused } from '../wire/faults.ts';
import { choiceField, portfolioIdField } from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';
import { withoutEmpty } from './page-schema.ts';
import { ownPortfolio, type PortfolioMethod, portfolioMethod } from './portfolio-method.ts';
import { reportSchema } from './report-schema.ts';

const reportQuerySchema = z.preprocess(
  withoutEmpty,
  record(
    {
      portfolioId: portfolioIdField('Which portfolio'),
      format: optional(
        choiceField(
          { json: 'json', html: 'html' } as const,
          'html: one self-contained page without the envelope; absent: json',
        ),
      ),
    },
    'Which portfolio to report on',
  ),
);

/** Minimum cost of an answer in milliseconds. */
const REPORT_MS = 5;

export const report: PortfolioMethod = portfolioMethod({
  verb: 'GET',
  name: 'report',
  lane: 'read',
  needs: 'read',
  summary: 'Show what a portfolio cost',
  asked: reportQuerySchema,
  value: reportSchema,
  costMs: () => REPORT_MS,
  run: async ({ key, operations, reportOn }, { portfolioId, format }) => {
    await ownPortfolio(operations, key, portfolioId);
    const value = await reportOn?.(portfolioId);
    if (value !== undefined) return format === 'html' ? { page: reportPage(value) } : { value };
    const message = 'no report can be made here; accepted: on a daemon that records markets';
    throw new Refused([reject('not_found', 'portfolioId', message)]);
  },
});

// The portfolio operation counts: how many portfolios there are of each status.
import { z } from 'zod';
import type { PageQuery } from '../../ports/ledger.ts';
import { requireAccount } from '../auth/require-account.ts';
import { accountIdField } from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';
import { withoutEmpty } from './page-schema.ts';
import { type PortfolioMethod, portfolioMethod } from './portfolio-method.ts';

const countsQuerySchema = z.preprocess(
  withoutEmpty,
  record(
    {
      accountId: optional(
        accountIdField('Account whose portfolios are counted; absent: every account of the key'),
      ),
    },
    'Which portfolios to count',
  ),
);

const STATUSES = ['active', 'cancelling', 'filled', 'cancelled'] as const;

const countsSchema = z
  .object({
    active: z.int().describe('Waiting for their start, or at work (status 1)'),
    cancelling: z.int().describe('Being cancelled (status 4)'),
    filled: z.int().describe('Status 2'),
    cancelled: z.int().describe('Status 3'),
  })
  .describe('Portfolios by status, each figure as of its own moment');

export type CountsRecord = z.infer<typeof countsSchema>;

/** Minimum cost of an answer in milliseconds. */
const COUNTS_MS = 2;

export const counts: PortfolioMethod = portfolioMethod({
  verb: 'GET',
  name: 'counts',
  lane: 'read',
  needs: 'read',
  summary: 'Count portfolios by status',
  asked: countsQuerySchema,
  value: countsSchema,
  costMs: () => COUNTS_MS,
  run: async ({ key, operations }, { accountId: account }) => {
    if (account !== undefined) requireAccount(key, account, 'accountId');
    const of: PageQuery = {
      accounts: account === undefined ? key.accounts : [account],
      orderBy: 'submittedAt',
      descending: true,
      offset: 0,
      limit: 0,
    };
    const totals = await Promise.all(
      STATUSES.map(async (status) => {
        const { total } = await operations.page({ ...of, statuses: [status] });
        return [status, total] as const;
      }),
    );
    return { value: Object.fromEntries(totals) };
  },
});

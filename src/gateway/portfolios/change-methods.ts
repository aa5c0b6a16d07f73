// Operations that change an active portfolio by its id (cancel, pause, resume, amend), and cancel-all.
import { z } from 'zod';
import { type AccountId, accountId, type PortfolioId } from '../../values/ids.ts';
import { actor } from '../auth/key-store.ts';
import { requireAccount } from '../auth/require-account.ts';
import { accountIdField, portfolioIdField } from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';
import { amendBodySchema, amendedRecord, amendedRecordSchema } from './amend-schema.ts';
import { cancelAllBodySchema, cancelBodySchema } from './cancel-schema.ts';
import {
  granted,
  ownPortfolio,
  type PortfolioCall,
  type PortfolioMethod,
  portfolioMethod,
} from './portfolio-method.ts';

/** Bodies of pause and resume. */
export const holdBodySchema = record(
  {
    portfolioId: portfolioIdField('Which portfolio'),
    accountId: optional(accountIdField('Account it must belong to; otherwise nothing is changed')),
  },
  'Which portfolio to pause or to resume',
);

/** In the cancel lane, so that heavy reading or submitting never delays them. */
const AT_ONCE = { verb: 'POST', lane: 'cancel', needs: 'trade', value: z.null() } as const;

/** @throws Refused unless the portfolio, and the account the request names, belong to the key. */
async function requireOwn(
  { key, operations, actsFor }: PortfolioCall,
  portfolio: PortfolioId,
  account: AccountId | undefined,
): Promise<void> {
  if (account !== undefined) requireAccount(key, account, 'accountId');
  actsFor(accountId((await ownPortfolio(operations, key, portfolio)).account));
}

const cancel = portfolioMethod({
  ...AT_ONCE,
  name: 'cancel',
  summary: 'Cancel one portfolio',
  asked: cancelBodySchema,
  run: async (call, { portfolioId, accountId }) => {
    await requireOwn(call, portfolioId, accountId);
    const { operations, key } = call;
    return { value: granted(await operations.cancel(portfolioId, actor(key), accountId)) };
  },
});

const cancelAll = portfolioMethod({
  ...AT_ONCE,
  name: 'cancel-all',
  summary: 'Cancel the active portfolios of an account',
  asked: cancelAllBodySchema,
  run: async ({ key, operations }, { account, filter }) => {
    requireAccount(key, account, 'accountId');
    if (filter !== undefined) granted(await operations.cancelAll(filter, actor(key)));
    return { value: null };
  },
});

const pauseOrResume = (name: 'pause' | 'resume', summary: string): PortfolioMethod =>
  portfolioMethod({
    ...AT_ONCE,
    name,
    summary,
    asked: holdBodySchema,
    run: async (call, { portfolioId, accountId }) => {
      await requireOwn(call, portfolioId, accountId);
      const { operations, key } = call;
      return { value: granted(await operations[name](portfolioId, actor(key), accountId)) };
    },
  });

const amend = portfolioMethod({
  verb: 'POST',
  name: 'amend',
  lane: 'submit',
  needs: 'trade',
  summary: 'Amend a portfolio, or show what it would become',
  asked: amendBodySchema,
  value: amendedRecordSchema,
  run: async (call, { portfolioId: portfolio, accountId: account, form, isPreview }) => {
    await requireOwn(call, portfolio, account);
    const { operations, key } = call;
    const asked = { portfolio, account, form, isPreview, by: actor(key) };
    return { value: amendedRecord(granted(await operations.amend(asked))) };
  },
});

export const CHANGE_METHODS: readonly PortfolioMethod[] = [
  cancel,
  cancelAll,
  pauseOrResume(
    'pause',
    'Pause a portfolio: its orders are cancelled while its schedule continues',
  ),
  pauseOrResume('resume', 'Resume a paused portfolio'),
  amend,
];

// Operations that change an active portfolio by its id (cancel, pause, resume, amend), and cancel-all.
import { z } from 'zod';
import type { Unhedged } from '../../engine/interface/change-operations.ts';
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

/** The value of pause and cancel. */
export const stoppedRecordSchema = z
  .object({
    unhedged: z
      .array(
        z.object({
          legId: z.string().describe('Leg id of the hedge'),
          instrument: z.string().describe('Exchange symbol'),
          side: z.int().describe('1 BUY, 2 SELL'),
          unhedgedQuantity: z
            .string()
            .describe('What the fills of the other legs require and it has not filled'),
        }),
      )
      .describe('Hedge legs with open exposure at the moment of the request'),
  })
  .nullable()
  .describe('null: no hedge leg lacks anything');

export type StoppedRecord = z.infer<typeof stoppedRecordSchema>;

const stoppedRecord = (legs: Unhedged): StoppedRecord =>
  legs && {
    unhedged: legs.map(({ legId, instrument, side, quantity }) => ({
      legId,
      instrument,
      side: side === 'buy' ? 1 : 2,
      unhedgedQuantity: quantity,
    })),
  };

const cancel = portfolioMethod({
  ...AT_ONCE,
  value: stoppedRecordSchema,
  name: 'cancel',
  summary: 'Cancel one portfolio',
  asked: cancelBodySchema,
  run: async (call, { portfolioId, accountId }) => {
    await requireOwn(call, portfolioId, accountId);
    const { operations, key } = call;
    const answer = await operations.cancel(portfolioId, actor(key), accountId);
    return { value: stoppedRecord(granted(answer)) };
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

const pause = portfolioMethod({
  ...AT_ONCE,
  value: stoppedRecordSchema,
  name: 'pause',
  summary: 'Pause a portfolio: its orders are cancelled while its schedule continues',
  asked: holdBodySchema,
  run: async (call, { portfolioId, accountId }) => {
    await requireOwn(call, portfolioId, accountId);
    const { operations, key } = call;
    const answer = await operations.pause(portfolioId, actor(key), accountId);
    return { value: stoppedRecord(granted(answer)) };
  },
});

const resume = portfolioMethod({
  ...AT_ONCE,
  name: 'resume',
  summary: 'Resume a paused portfolio',
  asked: holdBodySchema,
  run: async (call, { portfolioId, accountId }) => {
    await requireOwn(call, portfolioId, accountId);
    const { operations, key } = call;
    return { value: granted(await operations.resume(portfolioId, actor(key), accountId)) };
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

export const CHANGE_METHODS: readonly PortfolioMethod[] = [cancel, cancelAll, pause, resume, amend];

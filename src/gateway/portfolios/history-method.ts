// The portfolio operation history: what happened to one portfolio, message by message, for readers who were not connected.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import { owns } from '../auth/key-store.ts';
import { Refused } from '../wire/faults.ts';
import { portfolioIdField, wholeField } from '../wire/field-kinds.ts';
import { optionalOr, record } from '../wire/fields.ts';
import { withoutEmpty } from './page-schema.ts';
import { noSuchPortfolio, type PortfolioMethod, portfolioMethod } from './portfolio-method.ts';

const LIMIT_DEFAULT = 500;
const LIMIT_MAX = 1_000;

const historyQuerySchema = z.preprocess(
  withoutEmpty,
  record(
    {
      portfolioId: portfolioIdField('Which portfolio'),
      after: optionalOr(
        wholeField({
          min: 0,
          max: Number.MAX_SAFE_INTEGER,
          description: 'Only what happened after this version of the portfolio (default 0: all)',
          fromText: true,
        }),
        0,
      ),
      limit: optionalOr(
        wholeField({
          min: 1,
          max: LIMIT_MAX,
          description: `Transitions to read at most (default ${LIMIT_DEFAULT}); some are no message`,
          fromText: true,
        }),
        LIMIT_DEFAULT,
      ),
    },
    'Which part of which history',
  ),
);

const historySchema = z
  .object({
    events: z.array(
      z.object({
        messageType: z.string().describe('As on the channel trade-news'),
        version: z.int().describe('Version of the portfolio after it'),
        timestamp: z.string().describe('When it happened, Unix milliseconds'),
        reason: z.string().optional(),
        detail: z
          .looseObject({ kind: z.string(), at: z.int() })
          .describe('As on the channel trade-news, see /asyncapi.json; absent for a submit')
          .optional(),
      }),
    ),
    version: z.int().describe('The version read up to: `after` of the next request'),
    isComplete: z.boolean().describe('Whether nothing more had happened'),
  })
  .describe('Messages of the history, in order');

export type HistoryRecord = z.infer<typeof historySchema>;

/** Minimum cost of answers in milliseconds. */
const HISTORY_MS = 0.5;
const EVENT_MS = 0.01;

export const history: PortfolioMethod = portfolioMethod({
  verb: 'GET',
  name: 'history',
  lane: 'read',
  needs: 'read',
  summary: 'Show what happened to a portfolio',
  asked: historyQuerySchema,
  value: historySchema,
  costMs: ({ limit }) => HISTORY_MS + limit * EVENT_MS,
  run: async ({ key, historyOf }, { portfolioId: portfolio, after, limit }) => {
    if (historyOf === undefined) {
      const message = 'no history can be read here; accepted: on a daemon with a ledger';
      throw new Refused([reject('not_found', 'portfolioId', message)]);
    }
    const page = await historyOf({ portfolio, after, limit });
    if (page === undefined || !owns(key, page.account)) throw noSuchPortfolio();
    const events = page.news.map(({ at, ...news }) => ({ ...news, timestamp: String(at) }));
    return { value: { events, version: page.end, isComplete: page.isComplete } };
  },
});

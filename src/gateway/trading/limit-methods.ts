// Limits of the controls that fill up, and how much of each the accounts of the key have used.
import { z } from 'zod';
import type { LimitUse, TradingApi } from '../../engine/interface/trading-api.ts';
import type { Instant } from '../../values/instant.ts';
import type { TradingMethod } from './trading-method.ts';

/** What the operation needs. */
export interface LimitRoutes {
  readonly trading: Pick<TradingApi, 'limitUse'>;
  readonly now: () => Instant;
}

const limitRecordSchema = z
  .object({
    accountId: z.string(),
    control: z
      .enum(['gross', 'slippage', 'position', 'messages', 'venue_messages', 'venue_questions'])
      .describe(
        "gross: working and traded since midnight UTC (PT-9); slippage: cost of execution since midnight UTC (PT-20); position: with every working order of its side filled (PT-8); messages: the account's message budget, which empties with time (PT-5); venue_messages, venue_questions: what the venue allows the account in orders and changes, and in queries",
      ),
    instrumentName: z.string().optional().describe('Of a position'),
    unit: z.string().describe('USD, the coin of the instrument, or messages'),
    limit: z.string().nullable().describe('null: no limit is set for it, which blocks orders'),
    used: z
      .string()
      .nullable()
      .describe(
        'null: not known yet, which blocks orders; slippage is below zero while execution was better than the market',
      ),
  })
  .describe('A limit of an account');

export type LimitRecord = z.infer<typeof limitRecordSchema>;

const limitRecord = ({ account, instrument, control, unit, ...of }: LimitUse): LimitRecord => ({
  accountId: account,
  control,
  unit,
  limit: of.limit ?? null,
  used: of.used ?? null,
  ...(instrument !== undefined && { instrumentName: instrument }),
});

const limits: TradingMethod<LimitRoutes> = {
  name: 'limits',
  verb: 'GET',
  lane: 'read',
  needs: 'read',
  summary: 'List the limits that fill up, and how much of each the accounts of the key have used',
  value: z.array(limitRecordSchema),
  run: async ({ key, trading, now }) =>
    (await trading.limitUse(key.accounts, now())).map(limitRecord),
};

export const LIMIT_METHODS: readonly TradingMethod<LimitRoutes>[] = [limits];

// What a start of the daemon found at the venues and not in its ledger, which is older than that: restored, or recovered to an
// earlier point in time.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { ReadUnaccounted, UnaccountedLeg } from '../../engine/interface/unaccounted-api.ts';
import { Refused } from '../wire/faults.ts';
import type { TradingMethod } from './trading-method.ts';

/** What the operation needs. */
export interface UnaccountedRoutes {
  /** Absent: it cannot be read here. */
  readonly unaccountedOf?: ReadUnaccounted | undefined;
}

const legSchema = z
  .object({
    portfolioId: z.string(),
    isInLedger: z
      .boolean()
      .describe('false: the portfolio was submitted after the ledger was stored, and is gone'),
    leg: z
      .int()
      .optional()
      .describe('Index of the leg, from 0; absent for the trades of a Block RFQ'),
    instrumentName: z.string(),
    side: z.enum(['buy', 'sell']),
    open: z.string().describe('Of orders that were open, what was not filled'),
    orders: z.int().describe('Orders that were open'),
    filled: z.string().describe('Quantity of its trades'),
    trades: z.int(),
    firstTimestamp: z.string().optional().describe('Of its first trade, Unix milliseconds'),
    lastTimestamp: z.string().optional().describe('Of its last trade, Unix milliseconds'),
  })
  .describe('Orders and trades of one leg that the ledger does not know');

const unaccountedSchema = z
  .object({
    orders: z
      .enum(['cancel', 'leave'])
      .describe('What the daemon does with open orders of portfolios that are not in the ledger'),
    accounts: z.array(
      z.object({
        accountId: z.string(),
        since: z.string().describe('Trades from then on were compared, Unix milliseconds'),
        checkedAt: z.string().describe('When they were compared, Unix milliseconds'),
        legs: z.array(legSchema).describe('Empty: nothing was found'),
      }),
    ),
  })
  .describe('What the latest start found for each account that it compared');

export type UnaccountedRecord = z.infer<typeof unaccountedSchema>;

const legRecord = (leg: UnaccountedLeg): UnaccountedRecord['accounts'][number]['legs'][number] => ({
  portfolioId: leg.portfolio,
  isInLedger: leg.isInLedger,
  ...(leg.leg !== undefined && { leg: leg.leg }),
  instrumentName: leg.instrument,
  side: leg.side,
  open: leg.open,
  orders: leg.orders,
  filled: leg.filled,
  trades: leg.trades,
  ...(leg.firstAt !== undefined && { firstTimestamp: String(leg.firstAt) }),
  ...(leg.lastAt !== undefined && { lastTimestamp: String(leg.lastAt) }),
});

export const unaccounted: TradingMethod<UnaccountedRoutes> = {
  name: 'unaccounted',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary:
    'List orders and trades at the venues of the accounts of the key that a restored ledger does not know, as the latest start found them',
  value: unaccountedSchema,
  run: async ({ key, unaccountedOf }): Promise<UnaccountedRecord> => {
    if (unaccountedOf === undefined) {
      const message = 'nothing of it can be read here; accepted: on a daemon with a ledger';
      throw new Refused([reject('not_found', '', message)]);
    }
    const { orders, accounts } = await unaccountedOf(key.accounts);
    return {
      orders,
      accounts: accounts.map(({ account, since, checkedAt, legs }) => ({
        accountId: account,
        since: String(since),
        checkedAt: String(checkedAt),
        legs: legs.map(legRecord),
      })),
    };
  },
};

// The operation whoami: the calling key, its accounts and scopes, and every operation that its scopes permit, so that a client
// offers what is allowed by the rules in force instead of rules of its own.
import { z } from 'zod';
import type { Instant } from '../../values/instant.ts';
import { type KeyNeed, satisfies } from '../auth/key-needs.ts';
import type { ApiKey } from '../auth/key-store.ts';
import { METHODS } from '../order-api/method-table.ts';
import { PORTFOLIO_METHODS } from '../portfolios/portfolio-methods.ts';
import type { AccountDirectory } from '../portfolios/portfolio-record.ts';
import type { TradingMethod } from './trading-method.ts';

/** What the operation needs. */
export interface WhoamiRoutes {
  readonly accounts: AccountDirectory;
  readonly now: () => Instant;
  readonly version: string;
  /** The operations besides the portfolio operations and the order methods. */
  readonly trading: readonly Pick<TradingMethod<never>, 'name' | 'needs'>[];
}

const whoamiSchema = z
  .object({
    keyId: z.string(),
    uid: z.string().describe('The user, as in records and in the audit trail'),
    nickname: z.string(),
    accounts: z
      .array(z.object({ accountId: z.string(), accountName: z.string(), exchange: z.string() }))
      .describe('Accounts of the key'),
    scopes: z.array(z.enum(['read', 'trade', 'blockRfq', 'admin'])),
    makerAlias: z.string().nullable().describe('Name as a maker of Block RFQs; null: none'),
    expiresTimestamp: z
      .string()
      .nullable()
      .describe('The key is refused from then on, Unix milliseconds; null: it does not expire'),
    operations: z
      .array(z.string())
      .describe(
        'Operations that the scopes permit: portfolios/submit, trading/switch, private/buy, …',
      ),
    timestamp: z.string().describe("The daemon's clock, Unix milliseconds"),
    version: z.string().describe('Version of the daemon'),
  })
  .describe('The calling key');

export type WhoamiRecord = z.infer<typeof whoamiSchema>;

export const whoami: TradingMethod<WhoamiRoutes> = {
  name: 'whoami',
  verb: 'GET',
  lane: 'read',
  needs: 'anything',
  summary: 'Show the calling key: its accounts, scopes, expiry and the operations it may call',
  value: whoamiSchema,
  run: ({ key, accounts, now, version, trading }): WhoamiRecord => ({
    keyId: key.id,
    uid: key.uid,
    nickname: key.nickname,
    scopes: [...key.scopes],
    accounts: key.accounts.map((account) => {
      const { name, exchange } = accounts.describe(account);
      return { accountId: account, accountName: name, exchange };
    }),
    makerAlias: key.makerAlias ?? null,
    expiresTimestamp: key.expiresAt === undefined ? null : String(key.expiresAt),
    operations: permitted(key, trading),
    timestamp: String(now()),
    version,
  }),
};

function permitted(key: ApiKey, trading: WhoamiRoutes['trading']): string[] {
  const isPermitted = ({ needs }: { readonly needs: KeyNeed | 'nothing' }): boolean =>
    needs === 'nothing' || satisfies(key, needs);
  return [
    ...PORTFOLIO_METHODS.filter(isPermitted).map(({ name }) => `portfolios/${name}`),
    ...trading.filter(isPermitted).map(({ name }) => `trading/${name}`),
    ...[...METHODS.values()].filter(isPermitted).map(({ name }) => name),
  ];
}

// The keys in force, without their secrets: who may do what, as those need to know who answer for the deployment.
import { z } from 'zod';
import { SCOPES } from '../../ports/key-records.ts';
import { satisfies } from '../auth/key-needs.ts';
import type { ApiKey, KeyStore } from '../auth/key-store.ts';
import type { TradingMethod } from './trading-method.ts';

/** What the operation needs. */
export interface KeyRoutes {
  readonly keys: Pick<KeyStore, 'all'>;
}

const keyRecordSchema = z
  .object({
    keyId: z.string(),
    uid: z.string(),
    nickname: z.string(),
    accounts: z.array(z.string()),
    scopes: z.array(z.enum(SCOPES)),
    makerAlias: z.string().nullable().describe('Name as a maker of Block RFQs; null: none'),
    bindsBody: z.boolean().describe('Whether signatures have to cover method, path and body'),
    isLimitedToAddresses: z.boolean().describe('Whether it is accepted from some addresses only'),
    expiresTimestamp: z
      .string()
      .nullable()
      .describe('The key is refused from then on, Unix milliseconds; null: it does not expire'),
  })
  .describe('A key in force; never its secret');

export type KeyInForceRecord = z.infer<typeof keyRecordSchema>;

const keyRecord = (key: ApiKey): KeyInForceRecord => ({
  keyId: key.id,
  uid: key.uid,
  nickname: key.nickname,
  scopes: [...key.scopes],
  accounts: [...key.accounts],
  makerAlias: key.makerAlias ?? null,
  bindsBody: key.bindBody === true,
  isLimitedToAddresses: key.admits !== undefined,
  expiresTimestamp: key.expiresAt === undefined ? null : String(key.expiresAt),
});

const keys: TradingMethod<KeyRoutes> = {
  name: 'keys',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary:
    'List the keys in force without secrets: all for the scope admin, otherwise the calling one',
  value: z.array(keyRecordSchema),
  run: ({ key, keys: store }) => {
    const all = satisfies(key, 'admin') ? (store.all?.() ?? [key]) : [key];
    return all.map(keyRecord).sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  },
};

export const KEY_METHODS: readonly TradingMethod<KeyRoutes>[] = [keys];

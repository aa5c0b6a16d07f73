// Overrides: let one order pass one control. A key that may trade on the account requests it, and a different
// key with the scope admin grants it; both are recorded.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import {
  OVERRIDABLE,
  OVERRIDE_MS_MAX,
  type OverridableControl,
  type Override,
} from '../../core/risk/gate/overrides.ts';
import type { TradingApi } from '../../engine/interface/trading-api.ts';
import { text } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import { owns } from '../auth/key-store.ts';
import { requireAccount } from '../auth/require-account.ts';
import { Refused } from '../wire/faults.ts';
import {
  accountIdField,
  choiceField,
  quantityField,
  textField,
  wholeField,
} from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';
import { type TradingMethod, tradingMethod } from './trading-method.ts';

/** What the override operations need. */
export interface OverrideRoutes {
  readonly trading: Pick<TradingApi, 'overrides' | 'requestOverride' | 'grantOverride'>;
  readonly now: () => Instant;
}

const REASON_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 64;
const SECONDS_MAX = OVERRIDE_MS_MAX / 1_000;
const SECONDS = 60;

const CONTROLS = Object.fromEntries(OVERRIDABLE.map((name) => [name, name])) as Readonly<
  Record<OverridableControl, OverridableControl>
>;

const requestBodySchema = record(
  {
    control: choiceField(CONTROLS, 'The control that the order may pass'),
    accountId: accountIdField('Account of the order'),
    instrumentName: textField({ max: NAME_LENGTH_MAX, description: 'Instrument of the order' }),
    side: choiceField({ buy: 'buy', sell: 'sell' } as const, 'Side of the order'),
    quantity: quantityField({ description: 'Largest amount of the order' }),
    reason: textField({ max: REASON_LENGTH_MAX, description: 'Reason; stored with user and time' }),
    expiresSec: optional(
      wholeField({
        min: 1,
        max: SECONDS_MAX,
        description: `How long it may be used, in seconds; ${SECONDS} when absent`,
      }),
    ),
  },
  'One order that may pass one control',
);

const grantBodySchema = record(
  { id: textField({ max: NAME_LENGTH_MAX, description: 'Id of the requested override' }) },
  'An override to grant',
);

const overrideRecordSchema = z.object({
  id: z.string(),
  control: z.enum(OVERRIDABLE),
  accountId: z.string(),
  instrumentName: z.string(),
  side: z.enum(['buy', 'sell']),
  quantity: z.string(),
  reason: z.string(),
  askedBy: z.string().describe('Id of the requesting key'),
  grantedBy: z.string().describe('Id of the granting key; empty until granted'),
  expiresAt: z.string().describe('Unix milliseconds'),
  isUsed: z.boolean(),
});

export type OverrideRecord = z.infer<typeof overrideRecordSchema>;

const overrideRecord = (override: Override): OverrideRecord => ({
  id: override.id,
  control: override.control,
  accountId: override.account,
  instrumentName: override.instrument,
  side: override.side,
  quantity: text(override.quantity),
  reason: override.reason,
  askedBy: override.askedBy,
  grantedBy: override.grantedBy ?? '',
  expiresAt: String(override.expiresAt),
  isUsed: override.usedAt !== undefined,
});

const list: TradingMethod<OverrideRoutes> = {
  name: 'overrides',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary: 'List the overrides of accounts of the key that have not expired',
  value: z.array(overrideRecordSchema),
  run: async ({ key, trading, now }) => {
    const own = (await trading.overrides(now())).filter(({ account }) => owns(key, account));
    return own.map(overrideRecord);
  },
};

const request = tradingMethod<OverrideRoutes, typeof requestBodySchema>({
  name: 'override',
  verb: 'POST',
  lane: 'submit',
  needs: 'trade',
  summary: 'Request that one order may pass one control',
  asked: requestBodySchema,
  value: overrideRecordSchema,
  run: async ({ key, trading, now }, asked) => {
    const { accountId: account, instrumentName: instrument, expiresSec, ...wish } = asked;
    requireAccount(key, account, 'accountId');
    const lifeMs = (expiresSec ?? SECONDS) * 1_000;
    const by = { by: key.id, at: now(), lifeMs };
    return overrideRecord(await trading.requestOverride({ ...wish, account, instrument }, by));
  },
});

const grant = tradingMethod<OverrideRoutes, typeof grantBodySchema>({
  name: 'override-grant',
  verb: 'POST',
  lane: 'submit',
  needs: 'admin',
  summary: 'Grant an override that another key requested',
  asked: grantBodySchema,
  value: overrideRecordSchema,
  run: async ({ key, actsFor, trading, now }, { id }) => {
    const granted = await trading.grantOverride(id, { by: key.id, at: now() });
    if (granted.kind === 'refused') throw new Refused([reject('conflict', 'id', granted.why)]);
    actsFor(granted.override.account);
    return overrideRecord(granted.override);
  },
});

export const OVERRIDE_METHODS: readonly TradingMethod<OverrideRoutes>[] = [list, request, grant];

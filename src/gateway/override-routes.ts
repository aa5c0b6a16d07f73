// Overrides over REST: one order let past one control. Asked for by a key that may trade on the account,
// granted by another one with the scope admin; both are written down.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { reject } from '../core/rejection.ts';
import {
  OVERRIDABLE,
  OVERRIDE_MS_MAX,
  type OverridableControl,
  type Override,
  type Overrides,
} from '../core/risk/gate/overrides.ts';
import { text } from '../values/amounts.ts';
import type { Instant } from '../values/instant.ts';
import { requireAccount } from './admitted.ts';
import { success } from './envelope.ts';
import { Refused } from './faults.ts';
import {
  accountIdField,
  choiceField,
  quantityField,
  textField,
  wholeField,
} from './field-kinds.ts';
import { optional, record } from './fields.ts';
import { keyOf } from './request-gate.ts';
import { envelopeOf } from './rest-answers.ts';

export interface OverrideRoutes {
  readonly overrides: Pick<Overrides, 'ask' | 'grant' | 'all'>;
  readonly now: () => Instant;
}

const REASON_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 64;
const SECONDS_MAX = OVERRIDE_MS_MAX / 1_000;
const SECONDS = 60;

const CONTROLS = Object.fromEntries(OVERRIDABLE.map((name) => [name, name])) as Readonly<
  Record<OverridableControl, OverridableControl>
>;

const askBodySchema = record(
  {
    control: choiceField(CONTROLS, 'The control that the order shall be let past'),
    accountId: accountIdField('Account of the order'),
    instrumentName: textField({ max: NAME_LENGTH_MAX, description: 'Instrument of the order' }),
    side: choiceField({ buy: 'buy', sell: 'sell' } as const, 'Side of the order'),
    quantity: quantityField({ description: 'Largest amount of the order' }),
    reason: textField({ max: REASON_LENGTH_MAX, description: 'Why; kept with who and when' }),
    expiresSec: optional(
      wholeField({
        min: 1,
        max: SECONDS_MAX,
        description: `How long it may be used, in seconds; ${SECONDS} when absent`,
      }),
    ),
  },
  'One order that shall be let past one control',
);

const grantBodySchema = record(
  { id: textField({ max: NAME_LENGTH_MAX, description: 'The override, as it was asked for' }) },
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
  askedBy: z.string().describe('Id of the key that asked'),
  grantedBy: z.string().describe('Id of the key that granted; empty until then'),
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

export function serveOverrides(scope: FastifyInstance, { overrides, now }: OverrideRoutes): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  let asked = 0;
  app.get(
    '/overrides',
    {
      config: { lane: 'read', needs: 'read' },
      schema: {
        summary: 'List the overrides of accounts of the key that have not expired',
        response: envelopeOf(z.array(overrideRecordSchema)),
      },
    },
    (request) => {
      const { accounts } = keyOf(request);
      const own = overrides
        .all(now())
        .filter(({ account }) => accounts.some((one) => one === account));
      return success(own.map(overrideRecord));
    },
  );
  app.post(
    '/override',
    {
      config: { lane: 'submit', needs: 'trade' },
      schema: {
        summary: 'Ask that one order be let past one control',
        body: askBodySchema,
        response: envelopeOf(overrideRecordSchema),
      },
    },
    (request) => {
      const { accountId: account, instrumentName: instrument, expiresSec, ...wish } = request.body;
      const key = keyOf(request);
      requireAccount(key, account, 'accountId');
      asked += 1;
      const at = now();
      const id = `${at.toString(36)}-${asked}`;
      const lifeMs = (expiresSec ?? SECONDS) * 1_000;
      const override = overrides.ask(
        { ...wish, account, instrument },
        { id, by: key.id, at, lifeMs },
      );
      return success(overrideRecord(override));
    },
  );
  app.post(
    '/override-grant',
    {
      config: { lane: 'submit', needs: 'admin' },
      schema: {
        summary: 'Grant an override that another key asked for',
        body: grantBodySchema,
        response: envelopeOf(overrideRecordSchema),
      },
    },
    (request) => {
      const granted = overrides.grant(request.body.id, keyOf(request).id, now());
      if (granted.kind === 'refused') {
        throw new Refused([reject('conflict', 'id', granted.why)]);
      }
      request.actedFor = granted.override.account;
      return success(overrideRecord(granted.override));
    },
  );
}

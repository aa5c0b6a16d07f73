// What people and programs changed: the audit trail of the accounts of a key, newest first, page by page.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { ActionPages, ActionPlace, PlacedAction } from '../../ports/action-log.ts';
import { accountId } from '../../values/ids.ts';
import { INSTANT_MAX, instant } from '../../values/instant.ts';
import { satisfies } from '../auth/key-needs.ts';
import type { ApiKey } from '../auth/key-store.ts';
import { requireAccount } from '../auth/require-account.ts';
import { withoutEmpty } from '../portfolios/page-schema.ts';
import { Refused } from '../wire/faults.ts';
import { accountIdField, instantField, textField, wholeField } from '../wire/field-kinds.ts';
import { optional, optionalOr, record } from '../wire/fields.ts';
import { type TradingMethod, tradingMethod } from './trading-method.ts';

/** What the operation needs. */
export interface ActionRoutes {
  /** Absent: the audit trail cannot be read here. */
  readonly actionPages?: ActionPages | undefined;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;
const NAME_LENGTH_MAX = 64;

const actionsQuerySchema = z.preprocess(
  withoutEmpty,
  record(
    {
      accountId: optional(
        accountIdField(
          'Only actions on this account; absent: on every account of the key, and for the scope admin also those of no account, such as a halt of the deployment',
        ),
      ),
      keyId: optional(
        textField({ max: NAME_LENGTH_MAX, description: 'Only actions made with this key' }),
      ),
      startTimestamp: optional(instantField('Only actions from then on, Unix milliseconds', true)),
      before: optional(
        textField({
          max: NAME_LENGTH_MAX,
          description: 'Only actions older than those of a former answer: its `next`',
        }),
      ),
      limit: optionalOr(
        wholeField({
          min: 1,
          max: LIMIT_MAX,
          description: `At most so many (default ${LIMIT_DEFAULT})`,
          fromText: true,
        }),
        LIMIT_DEFAULT,
      ),
    },
    'Which part of the audit trail',
  ),
);

const actionRecordSchema = z
  .object({
    timestamp: z.string().describe('When it was answered, Unix milliseconds'),
    keyId: z.string(),
    uid: z.string().describe('Who did it'),
    nickname: z.string(),
    address: z.string().describe('Where the request came from'),
    operation: z.string().describe('Such as portfolios/cancel, trading/switch, private/buy'),
    accountId: z.string().describe('Empty: no single account'),
    instrumentName: z.string().optional(),
    label: z.string().optional(),
    id: z.string().optional().describe('Of the order, quote, Block RFQ or portfolio'),
    outcome: z
      .string()
      .describe('done, refused with its code, unknown, or fault if the daemon failed'),
  })
  .describe('A request that may have changed something');

const actionsSchema = z
  .object({
    actions: z.array(actionRecordSchema),
    next: z.string().nullable().describe('`before` of the next page; null: there is none'),
  })
  .describe('Part of the audit trail, newest first');

export type ActionsRecord = z.infer<typeof actionsSchema>;

const actions = tradingMethod<ActionRoutes, typeof actionsQuerySchema>({
  name: 'actions',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary:
    'List what was changed on accounts of the key, by whom and with what outcome, newest first',
  asked: actionsQuerySchema,
  value: actionsSchema,
  run: async ({ key, actionPages }, asked): Promise<ActionsRecord> => {
    const { accountId: account, keyId, startTimestamp: from, before, limit } = asked;
    if (account !== undefined) requireAccount(key, account, 'accountId');
    if (actionPages === undefined) {
      const message = 'no audit trail can be read here; accepted: on a daemon with a ledger';
      throw new Refused([reject('not_found', '', message)]);
    }
    const found = await actionPages.page({
      accounts: account === undefined ? overseen(key) : [account],
      keyId,
      from,
      before: before === undefined ? undefined : placeOf(before),
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return {
      actions: shown.map(actionRecord),
      next: last === undefined ? null : `${last.at}-${last.number}`,
    };
  },
});

/** Accounts whose actions the key may see. */
const overseen = (key: ApiKey) =>
  satisfies(key, 'admin') ? [...key.accounts, accountId('')] : key.accounts;

function placeOf(text: string): ActionPlace {
  const [, at, number] = /^(\d{1,16})-(\d{1,18})$/.exec(text) ?? [];
  if (at !== undefined && number !== undefined && Number(at) <= INSTANT_MAX) {
    return { at: instant(Number(at)), number };
  }
  const message = 'is not a place in the audit trail; accepted: `next` of a former answer';
  throw new Refused([reject('invalid_parameter', 'before', message)]);
}

const actionRecord = (action: PlacedAction): ActionsRecord['actions'][number] => ({
  timestamp: String(action.at),
  keyId: action.keyId,
  uid: action.uid,
  nickname: action.nickname,
  address: action.address,
  operation: action.method,
  accountId: action.account,
  outcome: action.outcome,
  ...(action.instrument !== undefined && { instrumentName: action.instrument }),
  ...(action.label !== undefined && { label: action.label }),
  ...(action.orderId !== undefined && { id: action.orderId }),
});

export const ACTION_METHODS: readonly TradingMethod<ActionRoutes>[] = [actions];

// Trading switches: listing and setting them. Setting needs the scope admin and uses the cancel lane, so that
// no other traffic can delay it.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { Operations } from '../../engine/interface/operations.ts';
import type { TradingApi } from '../../engine/interface/trading-api.ts';
import type { SwitchRecords } from '../../ports/switch-records.ts';
import { portfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { satisfies } from '../auth/key-needs.ts';
import { type ApiKey, actor, owns } from '../auth/key-store.ts';
import type { AccountDirectory } from '../portfolios/portfolio-record.ts';
import { Refused } from '../wire/faults.ts';
import { choiceField, textField } from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';
import { type TradingMethod, tradingMethod } from './trading-method.ts';

/** What the switch operations need. */
export interface SwitchRoutes {
  readonly trading: Pick<TradingApi, 'switches' | 'setSwitch'>;
  /** Looks up the owner of a portfolio. */
  readonly operations: Pick<Operations, 'info'>;
  readonly accounts: AccountDirectory;
  /** Every setting ever made; absent: they cannot be read here. */
  readonly switchRecords?: Pick<SwitchRecords, 'after'> | undefined;
  readonly now: () => Instant;
}

const NAME_LENGTH_MAX = 64;
const REASON_LENGTH_MAX = 200;
const HISTORY_MAX = 500;

const switchBodySchema = record(
  {
    scope: choiceField(
      {
        deployment: 'deployment',
        account: 'account',
        strategy: 'strategy',
        portfolio: 'portfolio',
      } as const,
      'Scope of the switch',
    ),
    of: optional(
      textField({
        max: NAME_LENGTH_MAX,
        description: 'The account, strategy or portfolio; absent for scope deployment',
      }),
    ),
    state: choiceField(
      { active: 'active', reducing: 'reducing', halted: 'halted' } as const,
      'active: trades; reducing: sends only reduce-only orders; halted: cancels all orders',
    ),
    reason: textField({ max: REASON_LENGTH_MAX, description: 'Reason; stored with user and time' }),
  },
  'New state of a trading switch',
);

export const switchRecordSchema = z.object({
  scope: z.enum(['deployment', 'account', 'strategy', 'portfolio']),
  of: z.string().describe('The account, strategy or portfolio; empty for the deployment'),
  state: z.enum(['active', 'reducing', 'halted']),
  uid: z.string().describe('Who set it'),
  nickname: z.string(),
  reason: z.string(),
  timestamp: z.string().describe('When it was set, Unix milliseconds'),
});

export type SwitchRecord = z.infer<typeof switchRecordSchema>;

const switchRecord = ({ scope, of, state, by, reason, at }: SwitchSetting): SwitchRecord => ({
  scope,
  of,
  state,
  reason,
  uid: by.uid,
  nickname: by.nickname,
  timestamp: String(at),
});

/**
 * The switches a key may see: all for the scope admin; otherwise the deployment's and those of its own accounts
 * and portfolios. Strategies are excluded, as they may trade for other accounts.
 */
async function visibleTo(
  key: ApiKey,
  settings: readonly SwitchSetting[],
  { operations, most }: { readonly operations: SwitchRoutes['operations']; readonly most: number },
) {
  const isAdmin = satisfies(key, 'admin');
  const seen: SwitchSetting[] = [];
  const known = new Map<string, boolean>();
  for (const setting of settings) {
    if (seen.length === most) break;
    const name = `${setting.scope}/${setting.of}`;
    const isSeen = isAdmin || (known.get(name) ?? (await isOf(key, setting, operations)));
    known.set(name, isSeen);
    if (isSeen) seen.push(setting);
  }
  return seen;
}

async function isOf(
  key: ApiKey,
  { scope, of }: SwitchSetting,
  operations: SwitchRoutes['operations'],
): Promise<boolean> {
  switch (scope) {
    case 'deployment':
      return true;
    case 'account':
      return owns(key, of);
    case 'strategy':
      return false;
    case 'portfolio': {
      const portfolio = await operations.info(portfolioId(of));
      return portfolio !== undefined && owns(key, portfolio.account);
    }
  }
}

const list: TradingMethod<SwitchRoutes> = {
  name: 'switches',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary:
    'List the current state of trading switches: all for the scope admin, otherwise those of the deployment and of own accounts and portfolios',
  value: z.array(switchRecordSchema),
  run: async ({ key, trading, operations }) => {
    const settings = await trading.switches();
    const seen = await visibleTo(key, settings, { operations, most: settings.length });
    return seen.map(switchRecord);
  },
};

const history: TradingMethod<SwitchRoutes> = {
  name: 'switch-history',
  verb: 'GET',
  lane: 'read',
  needs: 'oversee',
  summary: `List the latest settings of trading switches that the key may see, newest first, at most ${HISTORY_MAX}`,
  value: z.array(switchRecordSchema),
  run: async ({ key, switchRecords, operations }) => {
    if (switchRecords === undefined) {
      const message = 'no history can be read here; accepted: on a daemon with a ledger';
      throw new Refused([reject('not_found', '', message)]);
    }
    const settings = await switchRecords.after(0);
    const seen = await visibleTo(key, settings.toReversed(), { operations, most: HISTORY_MAX });
    return seen.map(switchRecord);
  },
};

const set = tradingMethod<SwitchRoutes, typeof switchBodySchema>({
  name: 'switch',
  verb: 'POST',
  lane: 'cancel',
  needs: 'admin',
  summary: 'Set a trading switch: for the deployment, an account, a strategy or a portfolio',
  asked: switchBodySchema,
  value: switchRecordSchema,
  run: async ({ key, actsFor, trading, accounts, now }, { scope, of = '', state, reason }) => {
    checkName(scope, of);
    if (scope === 'account') await checkAccount(of, { trading, accounts });
    if (scope === 'account') actsFor(of);
    const setting: SwitchSetting = { scope, of, state, by: actor(key), reason, at: now() };
    await trading.setSwitch(setting);
    return switchRecord(setting);
  },
});

export const SWITCH_METHODS: readonly TradingMethod<SwitchRoutes>[] = [list, history, set];

/**
 * A switch of an account that is misspelt would stop nothing and look as if it did. One that was set before its account left
 * the configuration can still be changed.
 */
async function checkAccount(
  of: string,
  { trading, accounts }: Pick<SwitchRoutes, 'trading' | 'accounts'>,
): Promise<void> {
  if (accounts.describe(of).exchange !== '') return;
  const settings = await trading.switches();
  if (settings.some((one) => one.scope === 'account' && one.of === of)) return;
  const message = `${JSON.stringify(of)} is no account of this deployment; accepted: the number of one, such as 10001`;
  throw new Refused([reject('not_found', 'of', message)]);
}

function checkName(scope: SwitchSetting['scope'], of: string): void {
  const isRight = scope === 'deployment' ? of === '' : of !== '';
  if (isRight) return;
  const accepted =
    scope === 'deployment' ? 'no value for scope deployment' : `the ${scope} to switch`;
  const wrong = of === '' ? 'is missing' : 'is given';
  throw new Refused([reject('invalid_parameter', 'of', `${wrong}; accepted: ${accepted}`)]);
}

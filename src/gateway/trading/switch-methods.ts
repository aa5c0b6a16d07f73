// Trading switches: what stands against trading, and setting it. Setting needs the scope admin, and goes in
// the lane of cancels, so that nothing else can hold it up.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { Operations } from '../../engine/api/operations.ts';
import type { TradingSwitches } from '../../engine/kill-switch/trading-switches.ts';
import { portfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { satisfies } from '../auth/key-needs.ts';
import { type ApiKey, actor, owns } from '../auth/key-store.ts';
import { Refused } from '../wire/faults.ts';
import { choiceField, textField } from '../wire/field-kinds.ts';
import { optional, record } from '../wire/fields.ts';
import { type TradingMethod, tradingMethod } from './trading-method.ts';

/** What switches are asked of. */
export interface SwitchRoutes {
  readonly switches: Pick<TradingSwitches, 'settings' | 'set'>;
  /** Says whose a portfolio is. */
  readonly operations: Pick<Operations, 'info'>;
  readonly now: () => Instant;
}

const NAME_LENGTH_MAX = 64;
const REASON_LENGTH_MAX = 200;

const switchBodySchema = record(
  {
    scope: choiceField(
      {
        deployment: 'deployment',
        account: 'account',
        strategy: 'strategy',
        portfolio: 'portfolio',
      } as const,
      'What the switch is over',
    ),
    of: optional(
      textField({
        max: NAME_LENGTH_MAX,
        description: 'The account, strategy or portfolio; absent for the deployment',
      }),
    ),
    state: choiceField(
      { active: 'active', reducing: 'reducing', halted: 'halted' } as const,
      'active trades; reducing sends only reduce-only orders; halted takes everything back',
    ),
    reason: textField({ max: REASON_LENGTH_MAX, description: 'Why; kept with who and when' }),
  },
  'How a trading switch shall stand',
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
  ...{ scope, of, state, reason },
  uid: by.uid,
  nickname: by.nickname,
  timestamp: String(at),
});

/**
 * An admin looks after the whole deployment; whoever else reads hears of the deployment itself and of what is
 * theirs: accounts and portfolios. Strategies may trade for accounts of others.
 */
async function seenBy(key: ApiKey, { switches, operations }: SwitchRoutes) {
  if (satisfies(key, 'admin')) return switches.settings();
  const seen: SwitchSetting[] = [];
  for (const setting of switches.settings()) {
    if (await isOf(key, setting, operations)) seen.push(setting);
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
    'List the trading switches that were ever set, as they stand: all for the scope admin, else that of the deployment and those over own accounts and portfolios',
  value: z.array(switchRecordSchema),
  run: async (call) => (await seenBy(call.key, call)).map(switchRecord),
};

const set = tradingMethod<SwitchRoutes, typeof switchBodySchema>({
  name: 'switch',
  verb: 'POST',
  lane: 'cancel',
  needs: 'admin',
  summary: 'Set a trading switch: for the deployment, an account, a strategy or a portfolio',
  asked: switchBodySchema,
  value: switchRecordSchema,
  run: async ({ key, actsFor, switches, now }, { scope, of = '', state, reason }) => {
    checkName(scope, of);
    if (scope === 'account') actsFor(of);
    const setting: SwitchSetting = { scope, of, state, by: actor(key), reason, at: now() };
    await switches.set(setting);
    return switchRecord(setting);
  },
});

export const SWITCH_METHODS: readonly TradingMethod<SwitchRoutes>[] = [list, set];

function checkName(scope: SwitchSetting['scope'], of: string): void {
  const isRight = scope === 'deployment' ? of === '' : of !== '';
  if (isRight) return;
  const accepted =
    scope === 'deployment' ? 'nothing for the deployment' : `the ${scope} it is over`;
  const wrong = of === '' ? 'is missing' : 'names something';
  throw new Refused([reject('invalid_parameter', 'of', `${wrong}; accepted: ${accepted}`)]);
}

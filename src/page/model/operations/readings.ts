// What the screens of operations read, each by an operation that any client has.
import type {
  ActionsRecord,
  KeyInForceRecord,
  LimitRecord,
  MethodResults,
  PageSessionRecord,
  StrategiesRecord,
  SummaryRecord,
  SwitchRecord,
  UnaccountedRecord,
} from '../../../gateway/client/client.ts';
import { type Answer, callMethod, request } from '../../link/page-session.ts';
import { tradingAccounts } from '../trading-accounts.ts';
import { type PartAnswer, reading } from './reading.ts';

export interface MmpGroup {
  readonly account: string;
  readonly config: MethodResults['private/get_mmp_config']['results'][number];
  /** Unix milliseconds; 0: until it is reset; absent: not frozen. */
  readonly frozenUntil?: number | undefined;
}

export type Position = MethodResults['private/get_positions'][number] & {
  readonly account: string;
};
export type Balance = MethodResults['private/get_account_summary'];

export interface Holdings {
  readonly positions: readonly Position[];
  readonly balances: readonly Balance[];
}

const CURRENCIES = ['BTC', 'ETH', 'USDC', 'USDT', 'EURR'];

export const summary = reading(() => request<SummaryRecord>('api/summary'));
export const switchHistory = reading(() => request<readonly SwitchRecord[]>('api/switch-history'));
export const limits = reading(() => request<readonly LimitRecord[]>('api/limits'));
export const unaccounted = reading(() => request<UnaccountedRecord>('api/unaccounted'));
export const actions = reading(() => request<ActionsRecord>('api/actions?limit=20'));
export const keys = reading(() => request<readonly KeyInForceRecord[]>('api/keys'));
export const sessions = reading(() => request<readonly PageSessionRecord[]>('api/page-sessions'));
export const strategies = reading(() => request<StrategiesRecord>('api/strategies'));
export const mmpGroups = reading(readGroups);
export const holdings = reading(readHoldings);

/** Of an account that refuses, its groups are unknown: they are not shown as none. */
async function readGroups(): Promise<
  Answer<readonly MmpGroup[]> | PartAnswer<readonly MmpGroup[]>
> {
  const groups: MmpGroup[] = [];
  const refusals: string[] = [];
  for (const account of tradingAccounts()) {
    const configs = await callMethod('private/get_mmp_config', { accountId: account });
    const frozen = await callMethod('private/get_mmp_status', { accountId: account });
    if (configs.kind === 'unknown') return configs;
    if (frozen.kind === 'unknown') return frozen;
    const refused = [configs, frozen].find((answer) => answer.kind === 'refused');
    if (refused?.kind === 'refused') refusals.push(`${account}: ${refused.message}`);
    if (configs.kind === 'refused' || frozen.kind === 'refused') continue;
    for (const config of configs.value.results) {
      const held = frozen.value.results.find(
        (one) =>
          one.indexName === config.indexName &&
          (one.mmpGroup ?? null) === config.mmpGroup &&
          (one.blockRfq ?? false) === config.blockRfq,
      );
      groups.push({ account, config, frozenUntil: held?.frozenUntil });
    }
  }
  return refusals.length === 0
    ? { kind: 'done', value: groups }
    : { kind: 'part', value: groups, fault: refusals.join('; ') };
}

async function readHoldings(): Promise<Answer<Holdings>> {
  const positions: Position[] = [];
  const balances: Balance[] = [];
  for (const account of tradingAccounts()) {
    const found = await callMethod('private/get_positions', { accountId: account });
    if (found.kind !== 'done') return found;
    positions.push(
      ...found.value.filter(({ side }) => side !== 'zero').map((one) => ({ ...one, account })),
    );
    for (const currency of CURRENCIES) {
      const answer = await callMethod('private/get_account_summary', {
        accountId: account,
        currency,
      });
      if (answer.kind === 'unknown') return answer;
      if (answer.kind === 'done' && isUsed(answer.value)) balances.push(answer.value);
    }
  }
  return { kind: 'done', value: { positions, balances } };
}

/** Has anything other than zeros. */
const isUsed = ({ balance, equity, initialMargin, spotReserve }: Balance): boolean =>
  [balance, equity, initialMargin, spotReserve].some((amount) => /[^0.-]/.test(amount));

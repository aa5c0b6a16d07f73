// Serves trading switches, overrides and the use of limits to gateways.
import type { Overrides } from '../../core/risk/gate/overrides.ts';
import { type AccountId, accountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { LimitUse, TradingApi } from '../interface/trading-api.ts';
import type { TradingSwitches } from '../kill-switch/trading-switches.ts';

export interface TradingApiOptions {
  readonly switches: Pick<TradingSwitches, 'settings' | 'set'>;
  readonly overrides: Pick<Overrides, 'request' | 'grant' | 'all'>;
  /** Begins the ids of overrides, because several daemons give them. */
  readonly idPrefix: string;
  readonly limitUseOf: (account: AccountId, at: Instant) => readonly LimitUse[];
}

export function tradingApi(options: TradingApiOptions): TradingApi {
  const { switches, overrides, idPrefix, limitUseOf } = options;
  let asked = 0;
  /** Unique in the process. */
  const newId = (at: Instant): string => {
    asked += 1;
    return `${idPrefix}${at.toString(36)}-${asked}`;
  };
  return {
    switches: () => Promise.resolve(switches.settings()),
    setSwitch: async (setting) => {
      await switches.set(setting);
      return null;
    },
    overrides: (at) => Promise.resolve(overrides.all(at)),
    requestOverride: (wish, { by, at, lifeMs }) =>
      Promise.resolve(overrides.request(wish, { id: newId(at), by, at, lifeMs })),
    grantOverride: (id, { by, at }) => Promise.resolve(overrides.grant(id, by, at)),
    limitUse: (accounts, at) =>
      Promise.resolve(accounts.flatMap((account) => limitUseOf(accountId(account), at))),
  };
}

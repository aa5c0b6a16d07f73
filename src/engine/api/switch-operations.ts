// Serves trading switches and overrides to gateways.
import type { Overrides } from '../../core/risk/gate/overrides.ts';
import type { Instant } from '../../values/instant.ts';
import type { TradingApi } from '../interface/trading-api.ts';
import type { TradingSwitches } from '../kill-switch/trading-switches.ts';

export interface TradingApiParts {
  readonly switches: Pick<TradingSwitches, 'settings' | 'set'>;
  readonly overrides: Pick<Overrides, 'ask' | 'grant' | 'all'>;
}

export function tradingApi({ switches, overrides }: TradingApiParts): TradingApi {
  let asked = 0;
  /** Unique in the process. */
  const newId = (at: Instant): string => {
    asked += 1;
    return `${at.toString(36)}-${asked}`;
  };
  return {
    switches: () => Promise.resolve(switches.settings()),
    setSwitch: async (setting) => {
      await switches.set(setting);
      return null;
    },
    overrides: (at) => Promise.resolve(overrides.all(at)),
    askOverride: (wish, { by, at, lifeMs }) =>
      Promise.resolve(overrides.ask(wish, { id: newId(at), by, at, lifeMs })),
    grantOverride: (id, { by, at }) => Promise.resolve(overrides.grant(id, by, at)),
  };
}

// What the interface of an engine needs of other daemons, limits and strategies where there are none.
import { reject } from '../../src/core/rejection.ts';
import { Overrides } from '../../src/core/risk/gate/overrides.ts';
import { tradingApi } from '../../src/engine/api/switch-operations.ts';
import type { StrategiesApi } from '../../src/engine/interface/strategies-api.ts';
import type { TradingApi } from '../../src/engine/interface/trading-api.ts';
import { NEVER_SWITCHED } from '../../src/engine/kill-switch/trading-switches.ts';
import type { AnswerCallsOptions } from '../../src/engine/link/answer-calls.ts';
import type { OpenReadBudget } from '../../src/engine/link/remote-engine.ts';
import type { ServeLineOptions } from '../../src/engine/link/serve-line.ts';
import type { OrderOperations } from '../../src/engine/order-entry/order-operations.ts';
import { SCOPES } from '../../src/ports/key-records.ts';

export const NO_STRATEGIES: StrategiesApi = {
  view: () => Promise.resolve({ areRead: true, strategies: [], faults: [] }),
  setSwitch: () => {
    const rejections = [reject('not_found', 'strategy', 'no strategies are followed here')];
    return Promise.resolve({ kind: 'refused', rejections });
  },
};

/** Of venues that no account trades at. */
export const NO_DESKS: OrderOperations = {
  accounts: () => [],
  venues: () => [],
  forAccount: () => undefined,
  rfqsFor: () => undefined,
  combosFor: () => undefined,
  marginsFor: () => undefined,
};

/** Ids of overrides need no prefix, and nothing is limited. */
export const UNLIMITED = { idPrefix: '', limitUseOf: () => [] };

/** Switches that are never set, and overrides of its own. */
export const loneTrading = (): TradingApi =>
  tradingApi({ ...UNLIMITED, switches: NEVER_SWITCHED, overrides: new Overrides() });

/** Of a daemon to which nothing is handed over and no wake-up is passed. */
export const lonePeer = (): Pick<AnswerCallsOptions, 'trading' | 'handOvers' | 'wakes'> => ({
  trading: loneTrading(),
  handOvers: { receive: () => undefined, expect: () => Promise.resolve() },
  wakes: { hold: () => undefined },
});

/** Of an engine whose gateway is believed: each user holds every scope, and calls need no scope of their own in the log. */
export const BELIEVING: Pick<ServeLineOptions, 'held' | 'onBehalfOf'> = {
  held: { of: () => new Set(SCOPES), refresh: () => Promise.resolve() },
  onBehalfOf: (_asker, work) => work(),
};

/** For a gateway all of whose reads are for a key. */
export const UNPACED: OpenReadBudget = { isOfKey: () => true, run: (read) => read() };

// Trading switches for the whole deployment and for every account, strategy and portfolio. The strictest that applies
// counts. A switch keeps its state until a named person changes it.
import type { Instant } from '../../values/instant.ts';

/**
 * `active`    trades
 * `reducing`  sends only orders that cannot enlarge a position
 * `halted`    sends nothing new, changes nothing, cancels resting orders
 */
export type TradingState = 'active' | 'reducing' | 'halted';
export type SwitchScope = 'deployment' | 'account' | 'strategy' | 'portfolio';

export interface SwitchSetting {
  readonly scope: SwitchScope;
  /** The account, strategy or portfolio; empty for the deployment. */
  readonly of: string;
  readonly state: TradingState;
  readonly by: { readonly uid: string; readonly nickname: string };
  readonly reason: string;
  readonly at: Instant;
}

/** The latest setting of every switch ever set, by scope and name. */
export type Switches = ReadonlyMap<string, SwitchSetting>;

export const NO_SWITCHES: Switches = new Map();

/** The scopes that apply to an order or a portfolio. */
export interface SwitchedBy {
  readonly account: string;
  readonly strategy?: string | undefined;
  readonly portfolio?: string | undefined;
}

const STRICTNESS: Readonly<Record<TradingState, number>> = { active: 0, reducing: 1, halted: 2 };

export const isStricter = (state: TradingState, than: TradingState): boolean =>
  STRICTNESS[state] > STRICTNESS[than];

const keyOf = ({ scope, of }: Pick<SwitchSetting, 'scope' | 'of'>): string => `${scope}/${of}`;

export const withSetting = (switches: Switches, setting: SwitchSetting): Switches =>
  new Map(switches).set(keyOf(setting), setting);

/** The latest setting; a switch that was never set is active. */
export const stateOf = (
  switches: Switches,
  name: Pick<SwitchSetting, 'scope' | 'of'>,
): TradingState => switches.get(keyOf(name))?.state ?? 'active';

/** The strictest of the switches that apply; `undefined` if all of them are active. */
export function strictestFor(switches: Switches, under: SwitchedBy): SwitchSetting | undefined {
  if (switches.size === 0) return undefined;
  const { account, strategy, portfolio } = under;
  const names: readonly Pick<SwitchSetting, 'scope' | 'of'>[] = [
    { scope: 'deployment', of: '' },
    { scope: 'account', of: account },
    ...(strategy === undefined ? [] : [{ scope: 'strategy', of: strategy } as const]),
    ...(portfolio === undefined ? [] : [{ scope: 'portfolio', of: portfolio } as const]),
  ];
  let strictest: SwitchSetting | undefined;
  for (const name of names) {
    const setting = switches.get(keyOf(name));
    if (setting === undefined || setting.state === 'active') continue;
    if (strictest === undefined || isStricter(setting.state, strictest.state)) strictest = setting;
  }
  return strictest;
}

/** Whether an order may be sent under `state`. Cancels are always allowed. */
export const maySend = (state: TradingState, order: { readonly reduceOnly: boolean }): boolean =>
  state === 'active' || (state === 'reducing' && order.reduceOnly);

/** "halted for account 10001 by op: venue misbehaves". */
export const settingText = ({ scope, of, state, by, reason }: SwitchSetting): string =>
  `${state} for ${of === '' ? `the ${scope}` : `${scope} ${of}`} by ${by.nickname || by.uid}: ${reason}`;

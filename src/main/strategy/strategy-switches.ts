// Strategies switched on and off by people, kept in the ledger so that every daemon of the deployment and every later start
// follows them. A switch overrides `enabled` of the file.
import type { StrategySwitch } from '../../engine/interface/strategies-api.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Strategy } from './strategy.ts';

export type SwitchLedger = Pick<Ledger, 'getMetadata' | 'setMetadata'>;

const markOf = (name: string): string => `strategy-switch:${name}`;

export async function readStrategySwitch(
  ledger: Pick<SwitchLedger, 'getMetadata'>,
  name: string,
): Promise<StrategySwitch | undefined> {
  const text = await ledger.getMetadata(markOf(name));
  return text === undefined ? undefined : (JSON.parse(text) as StrategySwitch);
}

export const writeStrategySwitch = (
  ledger: Pick<SwitchLedger, 'setMetadata'>,
  name: string,
  setting: StrategySwitch,
): Promise<void> => ledger.setMetadata(markOf(name), JSON.stringify(setting));

/** Whether it is submitted when it is due. */
export const isOn = ({ enabled }: Pick<Strategy, 'enabled'>, set?: StrategySwitch): boolean =>
  set === undefined || set.state === 'file' ? enabled : set.state === 'on';

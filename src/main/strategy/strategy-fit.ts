// Checks whether a strategy fits its configuration, by rules that can be decided before it fires.

import {
  durationRange,
  frequencyRange,
  secondsFault,
} from '../../core/portfolio/admission/submit-limits.ts';
import type { Config } from '../config/config.ts';
import { submitLimits } from '../config/engine-settings.ts';
import type { Fault } from '../fault.ts';
import type { Strategy } from './strategy.ts';

export function misfits(strategy: Checked, config: Config): readonly Fault[] {
  return [...accountFaults(strategy, config), ...rangeFaults(strategy, config)];
}

function accountFaults({ form, faultOf }: Checked, config: Config): readonly Fault[] {
  const traded = config.accounts.filter((account) => !account.dummy).map(({ id }) => id);
  const dummies = config.accounts.filter((account) => account.dummy).map(({ id }) => id);
  const faults: Fault[] = [];
  if (!traded.includes(form.accountId)) {
    const message = `is ${form.accountId}; accepted: ${traded.join(', ')}`;
    faults.push(faultOf('accountId', message));
  }
  for (const [index, account] of form.dummyAccounts.entries()) {
    if (dummies.includes(account)) continue;
    const message = `is ${account}; accepted: ${dummies.join(', ') || 'no dummy account is configured'}`;
    faults.push(faultOf(`sendToDummyAccountIds[${index}]`, message));
  }
  return faults;
}

type Checked = Pick<Strategy, 'form' | 'faultOf'>;

/** A BALANCE portfolio has no schedule, and no configured limit applies to its parts. */
function rangeFaults({ form, faultOf }: Checked, config: Config): readonly Fault[] {
  if (form.twapTrade === undefined) return [];
  const limits = submitLimits(config);
  const { durationSec, frequencySec } = form.twapTrade;
  const checked = [
    ['durationSec', secondsFault(durationSec, durationRange(limits))],
    ['frequencySec', secondsFault(frequencySec, frequencyRange(limits))],
  ] as const;
  return checked.flatMap(([name, fault]) => {
    if (fault === undefined) return [];
    return [faultOf(`twapTrade.${name}`, `${fault} (limits.${name})`)];
  });
}

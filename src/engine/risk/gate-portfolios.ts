// PT-6 at submission: a strategy that has submitted too many portfolios is refused, and its switch is halted.

import { type Rejection, reject } from '../../core/rejection.ts';
import type { GateFault } from '../../core/risk/gate/gate-order.ts';
import { blockText } from '../../core/risk/gate/judge-order.ts';
import {
  CONTROL_ACTOR,
  countedFrom,
  repeatFault,
} from '../../core/risk/gate/repeated-execution.ts';
import type { PortfolioSpec } from '../../core/terms/spec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { SwitchesInForce } from '../kill-switch/trading-switches.ts';
import type { EngineGate } from './watch-gate.ts';

export interface PortfolioGateOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'page'>;
  readonly observer: Observer;
  readonly gate: Pick<EngineGate, 'gate'>;
  readonly switches: Pick<SwitchesInForce, 'settings' | 'set'>;
}

/** Returns why the strategy may not run once more, if so, and reports the control. */
export async function repetitionRejection(
  parts: PortfolioGateOptions,
  spec: PortfolioSpec,
): Promise<Rejection | undefined> {
  const { gate, observer } = parts;
  const fault = await repetition(parts, spec);
  if (fault === undefined) return undefined;
  const control = 'repeated_execution';
  const why = blockText({ ...fault, control, version: gate.gate.limits.version });
  observer.observe({
    event: 'control_refused',
    control,
    stage: 'submit',
    account: spec.accountId,
    why,
  });
  return reject('risk_limit', 'strategy', why);
}

/** At the limit the strategy's switch is halted until a person resets it. */
async function repetition(
  { gate, ledger, switches, clock }: PortfolioGateOptions,
  { strategy, accountId }: PortfolioSpec,
): Promise<GateFault | undefined> {
  const { repeats } = gate.gate.limits;
  if (strategy === undefined || repeats === undefined) return undefined;
  const { total } = await ledger.page({
    strategy,
    account: accountId,
    submittedFrom: countedFrom(switches.settings(), strategy),
    orderBy: 'submittedAt',
    descending: true,
    offset: 0,
    limit: 1,
  });
  const fault = repeatFault(total, repeats.executionsMax);
  if (fault === undefined) return undefined;
  const setting = { scope: 'strategy', of: strategy, state: 'halted' } as const;
  await switches.set({ ...setting, by: CONTROL_ACTOR, reason: fault.why, at: clock.now() });
  return fault;
}

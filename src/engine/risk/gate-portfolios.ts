// Checks portfolios at submission: the account's loss of the day, and the limits of a strategy.

import { type Rejection, reject } from '../../core/rejection.ts';
import type { GateFault } from '../../core/risk/gate/gate-order.ts';
import { blockText } from '../../core/risk/gate/judge-order.ts';
import {
  CONTROL_ACTOR,
  countedFrom,
  repeatFault,
} from '../../core/risk/gate/repeated-execution.ts';
import { strategyFault } from '../../core/risk/gate/strategy-limits.ts';
import type { PortfolioSpec } from '../../core/terms/spec.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Venue } from '../../ports/venue.ts';
import { instrumentName } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { TradingSwitches } from '../kill-switch/trading-switches.ts';
import type { WatchedGate } from './watch-gate.ts';

export interface PortfolioGateOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'page'>;
  readonly observer: Observer;
  /** Absent: nothing is limited. */
  readonly gate?: WatchedGate | undefined;
  /** Absent: a strategy at its limit is refused, but its switch is not halted. */
  readonly switches?: Pick<TradingSwitches, 'settings' | 'set'> | undefined;
}

export interface NewPortfolio {
  readonly spec: PortfolioSpec;
  readonly instruments: readonly Instrument[];
  readonly venue: Venue;
}

/** Returns why the portfolio may not start, if so, and reports the control. */
export async function portfolioRejection(
  parts: PortfolioGateOptions,
  portfolio: NewPortfolio,
): Promise<Rejection | undefined> {
  const { gate, observer } = parts;
  if (gate === undefined) return undefined;
  const found = await firstFault(parts, gate, portfolio);
  if (found === undefined) return undefined;
  const { control, fault } = found;
  const why = blockText({ ...fault, control, version: gate.gate.limits.version });
  const { accountId: account } = portfolio.spec;
  observer.controlRefused({ control, stage: 'submit', account, why });
  if (control !== 'slippage') return reject('risk_limit', 'strategy', why);
  const isKnown = gate.accounts.lossUsd(account) !== undefined;
  return reject(isKnown ? 'risk_limit' : 'unavailable', 'accountId', why);
}

type Found = { readonly control: string; readonly fault: GateFault };

async function firstFault(
  parts: PortfolioGateOptions,
  gate: WatchedGate,
  portfolio: NewPortfolio,
): Promise<Found | undefined> {
  const { spec, venue } = portfolio;
  const { strategy: limits } = gate.gate.limits;
  const lost = gate.objectionTo(spec.accountId);
  if (lost !== undefined) return { control: 'slippage', fault: lost };
  if (spec.strategy === undefined) return undefined;
  const quote = (name: string) => venue.quote(instrumentName(name));
  const fault = limits && strategyFault({ ...portfolio, quote }, limits);
  if (fault !== undefined) return { control: 'strategy_limits', fault };
  const repeated = await repetition(parts, gate, { spec, strategy: spec.strategy });
  return repeated && { control: 'repeated_execution', fault: repeated };
}

/** At the limit the strategy's switch is halted until a person resets it. */
async function repetition(
  { ledger, switches, clock }: PortfolioGateOptions,
  gate: WatchedGate,
  { spec, strategy }: { readonly spec: PortfolioSpec; readonly strategy: string },
): Promise<GateFault | undefined> {
  const { repeats } = gate.gate.limits;
  if (repeats === undefined) return undefined;
  const { total } = await ledger.page({
    ...{ strategy, account: spec.accountId },
    submittedFrom: countedFrom(switches?.settings() ?? [], strategy),
    ...{ orderBy: 'submittedAt', descending: true, offset: 0, limit: 1 },
  });
  const fault = repeatFault(total, repeats.executionsMax);
  if (fault === undefined) return undefined;
  const setting = { scope: 'strategy', of: strategy, state: 'halted' } as const;
  await switches?.set({ ...setting, by: CONTROL_ACTOR, reason: fault.why, at: clock.now() });
  return fault;
}

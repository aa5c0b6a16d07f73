// Applies a change of a trading switch: re-evaluates every portfolio in its scope, which cancels orders that are no
// longer allowed or resumes trading; a halt also triggers a mass cancel at the venues.
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { SwitchedBy, SwitchSetting, TradingState } from '../../core/risk/trading-switch.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { HaltMassCancel } from './halt-mass-cancel.ts';
import type { TradingSwitches } from './trading-switches.ts';

export interface ApplySwitchesOptions {
  readonly switches: TradingSwitches;
  readonly venues: VenueDirectory;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly states: () => Iterable<PortfolioState>;
  readonly advance: (portfolio: PortfolioId) => void;
}

export const switchedBy = ({ id, spec }: PortfolioState): SwitchedBy => ({
  account: spec.accountId,
  strategy: spec.strategy,
  portfolio: id,
});

/** The trading state that the switches impose on a portfolio; `undefined` if unrestricted. */
export const tradingUnder = (
  switches: Pick<TradingSwitches, 'strictestFor'> | undefined,
  state: PortfolioState,
): TradingState | undefined => switches?.strictestFor(switchedBy(state))?.state;

/** Applies changes until the returned function is called. Halts already in force trigger a mass cancel at once. */
export function applyTradingSwitches(parts: ApplySwitchesOptions): () => void {
  const { switches, states, advance, observer, clock } = parts;
  const isHalted = (account: string): boolean =>
    switches.strictestFor({ account })?.state === 'halted';
  const sweep = new HaltMassCancel({ ...parts, isHalted });
  const sweepFor = (setting: SwitchSetting, fromMs: number): void => {
    sweep
      .sweep(setting, fromMs)
      .catch((error: unknown) => observer.failed({ where: 'halt', error }));
  };
  for (const setting of switches.settings()) {
    if (setting.state === 'halted') sweepFor(setting, clock.monotonicMs());
  }
  return switches.onChange((setting, learnedMs) => {
    if (setting.state === 'halted') sweepFor(setting, learnedMs);
    for (const state of states()) {
      if (!isTerminal(state.status) && isUnder(state, setting)) advance(state.id);
    }
  });
}

function isUnder({ id, spec }: PortfolioState, { scope, of }: SwitchSetting): boolean {
  switch (scope) {
    case 'deployment':
      return true;
    case 'account':
      return spec.accountId === of;
    case 'strategy':
      return spec.strategy === of;
    case 'portfolio':
      return id === of;
  }
}

// Applies a change of a trading switch: re-evaluates every portfolio in its scope, which cancels orders that are no
// longer allowed or resumes trading; a halt also triggers a mass cancel at the venues.
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { SwitchedBy, SwitchSetting, TradingState } from '../../core/risk/trading-switch.ts';
import { Delays } from '../../lifetime/delays.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Engine } from '../engine.ts';
import type { Connections } from '../ownership/account-connections.ts';
import { HaltMassCancel } from './halt-mass-cancel.ts';
import type { SwitchesInForce } from './trading-switches.ts';

export interface SwitchWatchOptions {
  readonly switches: Pick<SwitchesInForce, 'strictestFor' | 'settings' | 'onChange'>;
  readonly venues: VenueDirectory;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly engine: Pick<Engine, 'advance'> & { readonly turns: Pick<Engine['turns'], 'states'> };
  readonly connections: Pick<Connections, 'isKept'>;
  /** Whether a halt leaves the orders at the venues that no portfolio has. */
  readonly spares: (setting: SwitchSetting) => boolean;
}

export const switchedBy = ({ id, spec }: PortfolioState): SwitchedBy => ({
  account: spec.accountId,
  strategy: spec.strategy,
  portfolio: id,
});

/** The trading state that the switches impose on a portfolio; `undefined` if unrestricted. */
export const tradingUnder = (
  switches: Pick<SwitchesInForce, 'strictestFor'>,
  state: PortfolioState,
): TradingState | undefined => switches.strictestFor(switchedBy(state))?.state;

export class SwitchWatch implements Lifetime {
  readonly #options: SwitchWatchOptions;
  readonly #massCancels = new InFlight();
  readonly #delays: Delays;
  #unsubscribe = (): void => undefined;
  #isStopped = false;

  constructor(options: SwitchWatchOptions) {
    this.#options = options;
    this.#delays = new Delays(options.clock);
  }

  /** Applies changes from now on. Halts already in force trigger a mass cancel at once. */
  start(): Promise<void> {
    const { switches, engine, clock } = this.#options;
    for (const setting of switches.settings()) this.#halted(setting, clock.monotonicMs());
    this.#unsubscribe = switches.onChange((setting, learnedMs) => {
      this.#halted(setting, learnedMs);
      for (const state of engine.turns.states()) {
        if (!isTerminal(state.status) && isUnder(state, setting)) void engine.advance(state.id);
      }
    });
    return Promise.resolve();
  }

  /** Mass cancels end with their next query. */
  drain(): Promise<void> {
    this.stop();
    return this.#massCancels.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#delays.end();
    this.#unsubscribe();
  }

  #halted(setting: SwitchSetting, fromMs: number): void {
    const { switches, observer, spares, connections } = this.#options;
    if (setting.state !== 'halted' || spares(setting)) return;
    const isHalted = (account: AccountId): boolean =>
      !this.#isStopped && switches.strictestFor({ account })?.state === 'halted';
    // Every daemon cancels for every account, because an owner may be gone. Connections that have to be opened for that
    // must not hold up the others.
    for (const isConnected of [true, false]) {
      const isMeant = (account: AccountId): boolean => connections.isKept(account) === isConnected;
      const parts = { ...this.#options, delays: this.#delays, isHalted, isMeant };
      this.#massCancels
        .track(new HaltMassCancel(parts).sweep(setting, fromMs))
        .catch((error: unknown) => observer.observe({ event: 'failed', where: 'halt', error }));
    }
  }
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

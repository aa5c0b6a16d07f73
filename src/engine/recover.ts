// Start-up is recovery: every portfolio that is not over is taken up where the ledger has it, every
// child whose fate is open is asked about, and shadows are told again what they may have missed.
import type { PortfolioCommand } from '../core/portfolio/command.ts';
import type { PortfolioState } from '../core/portfolio/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Observer } from '../ports/observer.ts';
import type { ChildLabel, PortfolioId } from '../values/ids.ts';

export interface RecoverOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observer: Observer;
  readonly run: (
    portfolio: PortfolioId,
    command: PortfolioCommand,
  ) => Promise<PortfolioState | undefined>;
  readonly settle: (state: PortfolioState, label: ChildLabel) => void;
  /** Tells a shadow again what it may have missed. */
  readonly retell: (shadow: PortfolioState) => Promise<void>;
}

/** Portfolios loaded at the same time. */
const AT_ONCE = 32;

export class Recovery {
  readonly #options: RecoverOptions;

  constructor(options: RecoverOptions) {
    this.#options = options;
  }

  async recover(): Promise<void> {
    const { clock, ledger, observer } = this.#options;
    const from = clock.monotonicMs();
    const portfolios = await ledger.active();
    let unsettled = 0;
    for (let i = 0; i < portfolios.length; i += AT_ONCE) {
      const batch = portfolios.slice(i, i + AT_ONCE);
      const counts = await Promise.all(batch.map((portfolio) => this.#takeUp(portfolio)));
      for (const count of counts) unsettled += count;
    }
    const elapsedMs = clock.monotonicMs() - from;
    observer.recovered({ portfolios: portfolios.length, unsettled, elapsedMs });
  }

  /** Open children count as committed until the venue has told; so going on at once sends nothing twice. */
  async #takeUp(portfolio: PortfolioId): Promise<number> {
    const { clock, run, settle, retell } = this.#options;
    const state = await run(portfolio, { kind: 'advance', now: clock.now() });
    if (state === undefined) return 0;
    for (const label of state.children.keys()) settle(state, label);
    if (state.spec.mirrorOf !== undefined) await retell(state);
    return state.children.size;
  }
}

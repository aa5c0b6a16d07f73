// Tells components which portfolios are at hand, as it changes: sums and indexes over all of them are kept up to date
// turn by turn, instead of by a walk over everything in memory.
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Observer, RestingPortfolio, StateChange } from '../../ports/observer.ts';
import { FanOut } from '../../values/fan-out.ts';

export class StateChanges {
  readonly #changes: FanOut<StateChange>;

  constructor(observer: Observer) {
    this.#changes = new FanOut((error) =>
      observer.observe({ event: 'failed', where: 'follow', error }),
    );
  }

  add(listener: (change: StateChange) => void): () => void {
    return this.#changes.add(listener);
  }

  /** `woken`: what rested until the state was loaded. */
  report(
    was: PortfolioState | undefined,
    is: PortfolioState | undefined,
    woken?: RestingPortfolio,
  ): void {
    const [before, after] = [activeOf(was), activeOf(is)];
    if (before !== after || woken !== undefined) this.#changes.send([{ before, after, woken }]);
  }

  /** A portfolio rests, or does no more, without being loaded. */
  rests(change: Pick<StateChange, 'before' | 'resting' | 'woken'>): void {
    this.#changes.send([change]);
  }
}

export const activeOf = (state: PortfolioState | undefined): PortfolioState | undefined =>
  state === undefined || isTerminal(state.status) ? undefined : state;

// Shadows are told what the portfolio they mirror has done: with each turn what is new, with its end and after a
// start the whole story, because a process may have died before it told a part.

import { fold } from '../../core/portfolio/aggregate/evolve.ts';
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { StoredPortfolio } from '../../ports/ledger.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { mirrorCommand } from './mirror-fills.ts';

export interface ShadowNotifierOptions {
  readonly clock: Clock;
  readonly run: (portfolio: PortfolioId, command: PortfolioCommand) => Promise<unknown>;
  readonly history: (portfolio: PortfolioId) => Promise<StoredPortfolio | undefined>;
}

export class ShadowNotifier {
  readonly #parts: ShadowNotifierOptions;

  constructor(parts: ShadowNotifierOptions) {
    this.#parts = parts;
  }

  /** What a durable turn says. */
  tell(state: PortfolioState, events: readonly PortfolioEvent[]): void {
    if (isTerminal(state.status)) {
      void this.#tellEnd(state);
      return;
    }
    const { clock, run } = this.#parts;
    const mirror = mirrorCommand(state, events, clock.now());
    if (mirror === undefined) return;
    for (const shadow of state.spec.mirrors) void run(shadow, mirror);
  }

  /** Everything again, to one shadow. */
  async retell(shadow: PortfolioState): Promise<void> {
    const original = shadow.spec.mirrorOf;
    const mirror = original && (await this.#wholeStory(original));
    if (mirror) await this.#parts.run(shadow.id, mirror);
  }

  /** With the end everything is told again: another process may be about to tell a fill of before. */
  async #tellEnd(state: PortfolioState): Promise<void> {
    if (state.spec.mirrors.length === 0) return;
    const mirror = await this.#wholeStory(state.id);
    if (mirror === undefined) return;
    for (const shadow of state.spec.mirrors) void this.#parts.run(shadow, mirror);
  }

  async #wholeStory(portfolio: PortfolioId): Promise<PortfolioCommand | undefined> {
    const { clock, history } = this.#parts;
    const stored = await history(portfolio);
    const state = stored && fold(portfolio, stored.events);
    return state && mirrorCommand(state, stored.events, clock.now());
  }
}

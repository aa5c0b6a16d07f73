// Notifies shadows of what their original has done: new events after each turn, and the full history at the end and
// after a start, because a process may have died before it notified them.

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

  /** Notifies the shadows of a durable turn. */
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

  /** Sends the full history to one shadow. */
  async retell(shadow: PortfolioState): Promise<void> {
    const original = shadow.spec.mirrorOf;
    const mirror = original && (await this.#wholeStory(original));
    if (mirror) await this.#parts.run(shadow.id, mirror);
  }

  /** Sends the full history at the end: another process may not have sent an earlier fill yet. */
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

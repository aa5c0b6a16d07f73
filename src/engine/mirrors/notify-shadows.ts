// Notifies shadows of what their original has done: new events after each turn, and the full history at the end and
// after a start, because a process may have died before it notified them.

import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import { isTerminal, type PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { fold } from '../../core/portfolio/aggregate/replay.ts';
import { lacksFills } from '../../core/portfolio/history-needed.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Engine } from '../engine.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import { mirrorCommand } from './mirror-fills.ts';

export interface ShadowNotifierOptions {
  readonly clock: Clock;
  readonly engine: { readonly turns: Pick<Engine['turns'], 'run' | 'history'> };
}

export class ShadowNotifier implements EngineComponent {
  readonly #options: ShadowNotifierOptions;

  constructor(options: ShadowNotifierOptions) {
    this.#options = options;
  }

  /** Notifies the shadows of a durable turn. */
  committed({ state, events }: Pick<CommittedTurn, 'state' | 'events'>): void {
    if (isTerminal(state.status)) {
      void this.#sendEnd(state);
      return;
    }
    const mirror = mirrorCommand(state, events, this.#options.clock.now());
    if (mirror === undefined) return;
    for (const shadow of state.spec.mirrors) void this.#send(shadow, mirror);
  }

  /** A shadow that lacks earlier fills, because a process died before it sent them, gets all of them. */
  async #send(shadow: PortfolioId, mirror: PortfolioCommand): Promise<void> {
    const state = await this.#options.engine.turns.run(shadow, mirror);
    if (state !== undefined && lacksFills(state, [mirror])) await this.sendHistory(state);
  }

  /** A shadow that is advanced receives what it may have missed. */
  async advanced(state: PortfolioState): Promise<void> {
    if (state.spec.mirrorOf !== undefined) await this.sendHistory(state);
  }

  /** Sends the full history to one shadow. */
  async sendHistory(shadow: PortfolioState): Promise<void> {
    const original = shadow.spec.mirrorOf;
    const mirror = original && (await this.#fullHistory(original));
    if (mirror) await this.#options.engine.turns.run(shadow.id, mirror);
  }

  /** Sends the full history at the end: another process may not have sent an earlier fill yet. */
  async #sendEnd(state: PortfolioState): Promise<void> {
    if (state.spec.mirrors.length === 0) return;
    const mirror = await this.#fullHistory(state.id);
    if (mirror === undefined) return;
    for (const shadow of state.spec.mirrors) void this.#options.engine.turns.run(shadow, mirror);
  }

  async #fullHistory(portfolio: PortfolioId): Promise<PortfolioCommand | undefined> {
    const { clock, engine } = this.#options;
    const stored = await engine.turns.history(portfolio);
    const state = stored && fold(portfolio, stored.events);
    return state && mirrorCommand(state, stored.events, clock.now());
  }
}

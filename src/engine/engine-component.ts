// What takes part in the engine's loop: it receives every durable turn, and lives as long as the engine.
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { InFlight } from '../lifetime/in-flight.ts';
import type { Lifetime } from '../lifetime/lifetime.ts';
import type { PortfolioId } from '../values/ids.ts';
import type { CommittedTurn } from './turns/committed-turn.ts';

export interface EngineComponent extends Partial<Lifetime> {
  /** Requests whose replies are commands; a drain of the engine waits for them together with the turns. */
  readonly inFlight?: InFlight;
  /** Called after its start; resolves when it has caught up with what happened before it, or is stopped. */
  caughtUp?(): Promise<void>;
  /** Called with a portfolio that this process has just stored. */
  created?(state: PortfolioState, events: readonly PortfolioEvent[]): void;
  /** Called once per durable turn, in order per portfolio. */
  committed?(turn: CommittedTurn): void;
  /** Called after every evaluation, whether anything happened or not: the next wake-up may have changed. */
  decided?(state: PortfolioState): void;
  /** Called with a portfolio that this process has let go of: nothing of it may be kept here. */
  released?(portfolio: PortfolioId): void;
  /** Called after an active portfolio was advanced, and awaited as part of that. */
  advanced?(state: PortfolioState): Promise<void>;
}

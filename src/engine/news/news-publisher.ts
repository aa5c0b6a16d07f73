// Publishes each durable turn on the bus.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { summarize } from '../../core/portfolio/summary/summarize.ts';
import type { EventBus } from '../../ports/event-bus.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';
import { newsOf } from '../turns/publish-events.ts';

export class NewsPublisher implements EngineComponent {
  readonly #bus: Pick<EventBus, 'publish' | 'isHeard'>;

  constructor(bus: Pick<EventBus, 'publish' | 'isHeard'>) {
    this.#bus = bus;
  }

  created(state: PortfolioState, events: readonly PortfolioEvent[]): void {
    this.#bus.publish(newsOf(state, events, summarize(state)));
  }

  committed({ state, events, stored }: CommittedTurn): void {
    if (stored === undefined || this.#bus.isHeard === false) return;
    this.#bus.publish(newsOf(state, events, stored.row.record));
  }
}

// News within one process: every listener has it before `publish` returns.
import type { EventBus, PortfolioNews } from '../../ports/event-bus.ts';
import { FanOut } from '../../values/fan-out.ts';

export class MemoryEventBus implements EventBus {
  readonly #fanOut: FanOut<PortfolioNews>;

  /** What a listener throws goes to `onFault`. */
  constructor(onFault: (error: unknown) => void) {
    this.#fanOut = new FanOut(onFault);
  }

  publish(news: readonly PortfolioNews[]): void {
    this.#fanOut.send(news);
  }

  subscribe(listener: (news: PortfolioNews) => void): () => void {
    return this.#fanOut.add(listener);
  }

  close(): Promise<void> {
    this.#fanOut.clear();
    return Promise.resolve();
  }
}

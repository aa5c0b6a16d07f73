// News within one process: every listener is called before `publish` returns.
import type { EventBus, PortfolioNews } from '../../ports/event-bus.ts';
import { FanOut } from '../../values/fan-out.ts';

export class MemoryEventBus implements EventBus {
  readonly #fanOut: FanOut<PortfolioNews>;
  #isClosed = false;

  /** Exceptions of a listener go to `onFault`. */
  constructor(onFault: (error: unknown) => void) {
    this.#fanOut = new FanOut(onFault);
  }

  get isHeard(): boolean {
    return this.#fanOut.isHeard;
  }

  publish(news: readonly PortfolioNews[]): void {
    if (!this.#isClosed) this.#fanOut.send(news);
  }

  subscribe(listener: (news: PortfolioNews) => void): () => void {
    return this.#fanOut.add(listener);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#fanOut.clear();
    return Promise.resolve();
  }
}

// One source of a channel for all of its subscribers: what it publishes is written to text once. A subscriber that comes
// later first gets what the channel begins with.
import { FanOut } from '../../../values/fan-out.ts';
import type { Leave } from '../../order-api/channels/market-feeds.ts';

/** A source that has been opened. */
export interface Source {
  readonly leave: Leave;
  /** What a further subscriber gets first: the text of the present state. Absent: nothing. */
  readonly present?: () => string | undefined;
  /** The number of markets it keeps subscribed. */
  readonly markets: number;
}

export type OpenSource = (publish: (text: string) => void) => Source | undefined;

interface Shared {
  readonly source: Source;
  readonly subscribers: FanOut<string>;
}

export class SharedChannels {
  readonly #shared = new Map<string, Shared>();
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** Joins the channel; `open` is called for its first subscriber, and returns `undefined` for an unknown one. */
  join(
    name: string,
    publish: (text: string) => void,
    open: OpenSource,
  ): { readonly leave: Leave; readonly markets: number } | undefined {
    const known = this.#shared.get(name);
    const shared = known ?? this.#open(name, open);
    if (shared === undefined) return undefined;
    const { source, subscribers } = shared;
    const first = known && source.present?.();
    const remove = subscribers.add(publish);
    if (first !== undefined) publish(first);
    const leave = (): void => {
      remove();
      if (subscribers.isHeard || this.#shared.get(name) !== shared) return;
      this.#shared.delete(name);
      source.leave();
    };
    return { leave, markets: source.markets };
  }

  close(): void {
    for (const { source, subscribers } of this.#shared.values()) {
      subscribers.clear();
      source.leave();
    }
    this.#shared.clear();
  }

  #open(name: string, open: OpenSource): Shared | undefined {
    const subscribers = new FanOut<string>(this.#onFault);
    const source = open((text) => subscribers.send([text]));
    if (source === undefined) return undefined;
    const shared = { source, subscribers };
    this.#shared.set(name, shared);
    return shared;
  }
}

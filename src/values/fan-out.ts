// Hands values to listeners in one order for all of them, also when a listener hands out more itself.

export type Listener<T> = (value: T) => void;

export class FanOut<T> {
  readonly #listeners = new Set<{ readonly call: Listener<T> }>();
  readonly #onFault: (error: unknown) => void;
  readonly #waiting: T[] = [];
  #delivering = false;

  /** What a listener throws goes to `onFault`; the other listeners get the value all the same. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  add(listener: Listener<T>): () => void {
    const entry = { call: listener };
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  /** Whether anybody would hear: what is costly to make is not made for nobody. */
  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  clear(): void {
    this.#listeners.clear();
  }

  send(values: readonly T[]): void {
    this.#waiting.push(...values);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = 0; next < this.#waiting.length; next += 1) {
        this.#deliver(this.#waiting[next] as T);
      }
    } finally {
      this.#waiting.length = 0;
      this.#delivering = false;
    }
  }

  #deliver(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener.call(value);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}

// Delivers values to listeners in the same order for all of them, even if a listener emits another value.

export type Listener<T> = (value: T) => void;

export class FanOut<T> {
  readonly #listeners = new Set<{ readonly call: Listener<T> }>();
  readonly #onFault: (error: unknown) => void;
  readonly #waiting: T[] = [];
  #delivering = false;

  /** An exception of a listener is passed to `onFault`; the other listeners still receive the value. */
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

  /** Whether there is any listener, so that costly values are built only when needed. */
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

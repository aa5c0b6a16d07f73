// Messages on their way out: bounded, oldest given up first. What is sent stays until it is known to
// have arrived, so that a lost connection repeats rather than loses; receivers know repeats.

export class OutgoingBuffer<T> {
  readonly #max: number;
  readonly #onDropped: (count: number) => void;
  #messages: T[] = [];
  #sentCount = 0;

  constructor(max: number, onDropped: (count: number) => void) {
    this.#max = max;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#messages.length;
  }

  add(messages: readonly T[]): void {
    this.#messages.push(...messages);
    const excess = this.#messages.length - this.#max;
    if (excess <= 0) return;
    this.#messages = this.#messages.slice(excess);
    this.#sentCount = Math.max(0, this.#sentCount - excess);
    this.#onDropped(excess);
  }

  /** The oldest, at most `countMax`; to be followed by `confirm` or `repeat`. */
  take(countMax: number): readonly T[] {
    const taken = this.#messages.slice(0, countMax);
    this.#sentCount = taken.length;
    return taken;
  }

  /** What was taken has arrived. */
  confirm(): void {
    this.#messages = this.#messages.slice(this.#sentCount);
    this.#sentCount = 0;
  }

  /** What was taken may not have arrived; it will be taken again. */
  repeat(): void {
    this.#sentCount = 0;
  }
}

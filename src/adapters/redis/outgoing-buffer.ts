// A bounded buffer of outgoing messages that drops the oldest first. A sent message stays until its arrival
// is confirmed, so that a lost connection repeats messages rather than losing them; receivers recognise
// repeats.

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

  /** The messages last taken have arrived. */
  confirm(): void {
    this.#messages = this.#messages.slice(this.#sentCount);
    this.#sentCount = 0;
  }

  /** The messages last taken may not have arrived; they will be taken again. */
  repeat(): void {
    this.#sentCount = 0;
  }
}

// Counts work in flight, so that a drain can await its end instead of polling for it.

export class InFlight {
  #count = 0;
  readonly #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  /** Each call must be followed by one of {@link leave}. */
  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Counts the work until it resolves or rejects. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.enter();
    try {
      return await work;
    } finally {
      this.leave();
    }
  }

  /** Resolves at a moment when nothing is in flight. */
  async idle(): Promise<void> {
    while (this.#count > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Resolves at a moment when nothing is in flight in any of them, however they set off work in each other. */
export async function allIdle(all: readonly InFlight[]): Promise<void> {
  for (;;) {
    const busy = all.filter(({ count }) => count > 0);
    if (busy.length === 0) return;
    await Promise.all(busy.map((one) => one.idle()));
  }
}

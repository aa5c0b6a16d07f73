// One life of a process. It can end at any await: from then on its calls are neither answered nor
// executed. It can also be suspended, and resume as if no time had passed.

import { later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { frontOf, type Port, type Through } from './port-front.ts';
import type { Trouble } from './trouble.ts';

export interface LifeParts {
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  /** Number of the await at which it ends; absent: it does not. */
  readonly endsAt?: number | undefined;
  /** Told when it ends by itself, with the place. */
  readonly onEnd: (where: string) => void;
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

export class Life implements Through {
  readonly #parts: LifeParts;
  #awaits = 0;
  #isOver = false;
  #standsUntil = 0;

  constructor(parts: LifeParts) {
    this.#parts = parts;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** True while it stands still. */
  get isStanding(): boolean {
    return this.#standsUntil > this.#parts.clock.now();
  }

  end(): void {
    this.#isOver = true;
  }

  /** Calls `then` once the process moves again; at once while it does, never after its end. */
  whenMoving(then: () => void): void {
    if (this.#isOver) return;
    const { clock } = this.#parts;
    if (this.isStanding) {
      clock.at(later(clock.now(), this.#standsUntil - clock.now()), () => this.whenMoving(then));
    } else then();
  }

  /** The port as the process sees it: each call of `methods` can be the last thing it does or sees. */
  behind<T extends object>(port: T, methods: ReadonlySet<string>): T {
    return frontOf(port, methods, this);
  }

  async pass(name: string, port: Port, given: readonly unknown[]): Promise<unknown> {
    if (!this.#goesOn('before', name)) return never();
    if (this.isStanding) await this.#moving();
    if (this.#isOver) return never();
    let answer: unknown;
    let failure: { readonly error: unknown } | undefined;
    try {
      answer = await port[name]?.(...given);
    } catch (error) {
      // An answer too: it can be the last thing seen.
      failure = { error };
    }
    if (!this.#goesOn('after', name)) return never();
    if (this.isStanding) await this.#moving();
    if (this.#isOver) return never();
    if (failure !== undefined) throw failure.error;
    return answer;
  }

  #goesOn(when: string, name: string): boolean {
    if (this.#isOver) return false;
    this.#awaits += 1;
    if (this.#awaits === this.#parts.endsAt) {
      this.#isOver = true;
      this.#parts.onEnd(`${when} ${name}`);
      return false;
    }
    const { trouble, clock } = this.#parts;
    const standsMs = trouble.spellMs('process_stops');
    if (standsMs !== undefined) this.#standsUntil = clock.now() + standsMs;
    return true;
  }

  #moving(): Promise<void> {
    return new Promise((done) => this.whenMoving(done));
  }
}

// Time that passes with the turns of this process's event loop, a millisecond each. An exchange, a client and
// the proxy between them run in one process: an answer takes as many turns on an overloaded machine as on an
// idle one.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { later } from '../../../../src/values/instant.ts';
import { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';
import { NOON } from '../../paper/paper-stage.ts';

/** More than any of these tests takes. */
const TURNS_MAX = 1_000_000;

export class TurningTime {
  readonly clock = new VirtualClock(NOON);
  #isStopped = false;

  constructor() {
    this.#turn();
  }

  readonly pass = async (forMs: number): Promise<void> => {
    const until = later(this.clock.now(), forMs);
    while (this.clock.now() < until) await nextTurn();
  };

  /** Checks at every turn; throws if the condition does not become true. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    for (let turn = 0; !(await condition()); turn += 1) {
      if (turn > TURNS_MAX) throw new Error(`still not so after ${TURNS_MAX} turns`);
      await nextTurn();
    }
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    return Promise.resolve();
  }

  #turn(): void {
    if (this.#isStopped) return;
    this.clock.advanceTo(later(this.clock.now(), 1));
    setImmediate(() => this.#turn());
  }
}

// A ledger that serves a limited number of turns a second, one after the other, as a full disk or processor would.
import type { Turn } from '../../../src/ports/ledger.ts';
import { instant } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';

export class SlowLedger extends MemoryLedger {
  readonly #clock: VirtualClock;
  /** What a turn costs; 0: nothing. */
  serviceMs = 0;
  #freeAt = 0;

  constructor(clock: VirtualClock) {
    super({ now: () => clock.now() });
    this.#clock = clock;
  }

  override async commit(turns: readonly Turn[]): ReturnType<MemoryLedger['commit']> {
    const now = this.#clock.now();
    this.#freeAt = Math.max(now, this.#freeAt) + turns.length * this.serviceMs;
    if (this.#freeAt > now) {
      await new Promise<void>((served) => this.#clock.at(instant(this.#freeAt), served));
    }
    return await super.commit(turns);
  }
}

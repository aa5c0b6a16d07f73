// Recalculates PT-5: how many orders can have been sent within a budget if every cancel had been free.
import type { MessageNumbers } from '../plan/controls-plan.ts';

interface Sum {
  readonly limit: MessageNumbers;
  tokens: number;
  atMs: number;
}

export class MessagesOracle {
  readonly #skewMs: number;
  readonly #sums = new Map<string, Sum>();

  constructor(skewMs: number) {
    this.#skewMs = skewMs;
  }

  /** Counts one more order under this name; returns why it must not have been sent. */
  sent(name: string, limit: MessageNumbers | undefined, nowMs: number): string | undefined {
    if (limit === undefined) return undefined;
    const { perSecond, burst, cancelReserve } = limit;
    const reserve = Math.min(Math.ceil(burst * cancelReserve), burst - 1);
    // A clock that is set gives at most this much more.
    const most = burst - reserve + (perSecond * this.#skewMs) / 1_000;
    const known = this.#sums.get(name);
    const sum = known?.limit === limit ? known : { limit, tokens: most, atMs: nowMs };
    this.#sums.set(name, sum);
    sum.tokens = Math.min(most, sum.tokens + ((nowMs - sum.atMs) * perSecond) / 1_000) - 1;
    sum.atMs = nowMs;
    if (sum.tokens >= -1e-6) return undefined;
    return `more than ${burst - reserve} orders at once, and ${perSecond} a second`;
  }
}

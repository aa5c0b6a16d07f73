// The limits of a run as the gates of its daemons have them: one set from the start, and in some runs another
// from a given time on.
import type { ControlLimits } from '../../../src/core/risk/gate/control-limits.ts';
import { money, quantity } from '../../../src/values/amounts.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { ControlNumbers, ControlsPlan } from '../plan/controls-plan.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';

/** More than any run requests. */
const ANY = '1000000000';
const ANY_BPS = 1_000_000;

export class ControlsInForce {
  readonly #clock: VirtualClock;
  readonly #plan: ControlsPlan;
  readonly #changesAt: Instant | undefined;
  readonly #limits: readonly [before: ControlLimits, after: ControlLimits];

  constructor(clock: VirtualClock, plan: ControlsPlan) {
    this.#clock = clock;
    this.#plan = plan;
    const { numbers, later: next } = plan;
    this.#changesAt = next && later(clock.now(), next.atMs);
    this.#limits = [limitsOf(numbers, '1'), limitsOf(next?.numbers ?? numbers, '2')];
  }

  get numbers(): ControlNumbers {
    return this.#isChanged ? (this.#plan.later?.numbers ?? {}) : this.#plan.numbers;
  }

  readonly limits = (): ControlLimits => this.#limits[this.#isChanged ? 1 : 0];

  get #isChanged(): boolean {
    return this.#changesAt !== undefined && this.#clock.now() >= this.#changesAt;
  }

  /** True while what was in force so long ago is in force still. */
  isSince(agoMs: number): boolean {
    const at = this.#changesAt;
    return at === undefined || this.#clock.now() < at || this.#clock.now() >= at + agoMs;
  }
}

function limitsOf(numbers: ControlNumbers, version: string): ControlLimits {
  const { collar, drift, messages, repeats, market, strategy, permits } = numbers;
  const { orderUsdMax, grossUsdMax, slippageUsdMax, duplicateMs, selfMatch } = numbers;
  const everyAccount = (usd: number) => new Map([['*', money(String(usd))]]);
  return {
    version,
    repeats,
    market,
    duplicateMs,
    selfMatch,
    messages: messages && { shareOfVenue: 1, ...messages, process: messages.ofAll },
    collar: collar && {
      bps: collar.bps,
      optionShare: ANY_BPS,
      optionTicks: ANY_BPS,
      referenceAgeMaxMs: collar.ageMaxMs,
      divergenceBps: ANY_BPS,
    },
    drift: drift && { ...drift, optionBps: ANY_BPS },
    orderUsdMax:
      orderUsdMax === undefined
        ? undefined
        : new Map([[INSTRUMENTS.perpetual.name, money(String(orderUsdMax))]]),
    quantityMax: numbers.quantityMax && tableOf(numbers.quantityMax),
    positionMax: numbers.positionMax && tableOf(numbers.positionMax),
    grossUsdMax: grossUsdMax === undefined ? undefined : everyAccount(grossUsdMax),
    slippageUsdMax: slippageUsdMax === undefined ? undefined : everyAccount(slippageUsdMax),
    permits: permits && new Map([['*', new Set(permits)]]),
    strategy: strategy && {
      ...strategy,
      usdMax: money(String(strategy.usdMax)),
      accounts: new Set(['*']),
    },
  };
}

/** Options have a limit that nothing meets. */
const tableOf = ({ usd, coins }: { readonly usd: number; readonly coins: number }) =>
  new Map([
    ['USD', quantity(String(usd))],
    [INSTRUMENTS.option.name, quantity(ANY)],
    ['*', quantity(coins.toFixed(4))],
    ['BTC', quantity(coins.toFixed(4))],
  ]);

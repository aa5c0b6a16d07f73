// What the orders of users do to the prices that a recorded market shows afterwards: a model, because a recording cannot react.
// Each taking order moves them by a share of the half-spread, and what it moved decays.
//
// Source: linear transient impact with exponential resilience, A. Obizhaeva and J. Wang, "Optimal trading strategy and
// supply/demand dynamics", Journal of Financial Markets 16 (2013). In units of the touch, so that one number serves every book.
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';

export interface ImpactModel {
  /** Half-spreads by which taking the whole touch moves the prices. */
  readonly coefficient: number;
  /** Milliseconds after which half of a move is gone. */
  readonly halfLifeMs: number;
}

/** What was taken of the book that the latest row shows. */
export interface Taken {
  readonly at: Instant;
  readonly side: Side;
  readonly lots: number;
  /** Of the best price on the side that was taken. */
  readonly touchLots: number;
  /** From the best bid to the best ask; counted as at least one tick. */
  readonly spreadTicks: number;
}

export class OwnImpact {
  readonly #model: ImpactModel;
  /** Ticks at `#at`, positive after purchases. */
  #ticks = 0;
  #at = 0;

  constructor(model: ImpactModel) {
    this.#model = model;
  }

  note({ at, side, lots, touchLots, spreadTicks }: Taken): void {
    const halfSpread = Math.max(1, spreadTicks) / 2;
    const share = lots / Math.max(1, touchLots);
    const move = this.#model.coefficient * halfSpread * share;
    this.#ticks = this.#left(at) + (side === 'buy' ? move : -move);
    this.#at = at;
  }

  /** By how many whole ticks prices stand higher at `now`; part of a tick moves nothing. */
  ticksAt(now: Instant): number {
    return this.#ticks === 0 ? 0 : Math.trunc(this.#left(now));
  }

  #left(now: Instant): number {
    return this.#ticks * 2 ** ((this.#at - now) / this.#model.halfLifeMs);
  }
}

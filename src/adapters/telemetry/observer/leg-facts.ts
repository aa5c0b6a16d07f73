// Facts about a leg that every slice and fill needs, computed once.

import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import type { LegSpec } from '../../../core/terms/spec.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { CounterSeries } from '../metrics/counter.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface LegFacts {
  readonly quantity: number;
  /** Counts the value of fills; absent if the instrument is not known. */
  readonly notional: CounterSeries | undefined;
  /** Sized in USD: the value of a fill is its quantity. */
  readonly isUsd: boolean;
}

export class FactsOfLegs {
  readonly #metrics: Pick<Metrics, 'filledNotional'>;
  /** An amended leg is a new object with facts of its own. */
  readonly #facts = new WeakMap<LegSpec, LegFacts>();

  constructor(metrics: Pick<Metrics, 'filledNotional'>) {
    this.#metrics = metrics;
  }

  of(state: PortfolioState, leg: LegSpec): LegFacts {
    const known = this.#facts.get(leg);
    if (known !== undefined) return known;
    const instrument = state.instruments.get(leg.instrument);
    const isUsd = instrument?.amountUnit === 'usd';
    const currency = isUsd ? 'USD' : instrument?.quote;
    const facts = {
      quantity: toNumber(leg.quantity),
      notional: currency && this.#metrics.filledNotional.at({ currency, side: leg.side }),
      isUsd,
    };
    this.#facts.set(leg, facts);
    return facts;
  }
}

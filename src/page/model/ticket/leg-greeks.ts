// What the legs of a ticket would add to the greeks of an account once they are filled: for display, from the latest tickers.
import type { Instrument, Ticker } from '../instruments/option-chain.ts';

export interface Greeks {
  /** In the base coin. */
  readonly delta: number;
  /** Of delta, per USD. */
  readonly gamma: number;
  /** USD per point of volatility. */
  readonly vega: number;
  /** USD per day. */
  readonly theta: number;
}

export interface GreekLeg {
  readonly instrument: Instrument;
  readonly ticker: Ticker;
  /** Signed: positive buys. In the unit of quantities of the instrument. */
  readonly quantity: number;
}

/**
 * By base coin. The greeks of a contract are the venue's; a contract sized in USD is worth its quantity over its mark price
 * in coins, and everything else one coin for each.
 */
export function greeksOf(legs: readonly GreekLeg[]): ReadonlyMap<string, Greeks> {
  const sums = new Map<string, Greeks>();
  for (const leg of legs) {
    const coin = leg.instrument.baseCurrency;
    const before = sums.get(coin) ?? { delta: 0, gamma: 0, vega: 0, theta: 0 };
    const own = ofLeg(leg);
    sums.set(coin, {
      delta: before.delta + own.delta,
      gamma: before.gamma + own.gamma,
      vega: before.vega + own.vega,
      theta: before.theta + own.theta,
    });
  }
  return sums;
}

/** `NaN` is unknown. */
function ofLeg({ instrument, ticker, quantity }: GreekLeg): Greeks {
  const { greeks = {}, markPrice } = ticker;
  if (instrument.kind === 'option' || ticker.greeks !== undefined) {
    const of = (greek: string | undefined): number => quantity * Number(greek);
    return {
      delta: of(greeks.delta),
      gamma: of(greeks.gamma),
      vega: of(greeks.vega),
      theta: of(greeks.theta),
    };
  }
  const isInUsd = instrument.quantityUnit === 'USD';
  return { delta: isInUsd ? quantity / Number(markPrice) : quantity, gamma: 0, vega: 0, theta: 0 };
}

// Greeks of an option and the exposure that a trade adds to market-maker protection, computed a second time: by
// differences of the textbook formula, from what the exchange traded and what its market showed.
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import type { Span } from './course.ts';
import { type OptionCase, optionUsd, volatilityAt } from './option-value.ts';
import { optionCase } from './unit-price.ts';

/** What a trade adds, in coins and in USD per volatility point; sales count negative in delta and vega. */
export interface OwnExposure {
  readonly coins: number;
  readonly delta: Span;
  readonly vega: Span;
}

export interface OwnGreeks {
  readonly delta: number;
  /** USD per point of volatility. */
  readonly vega: number;
}

/** A quote counts for a trade up to this far from it. */
const QUOTE_APART_MS = 10_000;
/** Steps of the differences: a share of the forward, and of volatility. */
const FORWARD_STEP = 1e-4;
const VOLATILITY_STEP = 1e-4;
const POINT = 0.01;
/** Exchanges report the volatility of a trade to a hundredth of a percent. */
const REPORTED_STEP = 1e-4;
/** Of the two ways in which it is computed. */
const VOLATILITY_SLACK = 1e-9;

export function ownGreeks(of: OptionCase, volatility: number): OwnGreeks {
  const step = of.forward * FORWARD_STEP;
  const up = optionUsd({ ...of, forward: of.forward + step }, volatility);
  const down = optionUsd({ ...of, forward: of.forward - step }, volatility);
  const more = optionUsd(of, volatility + VOLATILITY_STEP);
  const less = optionUsd(of, volatility - VOLATILITY_STEP);
  return {
    delta: (up - down) / (2 * step),
    vega: ((more - less) / (2 * VOLATILITY_STEP)) * POINT,
  };
}

/** What counts of a trade. */
export type OwnTrade = Pick<
  ExchangeTrade,
  'side' | 'quantity' | 'price' | 'markPrice' | 'underlyingPrice' | 'iv' | 'at'
>;

export interface Shown {
  readonly touches: readonly ShownTouch[];
  /** Quotes come with greeks. */
  readonly hasGreeks: boolean;
}

/**
 * The exposure of one trade. Where the market publishes greeks, those of any quote near the trade may have
 * been used; those at the volatility that the exchange reported for the trade always may, if it is that of the
 * trade's own price. A price that no volatility gives has those of the mark, or, where the mark has none either, the
 * largest delta and no vega.
 */
export function ownExposure(
  instrument: Instrument,
  trade: OwnTrade,
  { touches, hasGreeks }: Shown,
): OwnExposure {
  const [amount, price] = [toNumber(trade.quantity), toNumber(trade.price)];
  const coins = instrument.amountUnit === 'usd' ? amount / price : amount;
  const signed = trade.side === 'buy' ? coins : -coins;
  if (instrument.option === undefined) {
    return { coins, delta: { low: signed, high: signed }, vega: { low: 0, high: 0 } };
  }
  const near = touches.filter(({ at }) => Math.abs(at - trade.at) <= QUOTE_APART_MS);
  const marks = near.map((touch) => atMark(instrument, touch));
  const own = atItsPrice(instrument, trade);
  const greeks = own === undefined ? [LARGEST, ...marks] : [own, ...(hasGreeks ? marks : [])];
  // The premium is paid in the coin itself.
  const premium = toNumber(trade.markPrice ?? trade.price);
  return {
    coins,
    delta: spanOf(greeks.map(({ delta }) => signed * (delta - premium))),
    vega: spanOf(greeks.map(({ vega }) => signed * vega)),
  };
}

/** Of a call, which is the only option of a run. */
const LARGEST: OwnGreeks = { delta: 1, vega: 0 };
/** A volatility that is none. */
const LEAST_VOLATILITY = 0.01;

function atItsPrice(instrument: Instrument, trade: OwnTrade): OwnGreeks | undefined {
  const forward = toNumber(trade.underlyingPrice ?? trade.price);
  const of = optionCase(instrument, forward, trade.at);
  const volatility = volatilityAt(of, toNumber(trade.price) * forward);
  if (isReported(volatility, trade.iv)) return ownGreeks(of, trade.iv);
  return volatility < LEAST_VOLATILITY ? undefined : ownGreeks(of, volatility);
}

/** Near the intrinsic value vega changes by a percent within what the rounding of a report hides. */
const isReported = (volatility: number, iv: number | undefined): iv is number =>
  iv !== undefined && iv > 0 && Math.abs(iv - volatility) <= REPORTED_STEP / 2 + VOLATILITY_SLACK;

const atMark = (instrument: Instrument, { forward, markIv, at }: ShownTouch): OwnGreeks =>
  ownGreeks(optionCase(instrument, forward, at), markIv);

const spanOf = (values: readonly number[]): Span => ({
  low: Math.min(...values),
  high: Math.max(...values),
});

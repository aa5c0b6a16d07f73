// What a trade adds to a window: size, delta and vega, with the greeks at the time of the trade; never recomputed.
import { EXPIRED } from '../../quant/black-76.ts';
import { blackGreeks } from '../../quant/greeks.ts';
import { yearFraction } from '../../quant/year-fraction.ts';
import {
  inverseNotionalOn,
  minus,
  negated,
  type Price,
  type Quantity,
  type Ratio,
  ratioOf,
  rounded,
  share,
  toNumber,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import type { Greeks, KnownGreeks, Quote } from '../../values/quote.ts';
import type { MmpExposure } from './mmp-command.ts';

export interface ExposedTrade {
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: Price;
  readonly at: Instant;
  readonly mark?: Price | undefined;
  /** Options: forward and volatility (a fraction) that the venue reported with the trade. */
  readonly underlying?: Price | undefined;
  readonly iv?: number | undefined;
}

type TradeGreeks = Pick<KnownGreeks, 'delta' | 'vega'>;
export type GreeksQuote = Pick<Quote, 'greeks' | 'seenAt'>;

const PLACES = 8;
/** A quote further away in time describes the moment of the trade less well than the trade itself. */
const QUOTE_APART_MS_MAX = 10_000;

/**
 * Gross size and net greeks of a trade. Contracts in USD count as USD ÷ price. For options settled in coin the delta
 * is that of the transaction, net of the premium: delta − mark. An option with unknown greeks counts with the largest
 * possible delta, so that protection trips early rather than late.
 */
export function exposureOf(
  instrument: Instrument,
  trade: ExposedTrade,
  quote?: GreeksQuote,
): MmpExposure {
  const index = instrument.indexName;
  const quantity = coinsOf(instrument, trade);
  const signed = trade.side === 'buy' ? quantity : negated(quantity);
  if (instrument.option === undefined) return { index, quantity, delta: signed, vega: ZERO_MONEY };
  const { delta, vega } = greeksOf(instrument, trade, quote);
  const perCoin = minus(ratioOf(delta), premiumOf(instrument, trade));
  return {
    index,
    quantity,
    delta: rounded(share(signed, perCoin), PLACES, 'half_even'),
    vega: rounded(
      share(signed, ratioOf(vega)),
      PLACES,
      'half_even',
    ) as unknown as typeof ZERO_MONEY,
  };
}

function greeksOf(instrument: Instrument, trade: ExposedTrade, quote?: GreeksQuote): TradeGreeks {
  const quoted = bothOf(quote?.greeks);
  const isNear = quote && Math.abs(quote.seenAt - trade.at) <= QUOTE_APART_MS_MAX;
  if (isNear && quoted) return quoted;
  return reportedGreeks(instrument, trade) ?? quoted ?? greatest(instrument);
}

function bothOf({ delta, vega }: Greeks = {}): TradeGreeks | undefined {
  return delta === undefined || vega === undefined ? undefined : { delta, vega };
}

/** A size in coins: contracts in USD are USD ÷ price. */
export function coinsOf(
  { amountUnit }: Instrument,
  { quantity, price }: Pick<ExposedTrade, 'quantity' | 'price'>,
): Quantity {
  if (amountUnit !== 'usd') return quantity;
  const grid = { places: PLACES, rounding: 'half_even' } as const;
  return inverseNotionalOn(price, quantity, grid) as unknown as Quantity;
}

/** Coins paid per coin of the option; zero for an option settled in dollars. */
function premiumOf({ marginKind }: Instrument, { mark, price }: ExposedTrade): Ratio {
  if (marginKind !== 'inverse') return ratioOf(0);
  return (mark ?? price) as unknown as Ratio;
}

function reportedGreeks(
  { option, expiresAt }: Instrument,
  { underlying, iv, at }: ExposedTrade,
): TradeGreeks | undefined {
  if (option === undefined || expiresAt === undefined) return undefined;
  if (underlying === undefined || iv === undefined || !(iv > 0)) return undefined;
  const { type, strike } = option;
  const years = yearFraction(expiresAt - at);
  const terms = { type, forward: toNumber(underlying), strike: toNumber(strike), years };
  const greeks = blackGreeks(terms, iv);
  return greeks === EXPIRED ? undefined : greeks;
}

const greatest = ({ option }: Instrument): TradeGreeks => ({
  delta: option?.type === 'put' ? -1 : 1,
  vega: 0,
});

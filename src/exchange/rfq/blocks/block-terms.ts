// Terms that differ between blocks and the book: minimum sizes, finer ticks, lower fees.
//
// Source: the venue's block trading page (2026): minimums and ticks by product; its published block
// commission of futures is half the taker fee of the book, options pay the same as in the book. Our choice:
// spot and coins that are not listed there.
import {
  type Money,
  type Price,
  price,
  type Quantity,
  ratio,
  share,
  smaller,
  toNumber,
} from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { feeOf } from '../../model/fees.ts';
import type { Listing } from '../../model/instruments/listing.ts';

const FUTURE_TICK = price('0.01');
const HALF = ratio('0.5');

/** In USD or USDC. */
const FUTURE_MINIMUMS: Readonly<Record<string, number>> = { BTC: 200_000, ETH: 100_000 };
const OTHER_FUTURE_MINIMUM = 50_000;
/** In the coin. */
const OPTION_MINIMUMS: Readonly<Record<string, number>> = {
  BTC: 25,
  ETH: 250,
  AVAX: 2_500,
  SOL: 1_500,
  TRX: 250_000,
  XRP: 75_000,
};
/** In USDC at the mark price, for spot and for options on other coins. */
const OTHER_MINIMUM = 50_000;

/** Smallest price step in a block: the same for all prices of the instrument. */
export const blockTick = ({ kind, tickSize }: Instrument): Price =>
  kind === 'perpetual' || kind === 'future' ? smaller(FUTURE_TICK, tickSize) : tickSize;

/** The minimum that a leg counts towards: reaching one of them is enough. */
export type BlockClass = 'option' | 'future' | 'spot';

export const blockClassOf = ({ kind }: Instrument): BlockClass =>
  kind === 'option' || kind === 'spot' ? kind : 'future';

/** The minimum block size in the amount unit; `undefined` while the mark price it depends on is not known. */
export function blockMinimum({ instrument, reference }: Listing): number | undefined {
  const base = String(instrument.base);
  if (instrument.kind === 'option') {
    const known = OPTION_MINIMUMS[base];
    if (known !== undefined) return known;
    return reference?.index && OTHER_MINIMUM / toNumber(reference.index);
  }
  const isFuture = instrument.kind !== 'spot';
  const usd = isFuture ? (FUTURE_MINIMUMS[base] ?? OTHER_FUTURE_MINIMUM) : OTHER_MINIMUM;
  if (instrument.amountUnit === 'usd') return usd;
  return reference && usd / toNumber(reference.mark);
}

interface BlockFill {
  readonly price: Price;
  readonly quantity: Quantity;
  readonly liquidity: 'maker' | 'taker';
  readonly index?: Price | undefined;
}

/** In the instrument's fee currency. */
export function blockFee(instrument: Instrument, fill: BlockFill): Money {
  if (instrument.kind === 'option') return feeOf(instrument, fill);
  return feeOf({ ...instrument, takerFee: share(instrument.takerFee as never, HALF) }, fill);
}

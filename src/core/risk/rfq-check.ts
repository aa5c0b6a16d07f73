// The last gate for Block RFQs: what a structure would be worth, leg by leg, before it is asked for,
// quoted or accepted. Sizes and grids of blocks are the venue's own and are left to it.
import type { Money, Price, Quantity } from '../../values/amounts.ts';
import { isMore, text } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { type OrderVerdict, orderUsd } from './order-check.ts';

export interface BlockLeg {
  readonly instrument: Instrument;
  readonly quantity: Quantity;
  /** Absent where only the structure has a price: the mark stands in. */
  readonly price?: Price | undefined;
}

/** Whether the value of the leg takes a quote of its instrument. */
export const needsBlockQuote = ({ instrument, price }: BlockLeg): boolean =>
  instrument.amountUnit !== 'usd' && (instrument.kind === 'option' || price === undefined);

/** A leg against the deployment's limit on legs of blocks; what has no price is blocked. */
export function checkBlockLeg(
  leg: BlockLeg,
  quote: Quote | undefined,
  limits: { readonly blockUsdMax?: Money | undefined },
): OrderVerdict {
  const { blockUsdMax } = limits;
  if (blockUsdMax === undefined) return { kind: 'passed' };
  const { instrument, quantity } = leg;
  const usd = legUsd(leg, quote);
  const why =
    usd === undefined
      ? `no price is known to judge ${text(quantity)} of ${instrument.name} by`
      : isMore(usd, blockUsdMax)
        ? `${text(quantity)} of ${instrument.name} is worth ${text(usd)} USD, more than ${text(blockUsdMax)}`
        : undefined;
  return why === undefined ? { kind: 'passed' } : { kind: 'blocked', control: 'block_value', why };
}

/** By its own price, else by the mark; an option by its coin, what counts in USD by neither. */
function legUsd(leg: BlockLeg, quote: Quote | undefined): Money | undefined {
  const { instrument, quantity } = leg;
  if (instrument.amountUnit === 'usd') return quantity as unknown as Money;
  const price = leg.price ?? quote?.mark;
  return price && orderUsd({ instrument, quantity, price }, quote);
}

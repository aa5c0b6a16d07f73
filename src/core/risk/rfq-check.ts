// The last check for Block RFQs: the value of the structure, leg by leg, before it is requested, quoted or accepted.
// Sizes and grids of blocks are checked by the venue.
import type { Money, Price, Quantity } from '../../values/amounts.ts';
import { isMore, text } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { type OrderVerdict, orderUsd } from './order-check.ts';

export interface BlockLeg {
  readonly instrument: Instrument;
  readonly quantity: Quantity;
  /** Default: the mark price, where only the structure has a price. */
  readonly price?: Price | undefined;
}

/** Whether valuing the leg needs a quote of its instrument. */
export const needsBlockQuote = ({ instrument, price }: BlockLeg): boolean =>
  instrument.amountUnit !== 'usd' && (instrument.kind === 'option' || price === undefined);

/** Checks a leg against the deployment's limit on block legs; a leg without a price is blocked. */
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

/** By its own price, otherwise by the mark price; an option by its coin; amounts in USD need neither. */
function legUsd(leg: BlockLeg, quote: Quote | undefined): Money | undefined {
  const { instrument, quantity } = leg;
  if (instrument.amountUnit === 'usd') return quantity as unknown as Money;
  const price = leg.price ?? quote?.mark;
  return price && orderUsd({ instrument, quantity, price }, quote);
}

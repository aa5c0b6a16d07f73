// Amounts and prices as JSON numbers of their exact digits, and which of them the venue could not read as they are meant.
import { type Price, type Quantity, type Ratio, text } from '../../../values/amounts.ts';
import { type RawNumber, rawNumber } from '../../../values/text/raw-number.ts';

type Sendable = Price | Quantity | Ratio;

/** A number with more decimals is refused by the venue. */
const PLACES_MAX = 8;

export const numberOf = (amount: Sendable): RawNumber => rawNumber(text(amount));
export const numberIf = (amount: Sendable | undefined): RawNumber | undefined =>
  amount === undefined ? undefined : numberOf(amount);

/** The first of the amounts, by the callers' names, that has more decimals than the venue reads. */
export function tooPrecise(
  amounts: Readonly<Record<string, Sendable | undefined>>,
): { readonly param: string; readonly reason: string } | undefined {
  for (const [param, amount] of Object.entries(amounts)) {
    const places = amount === undefined ? 0 : (text(amount).split('.')[1] ?? '').length;
    if (places > PLACES_MAX) {
      return { param, reason: `has ${places} decimals; accepted: at most ${PLACES_MAX}` };
    }
  }
  return undefined;
}

// Field types of the venue's frames: decimals as text, instants as Unix milliseconds. A value outside the
// grammar makes its frame malformed.
import { z } from 'zod';
import { money, price, quantity, ratio } from '../../values/amounts.ts';
import { isDecimalText } from '../../values/decimal.ts';
import { currency, instrumentName, orderId, tradeId } from '../../values/ids.ts';
import { INSTANT_MAX, instant } from '../../values/instant.ts';

const TEXT_LENGTH_MAX = 256;

export const text = z.string().max(TEXT_LENGTH_MAX);
const decimal = z.string().refine(isDecimalText, 'is no decimal');
const name = text.min(1);

export const priceIn = decimal.transform(price);
export const quantityIn = decimal.transform(quantity);
export const moneyIn = decimal.transform(money);
export const ratioIn = decimal.transform(ratio);
/** Computed values that are displayed but never traded with may have any number of digits. */
const long = z
  .string()
  .max(100)
  .regex(/^-?\d{1,18}(\.\d+)?$/, 'is no decimal')
  .transform((digits) => digits.replace(/(\.\d{18})\d+$/, '$1'));
export const shownPriceIn = long.transform(price);
export const shownMoneyIn = long.transform(money);
export const shownRatioIn = long.transform(ratio);
/** A result of a model, as a float. */
export const floatIn = decimal.transform(Number);
/** Percent on the wire, a fraction internally. */
export const percentIn = decimal.transform((percent) => Number(percent) / 100);
export const instantIn = z.int().min(0).max(INSTANT_MAX).transform(instant);

export const instrumentNameIn = name.transform(instrumentName);
export const currencyIn = name.transform(currency);
export const orderIdIn = name.transform(orderId);
export const tradeIdIn = name.transform(tradeId);
/** A broker's client to whom part of a trade is allocated. */
export const clientIn = z.object({
  clientId: z.int(),
  clientLinkId: z.int().optional(),
  name: text.optional(),
});
export const sideIn = z.enum(['buy', 'sell']);

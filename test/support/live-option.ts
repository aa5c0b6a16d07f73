// The option formulas for tests of options that have not expired: an answer "expired" fails the test.
import {
  blackPrice,
  EXPIRED,
  type Expired,
  type OptionTerms,
  timeValue,
} from '../../src/quant/black-76.ts';
import { blackGreeks, type Greeks } from '../../src/quant/greeks.ts';

function live<T>(answer: T | Expired, { years }: OptionTerms): T {
  if (answer === EXPIRED) throw new Error(`the option expired ${-years} years ago`);
  return answer as T;
}

/** USD. */
export const livePrice = (terms: OptionTerms, volatility: number): number =>
  live(blackPrice(terms, volatility), terms);

/** USD. */
export const liveTimeValue = (terms: OptionTerms, volatility: number): number =>
  live(timeValue(terms, volatility), terms);

export const liveGreeks = (terms: OptionTerms, volatility: number): Greeks =>
  live(blackGreeks(terms, volatility), terms);

// What an amendment asks for, and the specification it makes of the present one.
import { equals, type Quantity, quantity, text } from '../../values/amounts.ts';
import type { LegPricing, LegSpec, PortfolioSpec } from './spec.ts';
import { type PricingRecord, pricingFromRecord, pricingToRecord } from './spec-record.ts';

/** What is to be different for one leg; `index` is the leg's place in the portfolio. */
export interface LegTerms {
  readonly index: number;
  readonly quantity?: Quantity | undefined;
  readonly pricing?: LegPricing | undefined;
  /** What the asker believes is filled. */
  readonly filledSeen?: Quantity | undefined;
}

export interface AmendTerms {
  readonly durationMs?: number | undefined;
  /** Each leg at most once. */
  readonly legs: readonly LegTerms[];
}

/** The terms that can be amended, as plain JSON. */
export interface TermsRecord {
  readonly durationMs: number;
  readonly legs: readonly { readonly quantity: string; readonly pricing: PricingRecord }[];
}

/** The specification with the terms in it; `undefined` when it is so already. */
export function amendedSpec(spec: PortfolioSpec, terms: AmendTerms): PortfolioSpec | undefined {
  const durationMs = terms.durationMs ?? spec.durationMs;
  const legs = spec.legs.map((leg, index): LegSpec => {
    const asked = terms.legs.find((one) => one.index === index);
    const total = asked?.quantity ?? leg.quantity;
    const pricing = asked?.pricing ?? leg.pricing;
    const isSame = equals(total, leg.quantity) && isSamePricing(pricing, leg.pricing);
    return isSame ? leg : { ...leg, quantity: total, pricing };
  });
  const isChanged = durationMs !== spec.durationMs || legs.some((leg, i) => leg !== spec.legs[i]);
  return isChanged ? { ...spec, durationMs, legs } : undefined;
}

export const isSamePricing = (a: LegPricing, b: LegPricing): boolean =>
  JSON.stringify(pricingToRecord(a)) === JSON.stringify(pricingToRecord(b));

export const termsOf = (spec: PortfolioSpec): TermsRecord => ({
  durationMs: spec.durationMs,
  legs: spec.legs.map((leg) => ({
    quantity: text(leg.quantity),
    pricing: pricingToRecord(leg.pricing),
  })),
});

/** The specification with recorded terms. */
export const withTerms = (spec: PortfolioSpec, terms: TermsRecord): PortfolioSpec => ({
  ...spec,
  durationMs: terms.durationMs,
  legs: spec.legs.map((leg, index) => {
    const record = terms.legs[index];
    if (record === undefined) return leg;
    const pricing = pricingFromRecord(record.pricing);
    return { ...leg, quantity: quantity(record.quantity), pricing };
  }),
});

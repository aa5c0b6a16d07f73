// What an amendment asks for, and the specification it makes of the present one.
import { equals, type Quantity, quantity, text } from '../../values/amounts.ts';
import {
  amendedLimits,
  isSameLimits,
  type LimitsRecord,
  type LimitTerms,
  limitsOf,
  withLimits,
} from './amend-limits.ts';
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
  readonly limits?: LimitTerms | undefined;
  /** How often the asker believes the portfolio was amended before. */
  readonly amendmentsSeen?: number | undefined;
}

/** The terms that can be amended, as plain JSON. */
export interface TermsRecord {
  readonly durationMs: number;
  readonly legs: readonly { readonly quantity: string; readonly pricing: PricingRecord }[];
  /** Absent in what was written before limits could be amended: as they were. */
  readonly limits?: LimitsRecord | undefined;
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
  const execution =
    terms.limits === undefined ? spec.execution : amendedLimits(spec.execution, terms.limits);
  const isChanged =
    durationMs !== spec.durationMs ||
    legs.some((leg, i) => leg !== spec.legs[i]) ||
    !isSameLimits(limitsOf(execution), limitsOf(spec.execution));
  return isChanged ? { ...timed(spec, durationMs), legs, execution } : undefined;
}

/** With another duration, which is also the total limit of a BALANCE portfolio. */
const timed = (spec: PortfolioSpec, durationMs: number): PortfolioSpec =>
  spec.balance === undefined || durationMs === spec.durationMs
    ? { ...spec, durationMs }
    : { ...spec, durationMs, balance: { ...spec.balance, totalLimitMs: durationMs } };

export const isSamePricing = (a: LegPricing, b: LegPricing): boolean =>
  JSON.stringify(pricingToRecord(a)) === JSON.stringify(pricingToRecord(b));

export const termsOf = (spec: PortfolioSpec): TermsRecord => ({
  durationMs: spec.durationMs,
  legs: spec.legs.map((leg) => ({
    quantity: text(leg.quantity),
    pricing: pricingToRecord(leg.pricing),
  })),
  limits: limitsOf(spec.execution),
});

/** The specification with recorded terms. */
export const withTerms = (spec: PortfolioSpec, terms: TermsRecord): PortfolioSpec => ({
  ...timed(spec, terms.durationMs),
  execution: terms.limits ? withLimits(spec.execution, terms.limits) : spec.execution,
  legs: spec.legs.map((leg, index) => {
    const record = terms.legs[index];
    if (record === undefined) return leg;
    const pricing = pricingFromRecord(record.pricing);
    return { ...leg, quantity: quantity(record.quantity), pricing };
  }),
});

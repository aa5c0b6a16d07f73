// The terms of an amendment, and the specification that results from applying them.
import { equals, type Quantity, quantity, text } from '../../values/amounts.ts';
import {
  amendedLimits,
  isSameLimits,
  type LimitsRecord,
  type LimitTerms,
  limitsOf,
  withLimits,
} from './amend-limits.ts';
import type { Execution } from './execution.ts';
import type { LegPricing, LegSpec, PortfolioSpec } from './spec.ts';
import {
  hedgeBasisFrom,
  type PricingRecord,
  pricingFromRecord,
  pricingToRecord,
} from './spec-record.ts';

/** The changes to one leg; `index` is the leg's index in the portfolio. */
export interface LegTerms {
  readonly index: number;
  readonly quantity?: Quantity | undefined;
  readonly pricing?: LegPricing | undefined;
  /** On a hedge whose total follows from those of other legs: the proportion that it keeps. */
  readonly hedgeBasis?: readonly Quantity[] | undefined;
  /** The filled quantity that the caller had seen. */
  readonly filledSeen?: Quantity | undefined;
}

export interface AmendTerms {
  readonly durationMs?: number | undefined;
  /** Each leg at most once. */
  readonly legs: readonly LegTerms[];
  readonly limits?: LimitTerms | undefined;
  /** The number of earlier amendments that the caller had seen. */
  readonly amendmentsSeen?: number | undefined;
}

export interface LegTermsRecord {
  readonly quantity: string;
  readonly pricing: PricingRecord;
  /** Absent in records from before a hedge kept its proportion, and where it is that of the totals. */
  readonly hedgeBasis?: readonly string[] | undefined;
}

/** The terms that can be amended, as plain JSON. */
export interface TermsRecord {
  readonly durationMs: number;
  readonly legs: readonly LegTermsRecord[];
  /** Default: unchanged, as in records from before limits could be amended. */
  readonly limits?: LimitsRecord | undefined;
  /** The random share of sizes; absent without it, and in records from before it could change: unchanged. */
  readonly randomSize?: number | undefined;
}

/** The specification with the terms applied; `undefined` if they are already in force. */
export function amendedSpec(spec: PortfolioSpec, terms: AmendTerms): PortfolioSpec | undefined {
  const durationMs = terms.durationMs ?? spec.durationMs;
  const legs = spec.legs.map((leg, index): LegSpec => {
    const asked = terms.legs.find((one) => one.index === index);
    const total = asked?.quantity ?? leg.quantity;
    const pricing = asked?.pricing ?? leg.pricing;
    const hedgeBasis = asked?.quantity === undefined ? leg.hedgeBasis : asked.hedgeBasis;
    const isSame =
      equals(total, leg.quantity) &&
      isSamePricing(pricing, leg.pricing) &&
      isSameBasis(hedgeBasis, leg.hedgeBasis);
    return isSame ? leg : { ...leg, quantity: total, pricing, hedgeBasis };
  });
  const execution =
    terms.limits === undefined ? spec.execution : amendedLimits(spec.execution, terms.limits);
  const isChanged =
    durationMs !== spec.durationMs ||
    legs.some((leg, i) => leg !== spec.legs[i]) ||
    !isSameLimits(limitsOf(execution), limitsOf(spec.execution));
  return isChanged ? { ...timed(spec, durationMs), legs, execution } : undefined;
}

/** With a different duration, which is also the total limit of a BALANCE portfolio. */
const timed = (spec: PortfolioSpec, durationMs: number): PortfolioSpec =>
  spec.balance === undefined || durationMs === spec.durationMs
    ? { ...spec, durationMs }
    : { ...spec, durationMs, balance: { ...spec.balance, totalLimitMs: durationMs } };

export const isSamePricing = (a: LegPricing, b: LegPricing): boolean =>
  JSON.stringify(pricingToRecord(a)) === JSON.stringify(pricingToRecord(b));

const isSameBasis = (a: LegSpec['hedgeBasis'], b: LegSpec['hedgeBasis']): boolean =>
  a?.map(text).join() === b?.map(text).join();

export const termsOf = (spec: PortfolioSpec): TermsRecord => ({
  durationMs: spec.durationMs,
  legs: spec.legs.map((leg) => ({
    quantity: text(leg.quantity),
    pricing: pricingToRecord(leg.pricing),
    ...(leg.hedgeBasis && { hedgeBasis: leg.hedgeBasis.map(text) }),
  })),
  limits: limitsOf(spec.execution),
  ...(spec.execution.randomise && { randomSize: spec.execution.randomise.size }),
});

/** The specification with recorded terms. */
export const withTerms = (spec: PortfolioSpec, terms: TermsRecord): PortfolioSpec => ({
  ...timed(spec, terms.durationMs),
  execution: withRandomSize(
    terms.limits ? withLimits(spec.execution, terms.limits) : spec.execution,
    terms.randomSize,
  ),
  legs: spec.legs.map((leg, index) => {
    const record = terms.legs[index];
    if (record === undefined) return leg;
    const pricing = pricingFromRecord(record.pricing);
    const { hedgeBasis: _before, ...same } = leg;
    const total = quantity(record.quantity);
    return { ...same, quantity: total, pricing, ...hedgeBasisFrom(record.hedgeBasis) };
  }),
});

function withRandomSize(execution: Execution, size: number | undefined): Execution {
  const { randomise } = execution;
  if (randomise === undefined || size === undefined || size === randomise.size) return execution;
  return { ...execution, randomise: { ...randomise, size } };
}

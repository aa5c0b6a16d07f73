// Deribit's request limits as credits: every account has pools that refill continuously, and each call takes from one.
// Sizes and rates are those of its documents of August 2026, with the matching tiers by traded volume.
import type { DeribitLimits } from '../../limits/limits.ts';
import type { BucketRule } from '../../limits/token-bucket.ts';

/** The pool of credits that a call draws from. */
export type CreditPool =
  | 'non_matching'
  | 'instruments'
  | 'subscribe'
  | 'transaction_log'
  | 'matching'
  | 'cancel_all';

/** Calls per second in the long run and at once, of each pool. */
export type CreditRules = Readonly<Record<CreditPool, BucketRule>>;

/** Credits that every pool but those of the matching engine gets back in a second. */
const REFILL = 10_000;

const pool = (size: number, cost: number): BucketRule => ({
  perSecond: REFILL / cost,
  burst: size / cost,
});

const TIERS: Readonly<Record<DeribitLimits['tier'], BucketRule>> = {
  1: { perSecond: 30, burst: 100 },
  2: { perSecond: 20, burst: 50 },
  3: { perSecond: 10, burst: 30 },
  4: { perSecond: 5, burst: 20 },
};

const NOT_MATCHING = {
  non_matching: pool(50_000, 500),
  instruments: pool(500_000, 10_000),
  subscribe: pool(30_000, 3_000),
  transaction_log: pool(80_000, 10_000),
} as const;

/** `undefined` if no credits are counted. */
export function creditRules({ credits, tier }: DeribitLimits): CreditRules | undefined {
  if (credits === 'off') return undefined;
  return { ...NOT_MATCHING, matching: TIERS[tier], cancel_all: TIERS[tier] };
}

/** What an account without credits may do is bounded by its key alone. */
const UNCOUNTED: BucketRule = { perSecond: 20_000, burst: 20_000 };

/** The member `limits` of an extended account summary. */
export function accountLimits(rules: CreditRules | undefined) {
  const limit = (of: CreditPool) => {
    const { burst, perSecond } = rules?.[of] ?? UNCOUNTED;
    return { burst, rate: perSecond };
  };
  const total = limit('matching');
  return {
    limits_per_currency: false,
    non_matching_engine: limit('non_matching'),
    matching_engine: {
      trading: { total },
      spot: total,
      cancel_all: limit('cancel_all'),
      maximum_quotes: total,
      maximum_mass_quotes: total,
      guaranteed_mass_quotes: total,
    },
  };
}

// The funding state of a perpetual and its arithmetic: the sample in force per listing, the account's own
// state, and the funding accrued from both at a given instant.
import {
  type Money,
  minus,
  plus,
  proportionOn,
  type Ratio,
  share,
  steps,
  ZERO_MONEY,
} from '../../../values/amounts.ts';
import { HOUR_MS, type Instant, instant, latest } from '../../../values/instant.ts';
import type { Reference } from '../market-view.ts';

/** In force from `at` until the next sample, however late that is. */
export interface FundingSample {
  readonly at: Instant;
  /** Cumulative payment of one long lot up to `at`, in the settlement currency; falls while shorts pay. */
  readonly paidPerLot: Money;
  /** Per eight hours. */
  readonly rate: Ratio;
  readonly lotValue: Money;
}

/** Amounts are from the account's view: negative amounts are paid by it. */
export interface FundingAccount {
  /** When the position last changed or was booked. */
  readonly at: Instant;
  /** `paidPerLot` at that instant. */
  readonly from: Money;
  /** Accrued up to that instant, and not yet moved to the balance. */
  readonly accrued: Money;
  /** Moved to the balance so far. */
  readonly booked: Money;
}

export const NO_FUNDING: FundingAccount = {
  at: instant(0),
  from: ZERO_MONEY,
  accrued: ZERO_MONEY,
  booked: ZERO_MONEY,
};

/** Decimals of the running sum: one lot pays very little in a minute. */
export const SUM_DECIMALS = 18;
const RATE_PERIOD_MS = 8 * HOUR_MS;

interface Held {
  readonly listing: {
    readonly funding: FundingSample | undefined;
    readonly reference: Reference | undefined;
  };
  readonly funding: FundingAccount;
  /** Signed. */
  readonly lots: number;
}

/** What a long lot has paid up to `now`: the sample stays in force until the next one. */
export function paidPerLot({ funding }: Pick<Held['listing'], 'funding'>, now: Instant): Money {
  if (funding === undefined) return ZERO_MONEY;
  const perPeriod = share(funding.lotValue, funding.rate);
  const paid = proportionOn(perPeriod, {
    numerator: now - funding.at,
    denominator: RATE_PERIOD_MS,
    places: SUM_DECIMALS,
    rounding: 'half_even',
  });
  return plus(funding.paidPerLot, paid);
}

/** What the account would receive if funding were settled at `now`. */
export function accruedFunding({ listing, funding, lots }: Held, now: Instant): Money {
  return lots === 0
    ? funding.accrued
    : accruedSince(funding, { paid: paidPerLot(listing, now), lots });
}

/** The same, given `paid`: what a long lot has paid by now. */
export const accruedSince = (
  { accrued, from }: FundingAccount,
  { paid, lots }: { readonly paid: Money; readonly lots: number },
): Money => (lots === 0 ? accrued : minus(accrued, steps(minus(paid, from), lots)));

/** The same at the time of the last reference, which mark prices and margins also refer to. */
export function openFunding(held: Held): Money {
  const { funding, listing } = held;
  return accruedFunding(held, latest(funding.at, listing.reference?.at ?? funding.at));
}

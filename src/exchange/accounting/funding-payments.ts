// Funding of perpetuals. Each listing keeps one running sum of what a long lot has paid; an account's share
// is the change of that sum since its position last changed, times its lots, so that what longs pay equals to
// the last digit what shorts receive. The rate is sampled once a minute of exchange time.
//
// Source: the venue's description of its perpetuals: position × rate × time / 8 h, accruing continuously at
// the mark price, moved to the balance at the daily settlement.
import { type Money, minus, plus, ratio, rounded, ZERO_MONEY } from '../../values/amounts.ts';
import { type Instant, MINUTE_MS } from '../../values/instant.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Account } from '../model/account.ts';
import type { Exposure } from '../model/exposure.ts';
import { decimalsOf } from '../model/fees.ts';
import {
  accruedSince,
  type FundingSample,
  paidPerLot,
  SUM_DECIMALS,
} from '../model/instruments/funding-account.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { lotValueOf } from '../model/lot-marks.ts';
import { move } from './cash.ts';

const SAMPLE_MS = MINUTE_MS;
const RATE_DECIMALS = 12;
const NO_RATE = ratio('0');

/** To be called with each new reference; acts once a minute, and only if there is a position. */
export function sampleFunding(state: ExchangeState, listing: Listing): void {
  if (listing.instrument.kind !== 'perpetual' || isFresh(listing, state.now)) return;
  const { name } = listing.instrument;
  for (const account of state.accounts.values()) {
    if ((account.known(name)?.lots ?? 0) === 0) continue;
    sample(state, listing);
    return;
  }
}

/** Updates the account's accrued funding to now. Call before each change of a perpetual's position. */
export function accrueFunding(state: ExchangeState, exposure: Exposure): void {
  const { listing } = exposure;
  if (listing.instrument.kind !== 'perpetual') return;
  if (!isFresh(listing, state.now)) sample(state, listing);
  if (listing.funding === undefined) return;
  const { funding, lots } = exposure;
  const from = paidPerLot(listing, state.now);
  const accrued = accruedSince(funding, { paid: from, lots });
  exposure.funding = { at: state.now, from, accrued, booked: funding.booked };
}

/** Moves accrued funding to the balance and returns it; amounts below the currency's last digit stay accrued. */
export function bookFunding(state: ExchangeState, account: Account, exposure: Exposure): Money {
  if (exposure.lots === 0 && exposure.funding.accrued.isZero()) return ZERO_MONEY;
  accrueFunding(state, exposure);
  const { funding, listing } = exposure;
  const { settlement } = listing.instrument;
  const amount = rounded(funding.accrued, decimalsOf(settlement), 'half_up');
  if (amount.isZero()) return ZERO_MONEY;
  exposure.funding = {
    ...funding,
    accrued: minus(funding.accrued, amount),
    booked: plus(funding.booked, amount),
  };
  move(state, account, settlement, amount);
  return amount;
}

const isFresh = ({ funding }: Listing, now: Instant): boolean =>
  funding !== undefined && now - funding.at < SAMPLE_MS;

function sample(state: ExchangeState, listing: Listing): void {
  const { reference, instrument } = listing;
  if (reference === undefined) return;
  const { mark, currentFunding } = reference;
  // A market without funding has no samples; if the market source stops publishing funding, it is zero from
  // then on.
  if (currentFunding === undefined && listing.funding === undefined) return;
  const funding: FundingSample = {
    at: state.now,
    paidPerLot: paidPerLot(listing, state.now),
    rate: rounded(currentFunding ?? NO_RATE, RATE_DECIMALS, 'half_even'),
    lotValue: rounded(lotValueOf(listing, mark), SUM_DECIMALS, 'half_even'),
  };
  listing.funding = funding;
  const { name } = instrument;
  state.outbox.emit({ kind: 'funding_sampled', at: state.now, instrument: name, funding });
}

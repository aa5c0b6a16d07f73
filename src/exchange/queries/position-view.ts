// A position as its owner sees it: session profit, exposure and margin. Greeks and deltas are floats from the
// market's model, everything else is exact.
import type { OpenPosition } from '../../values/account-report.ts';
import {
  type Money,
  minus,
  negated,
  type Price,
  plus,
  type Ratio,
  ratioOf,
  rounded,
  steps,
  toNumber,
  ZERO_MONEY,
} from '../../values/amounts.ts';
import { initialMargin, openProfit, positionMargin } from '../accounting/margin.ts';
import type { Exposure } from '../model/exposure.ts';
import { decimalsOf } from '../model/fees.ts';
import { openFunding } from '../model/instruments/funding-account.ts';
import { lotMarksOf, lotValueOf } from '../model/lot-marks.ts';

const ZERO_PRICE = ZERO_MONEY as unknown as Price;
const NO_RATIO = ratioOf(0);

export function positionView(exposure: Exposure): OpenPosition {
  const { listing } = exposure;
  const { instrument, reference, settlementPrice } = listing;
  const { account, quantity, averagePrice } = exposure.view();
  const isPerpetual = instrument.kind === 'perpetual';
  const margin = positionMargin(exposure, 'initial');
  return {
    account,
    instrument: instrument.name,
    kind: instrument.kind,
    quantity,
    averagePrice: averagePrice ?? ZERO_PRICE,
    markPrice: reference?.mark,
    indexPrice: reference?.index,
    settlementPrice,
    floatingProfitLoss: shown(exposure, floatingOf(exposure)),
    realizedProfitLoss: shown(exposure, sessionRealised(exposure)),
    delta: deltaOf(exposure),
    ...greeksOf(exposure),
    initialMargin: shown(exposure, margin),
    maintenanceMargin: shown(exposure, positionMargin(exposure, 'maintenance')),
    openOrdersMargin: shown(exposure, minus(initialMargin(exposure), margin)),
    ...(isPerpetual && {
      realizedFunding: shown(exposure, openFunding(exposure)),
    }),
  };
}

/** Realised and accrued since the last settlement. */
export const sessionRealised = (exposure: Exposure): Money =>
  plus(minus(exposure.realised, exposure.settledRealised), openFunding(exposure));

/** Unpaid since the last settlement; for options relative to the mark price at that settlement. */
export function sessionUnrealised(exposure: Exposure): Money {
  const { listing, holding } = exposure;
  return listing.instrument.kind === 'option'
    ? optionGain(exposure, holding.basis)
    : openProfit(exposure);
}

/** The value of an option position at the mark price; negative if short. */
export function optionValue({ listing, lots }: Exposure): Money {
  const mark = listing.reference?.mark;
  if (listing.instrument.kind !== 'option' || mark === undefined) return ZERO_MONEY;
  return steps(lotMarksOf(listing, mark).value, lots);
}

/** In coins: the value of USD-sized contracts, otherwise the amount; for an option times its delta. */
export function deltaOf({ listing, lots }: Exposure): Ratio {
  const { instrument, reference, grid } = listing;
  if (lots === 0 || reference === undefined || instrument.kind === 'spot') return NO_RATIO;
  const amount = toNumber(grid.quantityOf(lots));
  if (instrument.kind === 'option') return ratioOf(amount * (reference.greeks?.delta ?? 0));
  return instrument.amountUnit === 'usd'
    ? ratioOf(toNumber(lotValueOf(listing, reference.mark)) * lots)
    : ratioOf(amount);
}

export interface PositionGreeks {
  readonly gamma?: Ratio | undefined;
  readonly vega?: Ratio | undefined;
  readonly theta?: Ratio | undefined;
}

/** Of the whole position; `undefined` if the instrument is not an option. */
export function greeksOf({ listing, lots }: Exposure): PositionGreeks | undefined {
  const greeks = listing.reference?.greeks;
  if (listing.instrument.kind !== 'option' || greeks === undefined) return undefined;
  const amount = toNumber(listing.grid.quantityOf(lots));
  const of = (each: number | undefined): Ratio | undefined =>
    each === undefined ? undefined : ratioOf(amount * each);
  return { gamma: of(greeks.gamma), vega: of(greeks.vega), theta: of(greeks.theta) };
}

const floatingOf = (exposure: Exposure): Money =>
  exposure.listing.instrument.kind === 'option'
    ? optionGain(exposure, exposure.holding.cost)
    : openProfit(exposure);

function optionGain(exposure: Exposure, from: Money): Money {
  const { listing, lots } = exposure;
  if (lots === 0 || listing.reference === undefined) return ZERO_MONEY;
  return minus(optionValue(exposure), lots > 0 ? from : negated(from));
}

/** Rounded to the decimals of the currency. */
const shown = ({ listing }: Exposure, amount: Money): Money =>
  rounded(amount, decimalsOf(listing.instrument.settlement), 'half_up');

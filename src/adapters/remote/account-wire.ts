// Positions and account summaries in the venue's wire format, without their account.

import { z } from 'zod';
import type { AccountSummary } from '../../values/account-report.ts';
import {
  currencyIn,
  instrumentNameIn,
  quantityIn,
  shownMoneyIn,
  shownPriceIn,
  shownRatioIn,
} from './wire-fields.ts';

/** A perpetual is sent with the kind of a future; its instrument distinguishes them. */
export const positionIn = z
  .object({
    instrumentName: instrumentNameIn,
    kind: z.enum(['future', 'option', 'spot']),
    size: quantityIn,
    averagePrice: shownPriceIn,
    markPrice: shownPriceIn.optional(),
    indexPrice: shownPriceIn.optional(),
    settlementPrice: shownPriceIn.optional(),
    floatingProfitLoss: shownMoneyIn,
    realizedProfitLoss: shownMoneyIn,
    delta: shownRatioIn,
    gamma: shownRatioIn.optional(),
    vega: shownRatioIn.optional(),
    theta: shownRatioIn.optional(),
    initialMargin: shownMoneyIn,
    maintenanceMargin: shownMoneyIn,
    openOrdersMargin: shownMoneyIn,
    realizedFunding: shownMoneyIn.optional(),
  })
  .transform(({ instrumentName: instrument, size: quantity, ...same }) => ({
    ...same,
    instrument,
    quantity,
  }));

export type BareSummary = Omit<AccountSummary, 'account'>;

export const summaryIn = z
  .object({
    currency: currencyIn,
    balance: shownMoneyIn,
    equity: shownMoneyIn,
    availableFunds: shownMoneyIn,
    marginBalance: shownMoneyIn,
    initialMargin: shownMoneyIn,
    maintenanceMargin: shownMoneyIn,
    sessionRpl: shownMoneyIn,
    sessionUpl: shownMoneyIn,
    optionsValue: shownMoneyIn,
    spotReserve: shownMoneyIn,
    deltaTotal: shownRatioIn,
    optionsGamma: shownRatioIn,
    optionsVega: shownRatioIn,
    optionsTheta: shownRatioIn,
  })
  .transform(
    ({ sessionRpl: sessionRealised, sessionUpl: sessionUnrealised, ...same }): BareSummary => ({
      ...same,
      sessionRealised,
      sessionUnrealised,
    }),
  );

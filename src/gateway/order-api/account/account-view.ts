// Positions and account summaries as clients see them.

import { z } from 'zod';
import type { AccountSummary, OpenPosition } from '../../../values/account-report.ts';
import { compare, text as decimalText, plus, ZERO_QUANTITY } from '../../../values/amounts.ts';
import { type Instrument, kindName } from '../../../values/instrument.ts';
import { averageText, greekText } from '../../../values/text/model-text.ts';
import { kindSchema } from '../market/instrument-view.ts';
import { decimal, text } from '../result-fields.ts';

export const positionSchema = z
  .object({
    instrumentName: text('Instrument name'),
    kind: kindSchema,
    side: z.enum(['buy', 'sell', 'zero']).describe('Long, short or flat'),
    size: decimal('Signed, in the unit of quantities'),
    averagePrice: decimal('Average price of the open position'),
    markPrice: decimal('Mark price').optional(),
    indexPrice: decimal('Index').optional(),
    settlementPrice: decimal('Of the last settlement').optional(),
    floatingProfitLoss: decimal('Unrealised, in the settlement currency'),
    realizedProfitLoss: decimal('Realised since the last settlement'),
    totalProfitLoss: decimal('Both'),
    delta: decimal('Coins'),
    gamma: decimal('Options').optional(),
    vega: decimal('Options').optional(),
    theta: decimal('Options').optional(),
    initialMargin: decimal('Initial margin'),
    maintenanceMargin: decimal('Maintenance margin'),
    openOrdersMargin: decimal('Margin of open orders'),
    realizedFunding: decimal('Perpetuals: funding since the last settlement').optional(),
  })
  .describe('A position');

export type PositionView = z.infer<typeof positionSchema>;

function positionSide(position: OpenPosition): PositionView['side'] {
  const sign = compare(position.quantity, ZERO_QUANTITY);
  if (sign === 0) return 'zero';
  return sign > 0 ? 'buy' : 'sell';
}

export const positionView = (position: OpenPosition): PositionView => ({
  instrumentName: position.instrument,
  kind: kindName(position.kind),
  side: positionSide(position),
  size: decimalText(position.quantity),
  averagePrice: averageText(position.averagePrice),
  markPrice: position.markPrice && decimalText(position.markPrice),
  indexPrice: position.indexPrice && decimalText(position.indexPrice),
  settlementPrice: position.settlementPrice && decimalText(position.settlementPrice),
  floatingProfitLoss: decimalText(position.floatingProfitLoss),
  realizedProfitLoss: decimalText(position.realizedProfitLoss),
  totalProfitLoss: decimalText(plus(position.floatingProfitLoss, position.realizedProfitLoss)),
  delta: greekText(position.delta),
  gamma: position.gamma && greekText(position.gamma),
  vega: position.vega && greekText(position.vega),
  theta: position.theta && greekText(position.theta),
  initialMargin: decimalText(position.initialMargin),
  maintenanceMargin: decimalText(position.maintenanceMargin),
  openOrdersMargin: decimalText(position.openOrdersMargin),
  realizedFunding: position.realizedFunding && decimalText(position.realizedFunding),
});

/** The answer for an instrument without a position. */
export const flatPosition = ({ name, kind }: Instrument): PositionView => ({
  instrumentName: name,
  kind: kindName(kind),
  side: 'zero',
  size: '0',
  averagePrice: '0',
  floatingProfitLoss: '0',
  realizedProfitLoss: '0',
  totalProfitLoss: '0',
  delta: '0',
  initialMargin: '0',
  maintenanceMargin: '0',
  openOrdersMargin: '0',
});

export const summarySchema = z
  .object({
    accountId: text('Account id'),
    currency: text('Currency of every amount here'),
    balance: decimal('Cash'),
    equity: decimal('Balance, profit of the session and the value of options'),
    availableFunds: decimal('Available for new orders'),
    marginBalance: decimal('Equity less the value of options'),
    initialMargin: decimal('Initial margin'),
    maintenanceMargin: decimal('Maintenance margin'),
    sessionRpl: decimal('Realised since the last settlement'),
    sessionUpl: decimal('Unrealised, since the last settlement'),
    optionsValue: decimal('Value of options'),
    optionsGamma: decimal('Gamma of options'),
    optionsVega: decimal('Vega of options'),
    optionsTheta: decimal('Theta of options'),
    deltaTotal: decimal('Exposure in coins'),
    spotReserve: decimal('Reserved for open spot orders'),
    marginModel: z.literal('segregated_sm').describe('Standard margin, each currency separately'),
  })
  .describe('An account in one currency');

export type SummaryView = z.infer<typeof summarySchema>;

export const summaryView = (summary: AccountSummary): SummaryView => ({
  accountId: summary.account,
  currency: summary.currency,
  balance: decimalText(summary.balance),
  equity: decimalText(summary.equity),
  availableFunds: decimalText(summary.availableFunds),
  marginBalance: decimalText(summary.marginBalance),
  initialMargin: decimalText(summary.initialMargin),
  maintenanceMargin: decimalText(summary.maintenanceMargin),
  sessionRpl: decimalText(summary.sessionRealised),
  sessionUpl: decimalText(summary.sessionUnrealised),
  optionsValue: decimalText(summary.optionsValue),
  optionsGamma: greekText(summary.optionsGamma),
  optionsVega: greekText(summary.optionsVega),
  optionsTheta: greekText(summary.optionsTheta),
  deltaTotal: greekText(summary.deltaTotal),
  spotReserve: decimalText(summary.spotReserve),
  marginModel: 'segregated_sm',
});

// An instrument as clients see it: the fields of the interface, plus what a client needs to size and price an
// order.
import { z } from 'zod';
import { text as decimalText } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import { type Instrument, kindName } from '../../../values/instrument.ts';
import { decimal, flag, instant, text, whole } from '../result-fields.ts';

export const kindSchema = z
  .enum(['future', 'option', 'spot', 'future_combo', 'option_combo'])
  .describe('future includes perpetuals');

export const comboLegSchema = z.object({
  instrumentName: text('Instrument name'),
  ratio: whole('Units that one unit of the combo buys, negative if it sells'),
});

export const comboLegsView = ({ legs }: Instrument) =>
  legs?.map(({ instrument, ratio }) => ({ instrumentName: instrument, ratio }));

export const instrumentSchema = z
  .object({
    instrumentName: text('Instrument name'),
    kind: kindSchema,
    settlementPeriod: z.literal('perpetual').describe('Perpetuals only').optional(),
    baseCurrency: text('Coin the instrument is exposed to'),
    quoteCurrency: text('Currency of the price'),
    settlementCurrency: text('Currency of profit, loss and fees'),
    marginKind: z.enum(['linear', 'reversed']).describe('reversed: settled in the coin'),
    optionKind: z.enum(['CALL', 'PUT']).nullable().describe('null except for options'),
    strike: decimal('Strike of an option').nullable(),
    expiration: instant('End of trading; null for none').nullable(),
    contractSize: decimal('One contract, in the unit of quantities'),
    quantityUnit: text('Unit of quantities: USD or the coin'),
    minTradeAmount: decimal('Smallest quantity'),
    qtyTickSize: decimal('Step of quantities'),
    tickSize: decimal('Smallest step of prices'),
    tickSizeSteps: z
      .array(z.object({ abovePrice: decimal('From here on'), tickSize: decimal('this step') }))
      .describe('Larger steps above a price'),
    priceIndex: text('Index it settles against'),
    makerCommission: decimal('Fraction of the notional; for options, of the underlying'),
    takerCommission: decimal('Fraction of the notional; for options, of the underlying'),
    legs: z.array(comboLegSchema).describe('Combos only').optional(),
    isRouted: z
      .literal(true)
      .describe('Spot matched on another exchange: fewer kinds of orders, and no public trades')
      .optional(),
    isActive: flag('Whether it is in trading'),
  })
  .describe('An instrument');

export type InstrumentView = z.infer<typeof instrumentSchema>;

const OPTION_KINDS = { call: 'CALL', put: 'PUT' } as const;

export const instrumentView = (instrument: Instrument, now: Instant): InstrumentView => ({
  instrumentName: instrument.name,
  kind: kindName(instrument.kind),
  settlementPeriod: instrument.kind === 'perpetual' ? 'perpetual' : undefined,
  baseCurrency: instrument.base,
  quoteCurrency: instrument.quote,
  settlementCurrency: instrument.settlement,
  marginKind: instrument.marginKind === 'inverse' ? 'reversed' : 'linear',
  optionKind: instrument.option === undefined ? null : OPTION_KINDS[instrument.option.type],
  strike: instrument.option === undefined ? null : decimalText(instrument.option.strike),
  expiration: instrument.expiresAt ?? null,
  contractSize: decimalText(instrument.contractSize),
  quantityUnit: instrument.amountUnit === 'usd' ? 'USD' : instrument.base,
  minTradeAmount: decimalText(instrument.minAmount),
  qtyTickSize: decimalText(instrument.amountStep),
  tickSize: decimalText(instrument.tickSize),
  tickSizeSteps: instrument.tickSteps.map(({ above, tickSize }) => ({
    abovePrice: decimalText(above),
    tickSize: decimalText(tickSize),
  })),
  priceIndex: instrument.indexName,
  makerCommission: decimalText(instrument.makerFee),
  takerCommission: decimalText(instrument.takerFee),
  legs: comboLegsView(instrument),
  isRouted: instrument.isRouted,
  isActive: instrument.expiresAt === undefined || instrument.expiresAt > now,
});

// An instrument in the venue's wire format.
import { z } from 'zod';
import type { Instrument, InstrumentKind } from '../../../values/instrument.ts';
import {
  currencyIn,
  instantIn,
  instrumentNameIn,
  priceIn,
  quantityIn,
  ratioIn,
  text,
} from '../wire-fields.ts';

const shape = z.object({
  instrumentName: instrumentNameIn,
  kind: z.enum(['future', 'option', 'spot']),
  settlementPeriod: z.literal('perpetual').optional(),
  baseCurrency: currencyIn,
  quoteCurrency: currencyIn,
  settlementCurrency: currencyIn,
  marginKind: z.enum(['linear', 'reversed']),
  optionKind: z.enum(['CALL', 'PUT']).nullable(),
  strike: priceIn.nullable(),
  expiration: instantIn.nullable(),
  contractSize: quantityIn,
  quantityUnit: text,
  minTradeAmount: quantityIn,
  qtyTickSize: quantityIn,
  tickSize: priceIn,
  tickSizeSteps: z.array(z.object({ abovePrice: priceIn, tickSize: priceIn })),
  priceIndex: text,
  makerCommission: ratioIn,
  takerCommission: ratioIn,
});

type InstrumentWire = z.output<typeof shape>;

export const instrumentIn = shape.transform(
  (wire): Instrument => ({
    name: wire.instrumentName,
    kind: kindOf(wire),
    base: wire.baseCurrency,
    quote: wire.quoteCurrency,
    settlement: wire.settlementCurrency,
    marginKind: wire.marginKind === 'reversed' ? 'inverse' : 'linear',
    amountUnit: wire.quantityUnit === 'USD' ? 'usd' : 'base',
    contractSize: wire.contractSize,
    amountStep: wire.qtyTickSize,
    minAmount: wire.minTradeAmount,
    tickSize: wire.tickSize,
    tickSteps: wire.tickSizeSteps.map(({ abovePrice: above, tickSize }) => ({ above, tickSize })),
    expiresAt: wire.expiration ?? undefined,
    option: optionOf(wire),
    indexName: wire.priceIndex,
    makerFee: wire.makerCommission,
    takerFee: wire.takerCommission,
  }),
);

/** On the wire a perpetual is a future without an expiry. */
const kindOf = ({ kind, settlementPeriod }: InstrumentWire): InstrumentKind =>
  settlementPeriod === 'perpetual' ? 'perpetual' : kind;

function optionOf({ optionKind, strike }: InstrumentWire): Instrument['option'] {
  if (optionKind === null || strike === null) return undefined;
  return { strike, type: optionKind === 'CALL' ? 'call' : 'put' };
}

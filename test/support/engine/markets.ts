// Instruments and quotes for tests, valid by default.
import { modelPrice, price, quantity, ratio } from '../../../src/values/amounts.ts';
import { currency, instrumentName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { Quote } from '../../../src/values/quote.ts';

export const NOON = instant(Date.UTC(2026, 10, 20, 12));

export const perpetual = (change: Partial<Instrument> = {}): Instrument => ({
  name: instrumentName('BTC-PERPETUAL'),
  kind: 'perpetual',
  base: currency('BTC'),
  quote: currency('USD'),
  settlement: currency('BTC'),
  marginKind: 'inverse',
  amountUnit: 'usd',
  contractSize: quantity('10'),
  amountStep: quantity('10'),
  minAmount: quantity('10'),
  tickSize: price('0.5'),
  tickSteps: [],
  indexName: 'btc_usd',
  makerFee: ratio('0'),
  takerFee: ratio('0.0005'),
  ...change,
});

export const spot = (change: Partial<Instrument> = {}): Instrument =>
  perpetual({
    name: instrumentName('BTC_USDC'),
    kind: 'spot',
    quote: currency('USDC'),
    settlement: currency('USDC'),
    marginKind: 'linear',
    amountUnit: 'base',
    contractSize: quantity('0.0001'),
    amountStep: quantity('0.0001'),
    minAmount: quantity('0.0001'),
    tickSize: price('1'),
    ...change,
  });

export const option = (change: Partial<Instrument> = {}): Instrument =>
  perpetual({
    name: instrumentName('BTC-25DEC26-100000-C'),
    kind: 'option',
    quote: currency('BTC'),
    amountUnit: 'base',
    contractSize: quantity('1'),
    amountStep: quantity('0.1'),
    minAmount: quantity('0.1'),
    tickSize: price('0.0001'),
    tickSteps: [{ above: price('0.005'), tickSize: price('0.0005') }],
    expiresAt: instant(Date.UTC(2026, 11, 25, 8)),
    option: { strike: price('100000'), type: 'call' },
    ...change,
  });

/** A two-sided quote; `bid` and `ask` as numbers, deep by default. */
export function quote(
  instrument: Instrument,
  [bid, ask]: readonly [number | undefined, number | undefined],
  change: Partial<Quote> = {},
): Quote {
  const level = (at: number | undefined) =>
    at === undefined ? undefined : { price: modelPrice(at), quantity: quantity('1000000') };
  const known = [bid, ask].filter((one) => one !== undefined);
  return {
    instrument: instrument.name,
    bid: level(bid),
    ask: level(ask),
    mark: modelPrice(known.reduce((a, b) => a + b, 0) / Math.max(1, known.length)),
    index: price('100000'),
    underlying: price('100000'),
    seenAt: NOON,
    ...change,
  };
}

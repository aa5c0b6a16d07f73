// Instruments with realistic grids, for the tests of the exchange.
import { price, quantity, ratio } from '../../src/values/amounts.ts';
import { currency, instrumentName } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import type { Instrument } from '../../src/values/instrument.ts';

const BTC = currency('BTC');
const ETH = currency('ETH');
const USD = currency('USD');
const USDC = currency('USDC');

export const EXPIRY = instant(Date.UTC(2026, 11, 25, 8));

export const btcPerpetual: Instrument = {
  name: instrumentName('BTC-PERPETUAL'),
  kind: 'perpetual',
  base: BTC,
  quote: USD,
  settlement: BTC,
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
};

export const ethFuture: Instrument = {
  ...btcPerpetual,
  name: instrumentName('ETH-25DEC26'),
  kind: 'future',
  base: ETH,
  settlement: ETH,
  contractSize: quantity('1'),
  amountStep: quantity('1'),
  minAmount: quantity('1'),
  tickSize: price('0.05'),
  expiresAt: EXPIRY,
  indexName: 'eth_usd',
};

export const btcUsdcPerpetual: Instrument = {
  ...btcPerpetual,
  name: instrumentName('BTC_USDC-PERPETUAL'),
  quote: USDC,
  settlement: USDC,
  marginKind: 'linear',
  amountUnit: 'base',
  contractSize: quantity('0.0001'),
  amountStep: quantity('0.0001'),
  minAmount: quantity('0.0001'),
  indexName: 'btc_usdc',
};

export const btcCall: Instrument = {
  name: instrumentName('BTC-25DEC26-100000-C'),
  kind: 'option',
  base: BTC,
  quote: BTC,
  settlement: BTC,
  marginKind: 'inverse',
  amountUnit: 'base',
  contractSize: quantity('1'),
  amountStep: quantity('0.1'),
  minAmount: quantity('0.1'),
  tickSize: price('0.0001'),
  tickSteps: [{ above: price('0.005'), tickSize: price('0.0005') }],
  expiresAt: EXPIRY,
  option: { strike: price('100000'), type: 'call' },
  indexName: 'btc_usd',
  makerFee: ratio('0.0003'),
  takerFee: ratio('0.0003'),
};

export const btcUsdcPut: Instrument = {
  ...btcCall,
  name: instrumentName('BTC_USDC-25DEC26-100000-P'),
  quote: USDC,
  settlement: USDC,
  marginKind: 'linear',
  amountStep: quantity('0.01'),
  minAmount: quantity('0.01'),
  tickSize: price('5'),
  tickSteps: [{ above: price('1000'), tickSize: price('20') }],
  option: { strike: price('100000'), type: 'put' },
  indexName: 'btc_usdc',
};

export const btcSpot: Instrument = {
  ...btcUsdcPerpetual,
  name: instrumentName('BTC_USDC'),
  kind: 'spot',
  tickSize: price('1'),
  makerFee: ratio('0'),
  takerFee: ratio('0'),
};

export const everyKind = [
  btcPerpetual,
  ethFuture,
  btcUsdcPerpetual,
  btcCall,
  btcUsdcPut,
  btcSpot,
] as const;

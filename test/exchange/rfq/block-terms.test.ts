// The terms of blocks that a listing of BTC and ETH alone does not show.
import { expect, test } from 'vitest';
import type { Listing } from '../../../src/exchange/model/instruments/listing.ts';
import { blockMinimum, blockTick } from '../../../src/exchange/rfq/blocks/block-terms.ts';
import { price, text } from '../../../src/values/amounts.ts';
import { currency } from '../../../src/values/ids.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import {
  btcCall,
  btcPerpetual,
  btcSpot,
  btcUsdcPerpetual,
  btcUsdcPut,
  ethFuture,
} from '../instruments.ts';

test.each([
  ['0.5', '0.01'],
  ['0.01', '0.01'],
  ['0.0001', '0.0001'],
])(
  'a future with a tick of %s has one of %s in blocks, and an option keeps its own',
  (own, inBlocks) => {
    const tickSize = price(own);
    expect(text(blockTick({ ...btcPerpetual, tickSize }))).toBe(inBlocks);
    expect(text(blockTick({ ...btcCall, tickSize }))).toBe(own);
  },
);

const OTHER = { base: currency('DOGE') };
test.each<[string, Instrument, number | undefined]>([
  ['an option on BTC', btcCall, 25],
  ['a linear option on BTC', btcUsdcPut, 25],
  ['an inverse future on BTC, in dollars', btcPerpetual, 200_000],
  ['an inverse future on ETH, in dollars', ethFuture, 100_000],
  ['a linear future on BTC, at its mark', btcUsdcPerpetual, 200_000 / 0.2],
  ['a linear future on another coin', { ...btcUsdcPerpetual, ...OTHER }, 50_000 / 0.2],
  ['an option on another coin, at the index', { ...btcUsdcPut, ...OTHER }, 50_000 / 0.25],
  ['spot at its mark', btcSpot, 50_000 / 0.2],
])('the smallest block of %s', (_, instrument, least) => {
  const reference = { mark: price('0.2'), index: price('0.25') };
  expect(blockMinimum({ instrument, reference } as unknown as Listing)).toBe(least);
});

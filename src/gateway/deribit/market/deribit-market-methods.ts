// All of Deribit's public methods about markets.
import type { DeribitMethod } from '../method/deribit-method.ts';
import { DERIBIT_INSTRUMENT_METHODS } from './deribit-instrument-methods.ts';
import { DERIBIT_PAST_METHODS } from './deribit-past-methods.ts';
import { DERIBIT_PRICE_METHODS } from './deribit-price-methods.ts';
import { DERIBIT_TAPE_METHODS } from './deribit-tape-methods.ts';
import { DERIBIT_VOLATILITY_METHODS } from './deribit-volatility-methods.ts';

export const DERIBIT_MARKET_METHODS: readonly DeribitMethod[] = [
  ...DERIBIT_INSTRUMENT_METHODS,
  ...DERIBIT_PRICE_METHODS,
  ...DERIBIT_TAPE_METHODS,
  ...DERIBIT_PAST_METHODS,
  ...DERIBIT_VOLATILITY_METHODS,
];

// A market with a fixed seed for the tests in this folder.
import { START_PRICES } from '../../../src/exchange/market/market-parameters.ts';
import {
  type IndexProcess,
  indexProcess,
} from '../../../src/exchange/market/prices/index-process.ts';
import { type Instant, utcInstant } from '../../../src/values/instant.ts';

export const NOON: Instant = utcInstant({ year: 2026, month: 11, day: 20, hour: 12 });

export const seededIndex = (seed = 'test', stepMs = 250, correlation?: number): IndexProcess =>
  indexProcess({ seed, startAt: NOON, startPrices: START_PRICES, stepMs, correlation });

// Portfolio records as the daemon returns them, for tests of their rendering.
import type { LegRecord, PortfolioRecord } from '../../src/gateway/portfolios/record-schema.ts';

export const START_MS = Date.UTC(2026, 10, 20, 12);

export const leg = (changes: Partial<LegRecord> = {}): LegRecord => ({
  legId: '1',
  side: 1,
  instrument: 'BTC-PERPETUAL',
  instrumentType: 'PERPETUAL',
  legStatus: 1,
  placeQuantity: '24000',
  quantityIn: 'USD',
  filledAvgPrice: '61203.512345678901234',
  filledQuantity: '6000',
  remainingQuantity: '18000',
  fee: '0',
  forCcy: 'BTC',
  domCcy: 'USD',
  markCcy: 'USD',
  notionalCcy: 'USD',
  defaultPvCcy: 'BTC',
  hedge: false,
  fees: [],
  outstandingQuantity: '0',
  scheduledQuantity: '6000',
  slicesPlanned: 24,
  slicesPlaced: 6,
  slicesMissed: 0,
  nextSlice: 6,
  reprices: 3,
  ...changes,
});

export const record = (changes: Partial<PortfolioRecord> = {}): PortfolioRecord => ({
  uid: '1001',
  nickname: 'Demo taker',
  accountId: '10001',
  accountName: 'Demo desk',
  exchange: 'paper',
  portfolioId: '1776665215780001',
  submitTimestamp: String(START_MS),
  updateTimestamp: String(START_MS + 30_000),
  portfolioStatus: 1,
  portfolioType: 'TWAP',
  twapTrade: {
    startTimestamp: String(START_MS),
    endTimestamp: String(START_MS + 120_000),
    durationSec: '120',
    frequencySec: '5',
    totalMs: '30000',
    endAction: 'market',
    fees: [],
  },
  strategy: 'demo',
  customizedNote: '',
  lastEditedUid: '1001',
  mirrorPortfolioIds: [],
  legs: [
    leg(),
    leg({ side: 2, instrument: 'BTC_USDC', placeQuantity: '0.24', filledQuantity: '0' }),
  ],
  ...changes,
});

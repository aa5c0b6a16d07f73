import { describe } from 'vitest';
import { HOUR_MS, later, MINUTE_MS } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { transactionConformance } from '../../conformance/account/transactions.ts';
import { FaultyVenue } from '../../doubles/faults/faulty-venue.ts';
import { ACCOUNT, BTC, MemoryStore, NOON, paperStage } from './paper-stage.ts';

const stage = (options: Parameters<typeof paperStage>[0] = {}) => {
  const startsAt = later(NOON, 20 * HOUR_MS - 2 * MINUTE_MS);
  const { venue, clock, pass } = paperStage(options, new VirtualClock(startsAt));
  const own = { account: ACCOUNT, instrument: BTC, now: () => clock.now() };
  const passSettlement = (): Promise<void> => pass(3 * MINUTE_MS);
  return { ...own, venue, clock, pass, passSettlement, close: () => venue.close() };
};

describe('the transaction log of the paper exchange in virtual time', () => {
  transactionConformance(() => Promise.resolve(stage()));
});

describe('the transaction log of the paper exchange with a journal, behind a connection without faults', () => {
  transactionConformance(() => {
    const own = stage({ journal: { store: new MemoryStore() } });
    const venue = new FaultyVenue(own.venue, own.clock, { seed: 'none' });
    return Promise.resolve({ ...own, venue });
  });
});

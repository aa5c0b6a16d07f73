import { describe } from 'vitest';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { TradingDesk } from '../../../src/ports/trading-desk.ts';
import { later } from '../../../src/values/instant.ts';
import { FaultyVenue } from '../../../src/virtual/faults/faulty-venue.ts';
import { tradingDeskConformance } from '../../conformance/trading-desk.ts';
import { ACCOUNT, BTC, paperStage, paperVenue } from './paper-stage.ts';

describe('PaperDesk in virtual time', () => {
  tradingDeskConformance(() => {
    const { clock, venue, pass } = paperStage();
    return Promise.resolve({
      desk: venue.desk,
      account: ACCOUNT,
      instrument: BTC,
      now: () => clock.now(),
      pass,
      close: () => venue.close(),
    });
  });
});

describe('PaperDesk on the real clock with latency', () => {
  const clock = new SystemClock();
  tradingDeskConformance(() => {
    const venue = paperVenue(clock, { latencyMs: 4 });
    const pass = (forMs: number): Promise<void> =>
      new Promise((resolve) => {
        clock.at(later(clock.now(), forMs), resolve);
      });
    const close = (): Promise<void> => venue.close();
    const { desk } = venue;
    return Promise.resolve({
      ...{ desk, account: ACCOUNT, instrument: BTC },
      ...{ now: () => clock.now(), pass, close },
    });
  });
});

describe('PaperDesk behind a fault-free connection', () => {
  tradingDeskConformance(() => {
    const { clock, venue, pass } = paperStage();
    // The gate is tested elsewhere: these requests bypass it.
    const desk = new FaultyVenue(venue, clock, { seed: 'none' }).desk as TradingDesk;
    const close = (): Promise<void> => venue.close();
    return Promise.resolve({
      ...{ desk, account: ACCOUNT, instrument: BTC },
      ...{ now: () => clock.now(), pass, close },
    });
  });
});

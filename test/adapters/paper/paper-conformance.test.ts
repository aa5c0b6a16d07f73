import { describe } from 'vitest';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { later } from '../../../src/values/instant.ts';
import { type VenueStage, venueConformance } from '../../conformance/venue.ts';
import { FaultyVenue } from '../../doubles/faults/faulty-venue.ts';
import {
  ACCOUNT,
  BTC,
  MemoryStore,
  type PaperStage,
  paperStage,
  paperVenue,
  settle,
} from './paper-stage.ts';

interface Staged extends Pick<PaperStage, 'venue' | 'pass'> {
  readonly clock: Clock;
}

const staged = ({ clock, venue, pass }: Staged): VenueStage => ({
  venue,
  now: () => clock.now(),
  account: ACCOUNT,
  instrument: BTC,
  pass,
  close: () => venue.close(),
});

describe('PaperVenue in virtual time', () => {
  venueConformance(() => Promise.resolve(staged(paperStage())));
});

describe('PaperVenue in virtual time with a slow journal', () => {
  class SlowStore extends MemoryStore {
    override sync(): Promise<void> {
      return settle();
    }
  }
  const journal = () => ({ store: new SlowStore(), sync: 'fsync' as const });
  venueConformance(() => Promise.resolve(staged(paperStage({ journal: journal() }))));
});

describe('PaperVenue on the real clock with latency', () => {
  const clock = new SystemClock();
  venueConformance(() => {
    const venue = paperVenue(clock, { latencyMs: 4 });
    const pass = (forMs: number): Promise<void> =>
      new Promise((resolve) => {
        clock.at(later(clock.now(), forMs), resolve);
      });
    return Promise.resolve(staged({ clock, venue, pass }));
  });
});

describe('PaperVenue behind a fault-free connection', () => {
  venueConformance(() => {
    const stage = paperStage();
    const venue = new FaultyVenue(stage.venue, stage.clock, { seed: 'none' });
    return Promise.resolve({ ...staged(stage), venue });
  });
});

import { describe } from 'vitest';
import type { Instant } from '../../../src/values/instant.ts';
import { comboConformance } from '../../conformance/combos.ts';
import { marginConformance } from '../../conformance/margins.ts';
import { FaultyVenue } from '../../doubles/faults/faulty-venue.ts';
import { ACCOUNT, BTC, MemoryStore, paperStage } from './paper-stage.ts';

const stage = (options: Parameters<typeof paperStage>[0] = {}) => {
  const { venue, clock, pass } = paperStage(options);
  const close = (): Promise<void> => venue.close();
  const now = (): Instant => clock.now();
  return { venue, clock, pass, close, now, account: ACCOUNT, instrument: BTC };
};

describe('PaperComboDesk in virtual time', () => {
  comboConformance(() => Promise.resolve(stage()));
});

describe('PaperComboDesk with a journal, behind a connection without faults', () => {
  comboConformance(() => {
    const own = stage({ journal: { store: new MemoryStore() } });
    const venue = new FaultyVenue(own.venue, own.clock, { seed: 'none' });
    return Promise.resolve({ ...own, venue });
  });
});

describe('PaperMarginDesk in virtual time', () => {
  marginConformance(() => Promise.resolve(stage()));
});

describe('PaperMarginDesk behind a connection without faults', () => {
  marginConformance(() => {
    const own = stage();
    const venue = new FaultyVenue(own.venue, own.clock, { seed: 'none' });
    return Promise.resolve({ ...own, venue });
  });
});

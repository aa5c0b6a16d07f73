// The estimate of the venue's clock from time queries that take unequal times in both directions.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VenueClock } from '../../../../src/adapters/deribit/session/venue-clock.ts';
import { must } from '../../../../src/values/assert.ts';
import { instant } from '../../../../src/values/instant.ts';

test('the estimated clock is off by at most half the shortest round trip', () => {
  const trip = fc.record({
    out: fc.double({ min: 0, max: 50, noNaN: true }),
    back: fc.double({ min: 0, max: 50, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(trip, { minLength: 1, maxLength: 12 }), (trips) => {
      const ahead = 1_700_000_000_000;
      const clock = new VenueClock();
      let nowMs = 0;
      for (const { out, back } of trips) {
        clock.note(instant(Math.floor(ahead + nowMs + out)), nowMs, nowMs + out + back);
        nowMs += out + back + 1_000;
      }
      const quickest = Math.min(...trips.map(({ out, back }) => out + back));
      const off = Math.abs(must(clock.now(nowMs), 'an estimate') - (ahead + nowMs));
      expect(off).toBeLessThanOrEqual(quickest / 2 + 2);
    }),
  );
});

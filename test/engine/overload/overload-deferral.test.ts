// What may wait does while the process is overloaded, and not for ever.
import { describe, expect, it } from 'vitest';
import { OpenOrderReconciliation } from '../../../src/engine/orders/open-order-reconciliation.ts';
import { Yielding } from '../../../src/engine/overload/overload-deferral.ts';
import { SOLE_OWNER } from '../../../src/engine/ownership/ownership.ts';
import { accountId } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';

const EVERY_MS = 5_000;

async function comparing(isOverloaded: (atMs: number) => boolean, forMs: number) {
  const clock = new VirtualClock(NOON);
  const venue = new ScriptVenue(clock, [perpetual()]);
  const rounds: number[] = [];
  const overload = {
    get isOverloaded() {
      return isOverloaded(clock.now() - NOON);
    },
  };
  const comparison = new OpenOrderReconciliation({
    clock,
    venues: { forAccount: () => venue, all: () => [venue], accounts: () => [accountId('1')] },
    reports: {
      compare: () => {
        rounds.push((clock.now() - NOON) / 1_000);
        return Promise.resolve();
      },
    },
    compareMs: EVERY_MS,
    ownership: SOLE_OWNER,
    barrier: { accounts: () => [] },
    yielding: new Yielding(clock, overload),
  });
  await comparison.start();
  await clock.run(later(NOON, forMs), settle);
  comparison.stop();
  return rounds;
}

describe('the comparison with the venue during an overload', () => {
  it('the comparison is left out until the overload has ended', async () => {
    const rounds = await comparing((atMs) => atMs >= 7_000 && atMs < 22_000, 30_000);
    expect(rounds).toEqual([0, 5, 25, 30]);
  });

  it('the comparison takes place once in half a minute in an overload that lasts', async () => {
    const rounds = await comparing((atMs) => atMs >= 7_000, 80_000);
    expect(rounds).toEqual([0, 5, 40, 75]);
  });
});

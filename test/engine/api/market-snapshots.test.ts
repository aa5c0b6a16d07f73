// What planners share: each snapshot is requested once a moment, and a request that failed is made again.
import { describe, expect, test } from 'vitest';
import { LOOK_AGE_MAX_MS, MarketSnapshots } from '../../../src/engine/api/market-snapshots.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { money } from '../../../src/values/amounts.ts';
import { accountId, currency } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { settle } from '../../support/engine/engine-world.ts';
import { NOON } from '../../support/engine/markets.ts';

type Summary = Awaited<ReturnType<Venue['summary']>>;

/** A venue that answers when a test says so. */
function stage() {
  const clock = new VirtualClock(NOON);
  const asked: { answer: (funds: string) => void; fail: () => void }[] = [];
  const summary = () =>
    new Promise<Reply<Summary>>((resolve, reject) => {
      asked.push({
        answer: (funds) =>
          resolve({ kind: 'done', value: { availableFunds: money(funds) } } as never),
        fail: () => reject(new Error('no answer')),
      });
    });
  const snapshots = new MarketSnapshots(clock, { summary } as unknown as Venue);
  return {
    asked,
    free: async () => await snapshots.free(accountId('10001'), currency('BTC')),
    pass: (ms: number) => clock.run(later(clock.now(), ms), settle),
  };
}

describe('the free funds that plans are checked against', () => {
  test('the free funds are requested once for all plans of a moment, and again after it', async () => {
    const { asked, free, pass } = stage();
    const both = Promise.all([free(), free()]);
    asked[0]?.answer('5');
    expect(await both).toEqual([money('5'), money('5')]);
    await pass(LOOK_AGE_MAX_MS);
    expect(await free()).toEqual(money('5'));
    expect(asked).toHaveLength(1);
    await pass(1);
    const next = free();
    asked[1]?.answer('4');
    expect(await next).toEqual(money('4'));
  });

  test('the free funds are requested again at once when the venue did not answer', async () => {
    const { asked, free } = stage();
    const failed = expect(free()).rejects.toThrow('no answer');
    asked[0]?.fail();
    await failed;
    const next = free();
    asked[1]?.answer('3');
    expect(await next).toEqual(money('3'));
  });

  test('current free funds are kept when an older request for them fails', async () => {
    const { asked, free, pass } = stage();
    const slow = expect(free()).rejects.toThrow('no answer');
    await pass(LOOK_AGE_MAX_MS + 1);
    const next = free();
    asked[1]?.answer('2');
    expect(await next).toEqual(money('2'));
    asked[0]?.fail();
    await slow;
    expect(await free()).toEqual(money('2'));
    expect(asked).toHaveLength(2);
  });
});

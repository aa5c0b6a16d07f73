// PT-19: an account's position at its venue compared with our record, at the exact boundaries: a constant
// difference is a finding after the grace period for replies, a changing one after 30 s and 120 s.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PositionAudit } from '../../../src/engine/audit/audit-positions.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { accountId, tradeId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { MemoryAuditBaselines } from '../../../src/virtual/memory/memory-audit-records.ts';
import { NOON, perpetual } from '../../support/engine/markets.ts';
import { done, openPosition, tradeRecord } from '../../support/engine/venue-records.ts';

const PERP = perpetual();
const ACCOUNT = accountId('10001');
const GRACE_MS = 3_000;
const BEGUN = later(NOON, 10_000);

/**
 * An account that holds 100 and does not trade, with an agreed baseline; the test sets the position that the venue
 * reports.
 */
async function agreed() {
  const at = { now: NOON as Instant, holds: 100 };
  const venue: Pick<Venue, 'venueNow' | 'trades' | 'positions' | 'instrument'> = {
    venueNow: () => at.now,
    trades: () => done({ trades: [], hasMore: false }),
    positions: () => done([openPosition(ACCOUNT, PERP.name, quantity(String(at.holds)))]),
    instrument: () => PERP,
  };
  const baselines = new MemoryAuditBaselines();
  const audit = new PositionAudit(venue as Venue, ACCOUNT, {
    ...{ baselines, overlapMs: 1_000, graceMs: GRACE_MS },
  });
  const check = async (now: Instant, holds: number) => {
    Object.assign(at, { now, holds });
    return (await audit.check()).map(({ only = 'halt' }) => only);
  };
  for (const now of [NOON, later(NOON, 5_000), BEGUN]) expect(await check(now, 100)).toEqual([]);
  return check;
}

/** An account that trades one unit at each given time, even while replies are in transit. */
function trading(tradesAtMs: readonly number[], wayMs: number) {
  const at = { now: NOON as Instant };
  const trades = tradesAtMs.map((ms, index) =>
    tradeRecord({
      ...{ tradeId: tradeId(String(index)), label: 'manual', instrument: PERP.name },
      ...{ quantity: quantity('1'), at: later(NOON, ms) },
    }),
  );
  const soFar = () => trades.filter((trade) => trade.at <= at.now);
  const answered = <T>(answer: () => T): Promise<Reply<T>> => {
    at.now = later(at.now, wayMs);
    const told = answer();
    at.now = later(at.now, wayMs);
    return done(told);
  };
  const venue: Pick<Venue, 'venueNow' | 'trades' | 'positions' | 'instrument'> = {
    venueNow: () => at.now,
    trades: ({ from = NOON }) =>
      answered(() => ({ trades: soFar().filter((trade) => trade.at >= from), hasMore: false })),
    positions: () =>
      answered(() => [openPosition(ACCOUNT, PERP.name, quantity(String(soFar().length)))]),
    instrument: () => PERP,
  };
  const audit = new PositionAudit(venue as Venue, ACCOUNT, {
    ...{ baselines: new MemoryAuditBaselines(), overlapMs: 1_000, graceMs: GRACE_MS },
  });
  return { at, audit };
}

describe('auditing a correct position', () => {
  test('a correct position is never a finding, even if trades occur while replies are in transit', async () => {
    const run = fc.record({
      tradesAtMs: fc.array(fc.integer({ min: -2_000, max: 15_000 }), {
        maxLength: 20,
        size: 'max',
      }),
      wayMs: fc.integer({ min: 0, max: 300 }),
      restMs: fc.integer({ min: 500, max: 4_000 }),
    });
    await fc.assert(
      fc.asyncProperty(run, async ({ tradesAtMs, wayMs, restMs }) => {
        const { at, audit } = trading(tradesAtMs, wayMs);
        for (let looks = 0; looks < 20; looks += 1) {
          expect(await audit.check()).toEqual([]);
          at.now = later(at.now, restMs);
        }
      }),
    );
  });

  test('a trade made while the first reply is in transit is not reported as a position difference', async () => {
    // The replies to the first check leave the venue after 10, 30 and 50 ms, and arrive 10 ms later.
    const { at, audit } = trading([55], 10);
    for (let looks = 0; looks < 6; looks += 1) {
      expect(await audit.check()).toEqual([]);
      at.now = later(at.now, 2_000);
    }
  });
});

describe('auditing a position that differs', () => {
  test('PT-19: a constant position difference halts after the grace period, to the millisecond', async () => {
    const check = await agreed();
    expect(await check(BEGUN, 130)).toEqual([]);
    expect(await check(later(BEGUN, GRACE_MS - 1), 130)).toEqual([]);
    expect(await check(later(BEGUN, GRACE_MS), 130)).toEqual(['halt']);
    expect(await check(later(BEGUN, GRACE_MS + 1), 100)).toEqual([]);
  });

  test('PT-19: a changing difference is reported from 30 s and reduces from 120 s, to the millisecond', async () => {
    const check = await agreed();
    const found: Record<number, readonly string[]> = {};
    const edges = [29_999, 30_000, 119_999, 120_000];
    let holds = 1_000;
    for (let ms = 0; ms <= 121_000; ms += 1_000) {
      for (const at of [...edges.filter((edge) => edge > ms - 1_000 && edge < ms), ms]) {
        holds += 1;
        found[at] = await check(later(BEGUN, at), holds);
      }
    }
    expect(edges.map((edge) => found[edge])).toEqual([[], ['report'], ['report'], ['reduce']]);
    expect(found[1_000]).toEqual([]);
  });

  test('PT-19: any sequence of position differences gives exactly the findings of the definition', async () => {
    const seen = fc.record({
      passMs: fc.oneof(
        fc.integer({ min: 1, max: 40_000 }),
        fc.constantFrom(1, GRACE_MS - 1, GRACE_MS, 29_999, 30_000, 119_999, 120_000),
      ),
      holds: fc.constantFrom(100, 100, 130, 131, 70),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(seen, { maxLength: 40, size: 'max' }), async (looks) => {
        const check = await agreed();
        let [now, apartSince, sameSince] = [BEGUN, BEGUN, BEGUN];
        let before = 100;
        for (const { passMs, holds } of looks) {
          now = later(now, passMs);
          if (before === 100) apartSince = now;
          if (before !== holds) sameSince = now;
          before = holds;
          const expected = (): readonly string[] => {
            if (holds === 100) return [];
            if (now - sameSince >= GRACE_MS) return ['halt'];
            if (now - apartSince >= 120_000) return ['reduce'];
            return now - apartSince >= 30_000 ? ['report'] : [];
          };
          expect(await check(now, holds)).toEqual(expected());
        }
      }),
    );
  });
});

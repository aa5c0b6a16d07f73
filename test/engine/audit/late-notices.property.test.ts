// A fill whose notice is late or lost never halts a portfolio: in whatever order the notice, the rounds of the auditor and
// the commits come, the fill is booked once and nothing is reported. A fill that cannot be booked is reported all the same.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRACE_MS } from '../../../src/engine/audit/audit-venue.ts';
import { ALL_ACCOUNTED, ExecutionReports } from '../../../src/engine/orders/execution-reports.ts';
import { SOLE_OWNER } from '../../../src/engine/ownership/ownership.ts';
import { must } from '../../../src/values/assert.ts';
import { later } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { cases } from '../../support/cases.ts';
import {
  type AuditStage,
  RESTING,
  records,
  started,
  unbookableTrade,
} from '../../support/engine/audit-stage.ts';
import { form, SETTINGS, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { ScriptRfqs } from '../../support/engine/script-rfqs.ts';

const PERP = perpetual();
const NEVER = undefined;

/** A ledger whose commits take as long as the test says at the time. */
function slowWorld() {
  const clock = new VirtualClock(NOON);
  const commits = { takeMs: 0 };
  const beforeCommit = async (): Promise<void> => {
    const until = later(clock.now(), commits.takeMs);
    if (commits.takeMs > 0) await new Promise<void>((done) => clock.at(until, done));
  };
  return {
    commits,
    w: world({ clock, ledger: new MemoryLedger({ now: () => clock.now(), beforeCommit }) }),
  };
}

/** Notices come this much later than they are sent, or never. */
function delayNotices({ venue, clock }: World, byMs: number | undefined): void {
  venue.carry = (send) => {
    if (byMs !== undefined) clock.at(later(clock.now(), byMs), send);
  };
}

/** A round may wait for the clock. */
async function stop({ auditor, run }: AuditStage): Promise<void> {
  const stopped = auditor.drain();
  await run(1_000);
  await stopped;
}

async function bookedTrades(w: World, id: Parameters<World['ledger']['load']>[0]) {
  const { events } = must(await w.ledger.load(id), 'it is stored');
  return events.flatMap((event) => (event.kind === 'fill_booked' ? [event.tradeId] : []));
}

const course = fc.record({
  noticeAfterMs: fc.oneof(
    fc.constantFrom(NEVER, GRACE_MS, GRACE_MS + 500, 2 * GRACE_MS),
    fc.integer({ min: 0, max: 15_000 }),
  ),
  commitMs: fc.oneof(
    fc.constantFrom(0, GRACE_MS, 2 * GRACE_MS),
    fc.integer({ min: 0, max: 8_000 }),
  ),
  fillAfterMs: fc.integer({ min: 0, max: 1_200 }),
});

describe('a fill that rests at the venue before its notice comes', () => {
  test('a fill is booked once and halts nothing, however late the notice and the commits are', async () => {
    await fc.assert(
      fc.asyncProperty(course, async ({ noticeAfterMs, commitMs, fillAfterMs }) => {
        const { commits, w: slow } = slowWorld();
        const w = await started(records(), slow);
        const twapTrade = { durationSec: 120, frequencySec: 120 };
        const id = await submitted(w, form({ legs: [RESTING], twapTrade }));
        await w.run(2_000 + fillAfterMs);
        commits.takeMs = commitMs;
        delayNotices(w, noticeAfterMs);
        w.venue.show(quote(PERP, [98_999.5, 99_000]));
        const traded = must(w.venue.kept[0], 'an order rests').trades.map(({ tradeId }) => tradeId);
        expect(traded).not.toEqual([]);
        await w.run(20_000 + 2 * commitMs);
        expect([w.breaches, w.halts, w.observer.failures]).toEqual([[], [], []]);
        expect(await bookedTrades(w, id)).toEqual(traded);
        await stop(w);
      }),
      { numRuns: cases(15) },
    );
  });

  test('a fill is handed over by the auditor when its notice never comes', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(2_000);
    delayNotices(w, NEVER);
    w.venue.show(quote(PERP, [98_999.5, 99_000]));
    await w.run(GRACE_MS + 2_000);
    const [traded] = must(w.venue.kept[0], 'an order rests').trades;
    expect(w.handedOver).toEqual([
      {
        event: 'trade_handed_over',
        account: '10001',
        portfolio: id,
        label: traded?.label,
        tradeId: traded?.tradeId,
      },
    ]);
    expect(await bookedTrades(w, id)).toEqual([traded?.tradeId]);
    expect(w.breaches).toEqual([]);
  });

  test('a fill is a finding only after a second grace where no child of the portfolio has its label', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 8_000 }), async (commitMs) => {
        const { commits, w: slow } = slowWorld();
        const w = await started(records(), slow);
        const id = await submitted(w, form({ legs: [RESTING] }));
        await w.run(2_000);
        commits.takeMs = commitMs;
        const kept = must(w.venue.kept[0], 'an order rests');
        kept.trades.push(unbookableTrade(kept, w));
        await w.run(2 * GRACE_MS - 1);
        expect(w.breaches).toEqual([]);
        await w.run(60_000);
        expect(w.breaches).toMatchObject([{ invariant: 'I5', portfolio: id }]);
        expect(w.handedOver).toHaveLength(1);
        await stop(w);
      }),
      { numRuns: cases(5) },
    );
  });

  test('a fill is booked from what is stored where this process does not know its child', async () => {
    const w = await started();
    const id = await submitted(w, form({ legs: [RESTING] }));
    await w.run(2_000);
    const known = must(w.engine.turns.peek(id), 'it is at work');
    const kept = must(w.venue.kept[0], 'an order rests');
    const trade = { ...unbookableTrade(kept, w), label: kept.order.label };
    for (const [state, expected] of [
      [{ ...known, children: new Map() }, ['refresh', 'record_report']],
      [known, ['record_report']],
    ] as const) {
      const calls: string[] = [];
      const reports = new ExecutionReports({
        clock: w.clock,
        observer: w.observer,
        settings: SETTINGS,
        venues: { forAccount: () => w.venue, all: () => [w.venue] },
        executor: { query: () => undefined },
        ownership: SOLE_OWNER,
        unaccounted: ALL_ACCOUNTED,
        engine: {
          turns: {
            follow: () => () => undefined,
            peek: () => state,
            refresh: () => calls.push('refresh'),
            run: (_portfolio, { kind }) => Promise.resolve(void calls.push(kind)),
          },
        },
      });
      reports.recordMissed(trade);
      expect(calls).toEqual(expected);
    }
  });

  test('a fill of a Block RFQ has the venue queried about that RFQ, and about no other', async () => {
    const clock = new VirtualClock(NOON);
    const rfqs = new ScriptRfqs(clock);
    const w = world({ clock, rfqs });
    w.venue.show(quote(PERP, [99_999.5, 100_000]));
    await w.engine.start();
    const asked = form({ execution: { endAction: 'rfq', rfq: { limitBps: 10 } }, legs: [RESTING] });
    await submitted(w, asked);
    for (let sec = 0; sec < 62; sec += 1) {
      w.venue.show(quote(PERP, [99_999.5, 100_000]));
      await w.run(1_000);
    }
    // Past the rest after the look of this second.
    await w.run(600);
    const label = must(rfqs.kept[0]?.record.label, 'it was asked for');
    const trade = unbookableTrade(must(w.venue.kept[0], 'an order rested'), w);
    const looks: (string | undefined)[] = [];
    const listRfqs = rfqs.rfqs.bind(rfqs);
    rfqs.rfqs = (query) => {
      looks.push(query.id);
      return listRfqs(query);
    };
    w.assembled.recordMissed({ ...trade, label: label.replace(/1$/, '2') });
    w.assembled.recordMissed({ ...trade, label });
    expect(looks).toEqual([rfqs.kept[0]?.record.id]);
  });
});

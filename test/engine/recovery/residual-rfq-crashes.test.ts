// Crashes at every await of a residual RFQ, and random quotes, losses and crashes: there is one RFQ at a time, the
// portfolio has exactly what the venue traded and never more than its total, and it ends.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import { isMore, price, quantity, text } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { cases } from '../../support/cases.ts';
import { type Life, life } from '../../support/daemon/mortal.ts';
import { BY, form, legForm, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, option, perpetual, quote } from '../../support/engine/markets.ts';
import { type RfqMishap, ScriptRfqs } from '../../support/engine/script-rfqs.ts';

const PERP = perpetual();
const CALL = option();
const INSTRUMENTS = [PERP, CALL];
const TOTALS = { [PERP.name]: '600', [CALL.name]: '50' };

type Fallback = 'cancel' | 'market';

const asked = (fallback: Fallback): PortfolioForm =>
  form({
    twapTrade: { durationSec: 6, frequencySec: 3 },
    legs: [
      legForm({
        instrument: CALL.name,
        instrumentType: 'option',
        quantity: quantity('50'),
        priceOptions: { priceType: 'limit', price: price('0.0005'), priceIn: 'BTC' },
      }),
      legForm({ side: 'sell', hedge: true }),
    ],
    execution: {
      endAction: 'rfq',
      rfq: { limitBps: 100, collectMs: 6_000, waitMs: 12_000, fallback },
    },
  });

function show(w: World): void {
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  w.venue.show(quote(CALL, [0.049, 0.051]));
}

async function pass(w: World, forMs: number, died?: Life): Promise<void> {
  for (let past = 0; past < forMs && died?.isDead !== true; past += 500) {
    show(w);
    await w.run(500);
  }
}

interface Course {
  readonly dieAt: number;
  readonly fallback: Fallback;
  readonly mishaps?: readonly (RfqMishap | undefined)[];
  /** The price at which the whole is offered, second by second from the end of the schedule. */
  readonly offers?: readonly (number | undefined)[];
  readonly makers?: number;
  /** The next process dies too, at this await of its own. */
  readonly dieAgainAt?: number;
}

interface Run {
  readonly world: World;
  readonly rfqs: ScriptRfqs;
  readonly portfolio: PortfolioId;
  readonly died: Life;
}

async function story(course: Course): Promise<Run> {
  const died = life(course.dieAt);
  const clock = new VirtualClock(NOON);
  const rfqs = new ScriptRfqs(clock);
  rfqs.mishaps.push(...(course.mishaps ?? []));
  const { offers = [0.0502], makers = 2 } = course;
  const offerAt = (second: number): void => {
    const at = offers[Math.min(second, offers.length - 1)];
    rfqs.offer = at === undefined ? undefined : { price: price(at.toFixed(4)), makers };
  };
  const parts = { instruments: INSTRUMENTS, rfqs };
  const first = world({ ...parts, clock, life: died });
  show(first);
  void first.engine
    .start()
    .then(() => first.operations.submit(asked(course.fallback), BY, 'story'));
  await first.run(100);
  for (let second = -6; second < 20 && !died.isDead; second += 1) {
    offerAt(Math.max(0, second));
    await pass(first, 1_000, died);
  }
  died.isDead = true;
  const { ledger, venue } = first;
  let second = world({ ...parts, clock, ledger, venue, life: life(course.dieAgainAt ?? 0) });
  show(second);
  void second.engine.start();
  await pass(second, 1_000);
  if (course.dieAgainAt !== undefined) {
    second = world({ ...parts, clock, ledger, venue, life: life(0) });
    void second.engine.start();
    await pass(second, 1_000);
  }
  const again = await second.operations.submit(asked(course.fallback), BY, 'story');
  if (again.kind === 'refused') throw new Error(JSON.stringify(again.rejections));
  await pass(second, 60_000);
  // An RFQ that arrived at the venue while no process ran expires.
  await second.run(300_000);
  return { world: second, rfqs, portfolio: again.value.portfolio, died };
}

async function expectExact({ world: w, rfqs, portfolio, died }: Run): Promise<void> {
  const at = `died ${died.where ?? 'later'}`;
  const info = await w.operations.info(portfolio);
  expect(['filled', 'cancelled'], at).toContain(info?.status);
  expect(rfqs.openMost, at).toBeLessThan(2);
  expect(rfqs.open, at).toEqual([]);
  for (const [index, leg] of (info?.legs ?? []).entries()) {
    const instrument = index === 0 ? CALL.name : PERP.name;
    const truth = w.venue.filled(instrument).plus(rfqs.filled(instrument));
    expect(leg.filled, `${at}: leg ${index}`).toBe(truth.toString());
    expect(isMore(quantity(leg.filled), quantity(TOTALS[instrument] ?? '0')), at).toBe(false);
    expect(leg.outstanding, at).toBe('0');
  }
  const stored = await w.ledger.load(portfolio);
  const booked = (stored?.events ?? []).flatMap((event) =>
    event.kind === 'fill_booked' && event.tradeId.startsWith('BLOCK') ? [event.tradeId] : [],
  );
  const traded = rfqs.kept.flatMap(({ trades }) => trades.flatMap(({ rows }) => rows));
  expect([...booked].sort(), at).toEqual(traded.map(({ tradeId }) => tradeId).sort());
  const broken = w.observer.events.filter((event) => event.kind === 'assumption_broken');
  expect([...broken, ...w.observer.failures], at).toEqual([]);
}

describe('crashing at an await of a residual RFQ', () => {
  test('a run without a crash trades the residual and has enough awaits to crash at', async () => {
    const run = await story({ dieAt: 0, fallback: 'cancel' });
    await expectExact(run);
    expect(text(run.rfqs.filled(CALL.name))).toBe('50');
    expect(run.died.count).toBeGreaterThan(30);
  });

  const troubles: {
    readonly name: string;
    readonly mishaps: readonly (RfqMishap | undefined)[];
  }[] = [
    { name: 'a clean venue', mishaps: [] },
    { name: 'a lost reply to the create', mishaps: ['lose_reply'] },
    { name: 'a lost reply to the accept', mishaps: [undefined, 'lose_reply'] },
    { name: 'a lost accept', mishaps: [undefined, 'lose_request'] },
    { name: 'a late accept', mishaps: [undefined, { lateMs: 2_000 }] },
    { name: 'a refused accept', mishaps: [undefined, { code: 13907 }] },
  ];
  test.each(troubles)(
    'a crash at any await, with $name, books exactly what the venue traded',
    async ({ mishaps }) => {
      const { died: golden } = await story({ dieAt: 0, fallback: 'market', mishaps });
      for (let at = 1; at <= golden.count; at += 1) {
        await expectExact(await story({ dieAt: at, fallback: 'market', mishaps }));
      }
    },
  );

  test('random quotes, losses and crashes book exactly what the venue traded', async () => {
    const mishaps: (RfqMishap | undefined)[] = [
      undefined,
      undefined,
      undefined,
      'lose_request',
      'lose_reply',
      { lateMs: 1_500 },
      { lateMs: 7_000 },
      { slowMs: 900 },
      { code: 13907 },
      { code: 10041 },
    ];
    const mishap = fc.constantFrom(...mishaps);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          dieAt: fc.nat({ max: 120 }),
          dieAgainAt: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
          fallback: fc.constantFrom<Fallback>('cancel', 'market'),
          mishaps: fc.array(mishap, { maxLength: 5 }),
          makers: fc.integer({ min: 1, max: 4 }),
          offers: fc.array(
            fc.option(fc.constantFrom(0.049, 0.05, 0.0504, 0.0506, 0.052), { nil: undefined }),
            { minLength: 1, maxLength: 20, size: 'max' },
          ),
        }),
        async ({ dieAgainAt, ...course }) => {
          await expectExact(await story({ ...course, ...(dieAgainAt && { dieAgainAt }) }));
        },
      ),
      { numRuns: cases(30) },
    );
  }, 480_000);
});

// More slices than can be executed: a ledger that serves a limited number of turns a second, as a full processor would.
import { describe, expect, it } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Observation } from '../../../src/ports/observer.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import {
  BY,
  form,
  legForm,
  submitted,
  type World,
  world,
} from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { type Witness, witness } from '../../support/engine/quiet-observer.ts';
import { SlowLedger } from './slow-ledger.ts';

const PERP = perpetual();
const LOAD_SEC = 60;
const SLICE = 10;
/** What a turn costs. An order and its answer are a turn each, so ten slices a second can be executed. */
const SERVICE_MS = 50;

type Changed = Observation<'overload_changed'>;

interface Loaded extends World {
  readonly ledger: SlowLedger;
  readonly observer: Witness;
  readonly changes: (Changed & { readonly atMs: number })[];
}

function loadable(): Loaded {
  const clock = new VirtualClock(NOON);
  const ledger = new SlowLedger(clock);
  const changes: Loaded['changes'] = [];
  const observer = witness({
    overload_changed: (change) => changes.push({ ...change, atMs: clock.now() - NOON }),
  });
  const w = world({ clock, ledger, observer });
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  return { ...w, ledger, observer, changes };
}

/** Portfolios with a slice a second each, their first slices spread over the second after five. */
async function submitMany(w: Loaded, count: number, durationSec: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await submitted(w, slicesOf(durationSec, 5_000 + Math.floor((1_000 * index) / count)));
  }
}

const slicesOf = (durationSec: number, inMs: number) =>
  form({
    startAt: later(NOON, inMs),
    twapTrade: { durationSec, frequencySec: 1 },
    legs: [legForm({ quantity: quantity(String(SLICE * durationSec)) })],
    execution: {},
  });

const filledIn = (events: readonly PortfolioEvent[], fromMs: number, toMs: number): number =>
  events
    .filter(({ at }) => at >= NOON + fromMs && at < NOON + toMs)
    .reduce((sum, event) => sum + (event.kind === 'fill_booked' ? Number(event.quantity) : 0), 0);

describe('an engine with more slices than it can execute', () => {
  it.each([2, 4])(
    'the engine fills at least four fifths of its capacity at %i times the load for a minute',
    async (times) => {
      const w = loadable();
      await w.engine.start();
      const capacity = 10;
      await submitMany(w, capacity * times, LOAD_SEC);
      w.ledger.serviceMs = SERVICE_MS;
      await w.run((5 + LOAD_SEC) * 1_000);
      const { events } = w.observer;
      const [half, end] = [5_000 + (LOAD_SEC * 1_000) / 2, 5_000 + LOAD_SEC * 1_000];
      expect(filledIn(events, 5_000, end)).toBeGreaterThanOrEqual(
        0.8 * capacity * LOAD_SEC * SLICE,
      );
      // What a filled slice costs does not grow while the overload lasts.
      const costIn = (fromMs: number, toMs: number): number => {
        const own = events.filter(({ at }) => at >= NOON + fromMs && at < NOON + toMs);
        return own.length / filledIn(events, fromMs, toMs);
      };
      expect(costIn(half, end)).toBeLessThanOrEqual(1.1 * costIn(5_000, half));
      expect(w.observer.failures).toEqual([]);
    },
  );

  it('slices are in time again within five seconds of the end of the load', async () => {
    const w = loadable();
    await w.engine.start();
    await submitMany(w, 40, LOAD_SEC);
    await submitMany(w, 5, 2 * LOAD_SEC);
    w.ledger.serviceMs = SERVICE_MS;
    const endMs = (5 + LOAD_SEC) * 1_000;
    await w.run(endMs + 5_000);
    const before = w.observer.lateMs.length;
    await w.run(30_000);
    const late = w.observer.lateMs.slice(before);
    expect(late.length).toBeGreaterThan(100);
    expect(Math.max(...late)).toBeLessThanOrEqual(300);
    expect(w.changes.map(({ isOverloaded }) => isOverloaded)).toEqual([true, false]);
  });

  it('new portfolios are refused until slices are in time again, and the answer says when to retry', async () => {
    const w = loadable();
    await w.engine.start();
    const early = await w.operations.submit(slicesOf(LOAD_SEC, 5_000), BY, 'a key');
    await submitMany(w, 40, 20);
    w.ledger.serviceMs = SERVICE_MS;
    await w.run(20_000);
    expect(w.assembled.overload.isOverloaded).toBe(true);
    const refused = await w.operations.submit(form(), BY);
    expect(refused).toMatchObject({
      kind: 'refused',
      rejections: [{ kind: 'unavailable', retryAfterSec: 3 }],
    });
    // A request that is repeated gets the portfolio that it created.
    const again = w.operations.submit(slicesOf(LOAD_SEC, 5_000), BY, 'a key');
    await w.run(1_000);
    expect(await again).toMatchObject({ kind: 'done', value: { created: false } });
    expect(early.kind).toBe('done');
    await w.run(30_000);
    expect(w.assembled.overload.isOverloaded).toBe(false);
    const accepted = w.operations.submit(form(), BY);
    await w.run(1_000);
    expect(await accepted).toMatchObject({ kind: 'done', value: { created: true } });
  });

  it('pauses and cancels are taken ahead of slices that wait to be decided', async () => {
    const w = loadable();
    await w.engine.start();
    const [paused, cancelled] = [
      await submitted(w, slicesOf(LOAD_SEC, 5_000)),
      await submitted(w, slicesOf(LOAD_SEC, 5_000)),
    ];
    await submitMany(w, 120, LOAD_SEC);
    w.ledger.serviceMs = SERVICE_MS;
    await w.run(20_000);
    expect(w.assembled.overload.isOverloaded).toBe(true);
    const answers = Promise.all([
      w.operations.pause(paused, BY),
      w.operations.cancel(cancelled, BY),
    ]);
    await w.run(2_500);
    expect(await answers).toEqual([
      { kind: 'done', value: null },
      { kind: 'done', value: null },
    ]);
  });

  it('what a portfolio missed is caught up with one turn and one slice', async () => {
    const w = loadable();
    await w.engine.start();
    await submitMany(w, 1, 30);
    await w.run(7_500);
    const before = w.observer.events.length;
    // The turn of the slice that is due next takes five and a half seconds.
    w.ledger.serviceMs = 5_500;
    await w.run(1_000);
    w.ledger.serviceMs = 0;
    await w.run(5_600);
    const since = w.observer.events.slice(before);
    const missed = since.filter(({ kind }) => kind === 'slices_missed');
    expect(missed).toMatchObject([{ from: 4, to: 7 }]);
    const started = since.flatMap((event) => (event.kind === 'slice_started' ? [event.slice] : []));
    expect(started.slice(0, 2)).toEqual([3, 8]);
    await w.run(40_000);
    expect(w.observer.events.at(-1)?.kind).toBe('filled');
  });

  it('a ledger that stands still for some seconds is no overload', async () => {
    const w = loadable();
    await w.engine.start();
    await submitMany(w, 10, 30);
    await w.run(10_500);
    w.ledger.serviceMs = 600;
    await w.run(200);
    w.ledger.serviceMs = 0;
    await w.run(40_000);
    expect(w.changes).toEqual([]);
  });
});

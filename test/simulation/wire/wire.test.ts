// Adapter, session, served wire and exchange over a line that fails. A failing seed is printed; the command
// `npm run simulate -- --profile wire --seed S --trace` shows its course.
import { describe, expect, test } from 'vitest';
import { runSeeds, seedsFrom, wireRun } from '../run-seeds.ts';
import { simulateWire } from './simulate-wire.ts';
import { drawWirePlan, wirePartsOf, withoutWireParts } from './wire-plan.ts';

const SEEDS = 60;

/** What has to be met in so many seeds: a plan that is too tame shows nothing. */
const MET = [
  'wire_cut',
  'wire_half_open',
  'wire_late',
  'wire_swapped',
  'wire_repeated',
  'wire_garbled',
  'wire_rate_ended',
  'wire_query_refused',
  'wire_unread',
  'wire_book_lost',
  'wire_refused',
  'gap announced',
  'exchange died',
  'account notice',
  'trigger done',
  'linked done',
  'combo create done',
  'trip done',
  'cancelled in its speed bump',
  'started by a trigger or another order',
  'rfq done',
  'place done',
  'place refused',
  'place unknown',
  'edit done',
  'edit unknown',
  'cancel done',
  'cancel_all done',
  'reconcile done',
  'reconcile refused',
  'reconcile unknown',
];

/** Seeds that once found something, and what. */
const REGRESSIONS: readonly (readonly [seed: string, found: string])[] = [
  ['38', 'a notice that could not be read soon after another one was lost without a comparison'],
  ['198', 'an order that its linked order cancelled at once was answered as open'],
  ['252', 'older news of an account replaced newer news in the books of the judge'],
  ['811', 'an order was left open at a disconnect in the pause of a settlement'],
  ['912', 'requests that were not sent took the credits of the connection that was being opened'],
  ['10475', 'an order whose bump ended while the exchange was down traded without its index'],
  ['3915', 'an exchange that had died wrote a further record'],
];

const run = wireRun({ simulateWire });

// The whole adapter connects and trades in each of them.
describe('the Deribit adapter on a line that fails', { timeout: 240_000 }, () => {
  test('nothing is lost, invented or made twice, and in the calm everything is known', async () => {
    const counts = new Map<string, number>();
    const failure = await runSeeds({
      run,
      seeds: seedsFrom(0, SEEDS),
      onDone: (_seed, result) => {
        for (const [what, times] of result.counts)
          counts.set(what, (counts.get(what) ?? 0) + times);
      },
    });
    expect(failure && { seed: failure.seed, ...failure.result.breach }).toBeUndefined();
    expect(MET.filter((what) => !counts.has(what))).toEqual([]);
  });

  test.each(REGRESSIONS)('seed %s runs to its end although %s', async (seed) => {
    expect((await run(seed)).breach).toBeUndefined();
  });

  test('a seed of the wire takes the same course each time, and another seed another one', async () => {
    const [first, again, other] = [await run('7'), await run('7'), await run('8')];
    expect(again.traceHash).toBe(first.traceHash);
    expect(other.traceHash).not.toBe(first.traceHash);
  });

  test('timers and the stopwatch are the own ones of the process again after a run', async () => {
    const before = [setTimeout, setInterval, setImmediate, clearTimeout, performance.now()];
    await run('9');
    expect([setTimeout, setInterval, setImmediate, clearTimeout]).toEqual(before.slice(0, 4));
    expect(performance.now()).toBeGreaterThan(before[4] as number);
    expect(Object.hasOwn(performance, 'now')).toBe(false);
  });

  test('parts of a plan are left out by their names, and an unknown name is refused', () => {
    const plan = drawWirePlan('7');
    const [first = ''] = wirePartsOf(plan);
    expect(wirePartsOf(withoutWireParts(plan, [first]))).not.toContain(first);
    expect(() => withoutWireParts(plan, ['nothing'])).toThrow(/has no part "nothing"; it has /);
  });
});

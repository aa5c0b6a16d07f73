// What a market was at single instants, against a list of everything that happened to it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InstantTrail } from '../../../src/engine/costs/instant-trail.ts';
import { type Price, quantity, text, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { type Instant, later, SECOND_MS } from '../../../src/values/instant.ts';
import type { Quote } from '../../../src/values/quote.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const at = (ms: number): Instant => later(NOON, ms);

interface State {
  readonly ms: number;
  readonly bid: number | undefined;
  /** Traded so far, in contracts of 10 at a price of 100. */
  readonly traded: number;
  /** The market is not known from here on. */
  readonly isLost: boolean;
}

const quoteOf = ({ ms, bid, traded }: State, change: Partial<Quote> = {}): Quote =>
  quote(perpetual(), [bid, 120], {
    seenAt: at(ms),
    traded: quantity(String(traded * 10)),
    tradedValue: quantity(String(traded * 1_000)) as never,
    ...change,
  });

/** What the trail answers, each second after what happened in it. */
function answersOf(states: readonly State[], needed: readonly number[]) {
  const trail = new InstantTrail();
  for (const ms of needed) trail.need(at(ms));
  const answers = new Map<number, { bid: number | undefined; volume: number | undefined }>();
  let [next, current] = [0, undefined as State | undefined];
  for (let second = 0; second <= 100; second += 1) {
    for (let state = states[next]; state !== undefined; state = states[next]) {
      if (state.ms > second * SECOND_MS) break;
      current = state;
      trail.note(state.isLost ? undefined : at(state.ms), quoteOf(state), at(state.ms));
      next += 1;
    }
    const now = at(second * SECOND_MS);
    const isKnown = current !== undefined && !current.isLost;
    const seen = isKnown ? quoteOf(current as State, { seenAt: now }) : undefined;
    for (const { at: of, bid, count } of trail.answered(now, seen, now)) {
      answers.set(of - NOON, {
        bid: bid && toNumber(bid),
        volume: count && toNumber(count.volume),
      });
      if (count !== undefined) expect(toNumber(count.value)).toBe(toNumber(count.volume) * 100);
    }
  }
  return answers;
}

const lived = fc
  .array(
    fc.record({
      // Now and then several in one millisecond.
      gap: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 600 })),
      bid: fc.option(fc.integer({ min: 90, max: 110 }), { nil: undefined }),
      traded: fc.integer({ min: 0, max: 3 }),
      isLost: fc.constant(false),
    }),
    { minLength: 1, maxLength: 150, size: 'max' },
  )
  .map((steps) => {
    let [ms, traded] = [0, 0];
    return steps.map((step): State => {
      ms += step.gap;
      traded += step.traded;
      return { ...step, ms, traded };
    });
  });

describe('the trail of a market', () => {
  test('an instant is answered with the last change up to the end of its millisecond', () => {
    const needed = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 20, size: 'max' });
    fc.assert(
      fc.property(lived, needed, (states, asked) => {
        const answers = answersOf(states, asked);
        for (const ms of asked) {
          const state = states.findLast((one) => one.ms <= ms);
          if (state === undefined) expect(answers.has(ms)).toBe(false);
          else expect(answers.get(ms)).toEqual({ bid: state.bid, volume: state.traded * 10 });
        }
      }),
      { numRuns: 25 },
    );
  });

  const known = (ms: number, traded: number): State => ({ ms, bid: 100, traded, isLost: false });
  const lost = (ms: number): State => ({ ms, bid: undefined, traded: 0, isLost: true });

  test('a break is unknown from the last that was known before it until the next change, and the count begins again', () => {
    const states = [known(100, 1), known(2_500, 2), lost(3_700), known(9_400, 5), known(9_900, 6)];
    const answers = answersOf(states, [2_499, 3_000, 3_001, 3_700, 9_399, 9_400]);
    answers.delete(100);
    expect([...answers].sort(([a], [b]) => a - b)).toEqual([
      [2_499, { bid: 100, volume: 10 }],
      // When the market was looked at last, which is also the last bound of the count.
      [3_000, { bid: 100, volume: 20 }],
      [3_001, { bid: undefined, volume: undefined }],
      [3_700, { bid: undefined, volume: undefined }],
      [9_399, { bid: undefined, volume: undefined }],
      [9_400, { bid: 100, volume: 50 }],
    ]);
  });

  test('a market that the venue has not confirmed for a minute is not known, and its trades are still counted', () => {
    const trail = new InstantTrail();
    trail.note(at(0), quoteOf(known(0, 1)), at(0));
    for (const ms of [60_000, 60_001, 61_500]) trail.need(at(ms));
    const bids: [number, Price | undefined, string | undefined][] = [];
    for (let second = 0; second <= 70; second += 1) {
      const now = at(second * SECOND_MS);
      const seen = quoteOf(known(0, second < 61 ? 1 : 4));
      if (second === 61) trail.note(at(61_000), seen, now);
      for (const one of trail.answered(now, seen, now)) {
        bids.push([one.at - NOON, one.bid, one.count && text(one.count.volume)]);
      }
    }
    expect(bids.slice(1).map(([ms, bid, volume]) => [ms, bid && toNumber(bid), volume])).toEqual([
      [60_000, 100, '10'],
      [60_001, undefined, '10'],
      [61_500, undefined, '40'],
    ]);
  });

  test('an instant before the market was followed, or longer ago than changes are kept, has no answer', () => {
    const states = Array.from({ length: 400 }, (_, n): State => {
      return { ...known(5_000 + n * 50, n), bid: 100 + (n % 2) };
    });
    expect(answersOf(states, [4_999]).has(4_999)).toBe(false);
    const trail = new InstantTrail();
    for (const state of states) trail.note(at(state.ms), quoteOf(state), at(state.ms));
    const now = at(25_000);
    const seen = quoteOf(must(states.at(-1), 'a state'));
    expect([...trail.answered(now, seen, now)]).toHaveLength(0);
    trail.need(at(6_000));
    trail.need(at(20_000));
    const next = at(26_000);
    const [...found] = trail.answered(next, seen, next);
    expect(found.map((one) => one.at - NOON)).toEqual([20_000]);
  });
});

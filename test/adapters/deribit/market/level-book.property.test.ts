// Books brought forward by frames that are dropped, repeated and permuted, against a model that keeps the venue's book
// after each of its frames: a book of ours is one of the venue's, or there is none.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type BookFrame,
  bestLevels,
  isCrossed,
  LEVELS_MAX,
  type Level,
  type LevelBook,
  withFrame,
} from '../../../../src/adapters/deribit/market/level-book.ts';
import { text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { instant } from '../../../../src/values/instant.ts';

type Side = ReadonlyMap<number, string>;
interface VenueBook {
  readonly bids: Side;
  readonly asks: Side;
}
interface Change {
  readonly side: 'bids' | 'asks';
  readonly at: number;
  readonly amount: number;
}

const EMPTY: VenueBook = { bids: new Map(), asks: new Map() };

const level = (at: number, amount: string): Level => ({ at, price: String(at), amount });
const levelsOf = (side: Side): Level[] => [...side].map(([at, amount]) => level(at, amount));

function changed(book: VenueBook, changes: readonly Change[]): VenueBook {
  const next = { bids: new Map(book.bids), asks: new Map(book.asks) };
  for (const { side, at, amount } of changes) {
    if (amount === 0) next[side].delete(at);
    else next[side].set(at, String(amount));
  }
  return next;
}

/** What the venue publishes: the ids of its frames have gaps, each frame names the one before. */
class VenueOfOneBook {
  readonly states = new Map<string, VenueBook>([['7', EMPTY]]);
  #id = 7;

  frame(changes: readonly Change[]): BookFrame {
    const before = must(this.states.get(String(this.#id)), 'the last state');
    const prevChangeId = String(this.#id);
    this.#id += 3;
    this.states.set(String(this.#id), changed(before, changes));
    const of = (side: Change['side']) =>
      changes.filter((one) => one.side === side).map(({ at, amount }) => level(at, String(amount)));
    const ids = { changeId: String(this.#id), prevChangeId };
    return { kind: 'change', at: instant(this.#id), ...ids, bids: of('bids'), asks: of('asks') };
  }

  snapshot(): BookFrame {
    const { bids, asks } = must(this.states.get(String(this.#id)), 'the last state');
    const changeId = String(this.#id);
    const sides = { bids: levelsOf(bids), asks: levelsOf(asks) };
    return { kind: 'snapshot', at: instant(this.#id), changeId, ...sides };
  }
}

const shown = ({ levels }: LevelBook['bids']): string[] =>
  levels.map(({ at, amount }) => `${at}:${amount}`);
const modelled = (side: Side, best: (a: number, b: number) => number): string[] =>
  [...side].sort(([a], [b]) => best(a, b)).map(([at, amount]) => `${at}:${amount}`);

function expectSame(book: LevelBook, venue: VenueOfOneBook): void {
  const model = must(venue.states.get(book.changeId), 'a state of the venue');
  expect(shown(book.bids)).toEqual(modelled(model.bids, (a, b) => b - a));
  expect(shown(book.asks)).toEqual(modelled(model.asks, (a, b) => a - b));
}

const change: fc.Arbitrary<Change> = fc.record({
  side: fc.constantFrom('bids', 'asks'),
  at: fc.integer({ min: -5, max: 30 }),
  amount: fc.integer({ min: 0, max: 4 }),
});
const frames = fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 10 });
const mishap = fc.constantFrom('none', 'none', 'none', 'dropped', 'repeated', 'swapped');

describe('a book of levels', () => {
  it('equals the venue’s after every frame, or is missing after a gap', () => {
    fc.assert(
      fc.property(frames, fc.array(mishap, { maxLength: 10 }), (made, mishaps) => {
        const venue = new VenueOfOneBook();
        const first = venue.snapshot();
        const sent = made.flatMap((changes, index) => {
          const frame = venue.frame(changes);
          if (mishaps[index] === 'dropped') return [];
          return mishaps[index] === 'repeated' ? [frame, frame] : [frame];
        });
        for (const [index, kind] of mishaps.entries()) {
          const [one, other] = [sent[index], sent[index + 1]];
          if (kind !== 'swapped' || one === undefined || other === undefined) continue;
          [sent[index], sent[index + 1]] = [other, one];
        }
        let book: LevelBook | undefined;
        for (const frame of [first, ...sent]) {
          const next = withFrame(book, frame);
          book = 'gap' in next ? undefined : next;
          if (book !== undefined) expectSame(book, venue);
        }
        const anew = withFrame(book, venue.snapshot());
        if ('gap' in anew) throw new Error(anew.gap);
        expectSame(anew, venue);
      }),
    );
  });

  it('equals the venue’s after the last frame if all of them came in order', () => {
    fc.assert(
      fc.property(frames, (made) => {
        const venue = new VenueOfOneBook();
        let book = withFrame(undefined, venue.snapshot());
        for (const changes of made) {
          if ('gap' in book) throw new Error(book.gap);
          book = withFrame(book, venue.frame(changes));
        }
        if ('gap' in book) throw new Error(book.gap);
        expectSame(book, venue);
        const best = bestLevels(book.bids, 1)?.[0];
        expect(best && text(best.price)).toBe(shown(book.bids)[0]?.split(':')[0]);
      }),
    );
  });

  test('A change before any snapshot makes no book.', () => {
    const venue = new VenueOfOneBook();
    expect(withFrame(undefined, venue.frame([]))).toEqual({
      gap: 'a change came without a snapshot',
    });
  });

  test('A frame is applied whole, so that a book crossed between two of its levels is not crossed.', () => {
    const venue = new VenueOfOneBook();
    venue.frame([
      { side: 'bids', at: 10, amount: 1 },
      { side: 'asks', at: 11, amount: 1 },
    ]);
    const before = withFrame(undefined, venue.snapshot());
    if ('gap' in before) throw new Error(before.gap);
    const moved: readonly Change[] = [
      { side: 'bids', at: 12, amount: 1 },
      { side: 'asks', at: 11, amount: 0 },
      { side: 'asks', at: 13, amount: 1 },
    ];
    const after = withFrame(before, venue.frame(moved));
    if ('gap' in after) throw new Error(after.gap);
    expect(isCrossed(after)).toBe(false);
    const crossed = withFrame(after, venue.frame([{ side: 'asks', at: 12, amount: 1 }]));
    if ('gap' in crossed) throw new Error(crossed.gap);
    expect(isCrossed(crossed)).toBe(true);
  });

  test('A book longer than what is kept answers no depth beyond it, and is read again when it is used up.', () => {
    const venue = new VenueOfOneBook();
    const many = LEVELS_MAX + 500;
    venue.frame(Array.from({ length: many }, (_, at) => ({ side: 'asks', at, amount: 1 })));
    let book = withFrame(undefined, venue.snapshot());
    if ('gap' in book) throw new Error(book.gap);
    expect(book.asks.levels).toHaveLength(LEVELS_MAX);
    expect(bestLevels(book.asks, LEVELS_MAX + 1)).toBeUndefined();
    expect(bestLevels(book.asks, 3)?.map(({ price }) => text(price))).toEqual(['0', '1', '2']);
    const deeper = venue.frame([{ side: 'asks', at: many + 1, amount: 1 }]);
    book = withFrame(book, deeper);
    if ('gap' in book) throw new Error(book.gap);
    expect(book.asks.levels.at(-1)?.at).toBe(LEVELS_MAX - 1);
    const taken = Array.from({ length: LEVELS_MAX - 50 }, (_, at) => ({
      side: 'asks',
      at,
      amount: 0,
    })) as readonly Change[];
    expect(withFrame(book, venue.frame(taken))).toEqual({
      gap: 'the known part of a long book is used up',
    });
  });
});

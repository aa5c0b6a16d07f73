// An order that follows the market must not follow itself. Others stand still; ours is filled, edited and replaced, and
// both its reports and the book come late, each by a delay of its own. Nothing of it may show in the quote.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OrderRecord } from '../../../../src/core/order/order-record.ts';
import { price, quantity, text } from '../../../../src/values/amounts.ts';
import { instrumentName, orderId } from '../../../../src/values/ids.ts';
import { type Instant, later } from '../../../../src/values/instant.ts';
import { orderRecord } from '../../../support/engine/venue-records.ts';
import { BOOK, type LevelText, ScriptedMarket, TICKER, ticker } from './scripted-market.ts';

const BTC = instrumentName('BTC-PERPETUAL');
/** In steps of 0.5 from 64,000: the others' bids, and sizes in tenths. They never change. */
const OTHERS: ReadonlyMap<number, number> = new Map([
  [0, 3],
  [-1, 400],
  [-3, 50],
]);
const BEST = '64000x0.3';
const SIZE = 100;

/** The venue's truth of one order of ours: a price in steps, and what is left in tenths. */
interface Ours {
  readonly id: number;
  readonly at: number;
  readonly left: number;
  readonly isOpen: boolean;
}

interface Course {
  readonly bookMs: number;
  readonly ownMs: number;
  /** Further delay of single messages, which keep their order. */
  readonly jitters: readonly number[];
  readonly fillMs: number;
  readonly editMs: number;
  readonly prices: readonly number[];
}

const at = (steps: number): number => 64_000 + steps / 2;

class Venue {
  readonly #scripted: ScriptedMarket;
  readonly #course: Course;
  #ours: Ours | undefined;
  #changeId = 10;
  #changedAt: Instant;
  #published = new Map<number, number>();
  #draws = 0;
  #bookAt = 0;
  #ownAt = 0;
  #ids = 0;

  constructor(scripted: ScriptedMarket, course: Course) {
    this.#scripted = scripted;
    this.#course = course;
    this.#changedAt = scripted.clock.now();
  }

  /** The order that is in the book, or the next one at this price. */
  work(steps: number): void {
    const { own, clock } = this.#scripted;
    const before = this.#ours?.isOpen ? this.#ours : undefined;
    const left = before?.left ?? SIZE;
    const shown = quantity(String(left / 10));
    const over = own.request(BTC, { side: 'buy', price: at(steps), quantity: shown }, clock.now());
    this.#ids += before === undefined ? 1 : 0;
    this.#ours = { id: before?.id ?? this.#ids, at: steps, left, isOpen: true };
    const record = this.#recorded(this.#ours);
    // The answer takes as long as reports do.
    this.#after(this.#ownMs(), () => {
      own.note(record);
      over();
    });
  }

  fill(tenths: number): void {
    const ours = this.#ours;
    if (!ours?.isOpen) return;
    const left = Math.max(0, ours.left - tenths);
    this.#ours = { ...ours, left, isOpen: left > 0 };
    const record = this.#recorded(this.#ours);
    this.#after(this.#ownMs(), () => this.#scripted.own.note(record));
  }

  publishBook(): void {
    const levels = new Map(OTHERS);
    const { at: steps = 0, left = 0, isOpen = false } = this.#ours ?? {};
    if (isOpen) levels.set(steps, (levels.get(steps) ?? 0) + left);
    const isFirst = this.#published.size === 0;
    const changes: LevelText[] = [];
    for (const step of new Set([...levels.keys(), ...this.#published.keys()])) {
      const [was, is] = [this.#published.get(step) ?? 0, levels.get(step) ?? 0];
      if (was === is) continue;
      changes.push([is === 0 ? 'delete' : was === 0 ? 'new' : 'change', at(step), is / 10]);
    }
    if (changes.length === 0) return;
    this.#published = levels;
    const prev = this.#changeId;
    this.#changeId += 1;
    const frame = {
      timestamp: this.#changedAt,
      instrument_name: BTC,
      change_id: this.#changeId,
      bids: changes,
      asks: isFirst ? [['new', 64_010, 5]] : [],
      ...(isFirst ? { type: 'snapshot' } : { type: 'change', prev_change_id: prev }),
    };
    this.#bookAt = Math.max(
      this.#bookAt,
      this.#scripted.clock.now() + this.#course.bookMs + this.#jitter(),
    );
    this.#at(this.#bookAt, () => this.#scripted.publish(BOOK, frame));
  }

  #recorded({ id, at: steps, left, isOpen }: Ours): OrderRecord {
    const now = this.#scripted.clock.now();
    this.#changedAt = now;
    return orderRecord({
      orderId: orderId(String(id)),
      instrument: BTC,
      side: 'buy',
      label: `order ${id}`,
      price: price(String(at(steps))),
      quantity: quantity(String(SIZE / 10)),
      filledQuantity: quantity(String((SIZE - left) / 10)),
      updatedAt: now,
      state: isOpen ? 'open' : 'filled',
    });
  }

  #ownMs(): number {
    this.#ownAt = Math.max(
      this.#ownAt,
      this.#scripted.clock.now() + this.#course.ownMs + this.#jitter(),
    );
    return this.#ownAt - this.#scripted.clock.now();
  }

  #jitter(): number {
    this.#draws += 1;
    return this.#course.jitters[this.#draws % this.#course.jitters.length] ?? 0;
  }

  #after(ms: number, then: () => void): void {
    this.#at(this.#scripted.clock.now() + ms, then);
  }

  #at(ms: number, then: () => void): void {
    const { clock } = this.#scripted;
    clock.at(later(clock.now(), ms - clock.now()), then);
  }
}

const delay = fc.integer({ min: 0, max: 400 });
const courses: fc.Arbitrary<Course> = fc.record({
  bookMs: delay,
  ownMs: delay,
  jitters: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 7 }),
  fillMs: fc.constantFrom(20, 30, 70, 150),
  editMs: fc.constantFrom(200, 300, 510, 5_000),
  // Alone inside the spread, alongside the best of the others, behind them.
  prices: fc.array(fc.constantFrom(4, 1, 0, 0, -1, -2, -3), { minLength: 1, maxLength: 6 }),
});

const STEP_MS = 10;
const FOR_MS = 4_000;

async function differing(course: Course): Promise<readonly string[]> {
  const scripted = await ScriptedMarket.up();
  scripted.market.quotes.watch(BTC);
  await scripted.pass(100);
  const venue = new Venue(scripted, course);
  venue.publishBook();
  scripted.publish(TICKER, ticker({ best_bid_amount: 0.3, best_ask_price: 64_010 }));
  await scripted.pass(1_500);
  const found: string[] = [];
  for (let ms = 0; ms < FOR_MS; ms += STEP_MS) {
    if (ms % course.editMs === 0) {
      venue.work(course.prices[(ms / course.editMs) % course.prices.length] ?? 0);
    }
    if (ms % course.fillMs === 0) venue.fill(1);
    if (ms % 100 === 0) venue.publishBook();
    if (ms % 4_000 === 0)
      scripted.publish(TICKER, ticker({ best_bid_amount: 0.3, best_ask_price: 64_010 }));
    await scripted.pass(STEP_MS);
    const bid = scripted.market.quotes.quote(BTC)?.bid;
    const shown = bid === undefined ? 'none' : text(bid.price);
    if (shown !== '64000') found.push(`${shown} after ${ms} ms`);
  }
  return found;
}

describe('a quote while our own order is worked', () => {
  test(`the best bid of the others stays ${BEST}, whatever the delays of book and reports`, async () => {
    await fc.assert(
      fc.asyncProperty(courses, async (course) => {
        expect(await differing(course)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  // The delays of the cases that were seen: 18 and 105 reprices, 17, 20 and 171 flips within 40 s.
  test.each([0, 60, 120, 250, 500])(
    'a book that is %i ms late makes no price move by fills each 20 ms',
    async (bookMs) => {
      const course = { bookMs, ownMs: 0, jitters: [0], fillMs: 20, editMs: 5_000, prices: [1] };
      expect(await differing(course)).toEqual([]);
      expect(await differing({ ...course, prices: [0] })).toEqual([]);
    },
  );
});

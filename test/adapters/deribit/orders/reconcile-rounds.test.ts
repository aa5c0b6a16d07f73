// Many orders of unknown outcome answered by lists: the answers are those of single queries, and however the orders move
// and whatever fails while the lists are read, an order that was there when it was requested is never called absent.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reconcile } from '../../../../src/adapters/deribit/orders/reconcile.ts';
import { ReconcileRounds } from '../../../../src/adapters/deribit/orders/reconcile-rounds.ts';
import type { Reply } from '../../../../src/ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery } from '../../../../src/ports/venue.ts';
import { text } from '../../../../src/values/amounts.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import { ACCOUNT, BTC } from '../../paper/paper-stage.ts';
import { DOWN, type Life, MovingVenue } from './moving-venue.ts';

const ETH = instrumentName('ETH-PERPETUAL');
const NEVER = Number.POSITIVE_INFINITY;
const ABSENT = { kind: 'done', value: { orders: [], trades: [] } } as const;

const life = (id: number, changes: Partial<Life> = {}): Life => ({
  id,
  label: `tw1-${id}`,
  instrument: BTC,
  acceptedAt: -5,
  closedAt: NEVER,
  agedAt: NEVER,
  fills: [],
  isLookedUp: true,
  historyLag: 0,
  tradesAreListed: 'everywhere',
  ...changes,
});
const open = (id: number): Life => life(id);
const recent = (id: number): Life => life(id, { closedAt: -2 });
const old = (id: number): Life => life(id, { closedAt: -2, agedAt: -1 });
/** Neither history shows it yet. */
const fresh = (id: number): Life => life(id, { closedAt: -2, historyLag: NEVER });

const many = (count: number, make: (id: number) => Life, from = 0): readonly Life[] =>
  Array.from({ length: count }, (_, n) => make(from + n));
const queryOf = (label: string, instrument = BTC): ReconcileQuery => ({
  account: ACCOUNT,
  instrument,
  label,
});
const queriesOf = (lives: readonly Life[]): readonly ReconcileQuery[] =>
  lives.map(({ label, instrument }) => queryOf(label, instrument));
const never = (count: number): readonly ReconcileQuery[] =>
  Array.from({ length: count }, (_, n) => queryOf(`never-${n}`, n % 2 === 0 ? BTC : ETH));

const asked = (venue: MovingVenue, queries: readonly ReconcileQuery[]) => {
  const rounds = new ReconcileRounds(venue);
  return Promise.all(queries.map((query) => rounds.reconcile(query)));
};

const instruments = fc.constantFrom(BTC, ETH);

describe('many orders requested at once', () => {
  const still = fc
    .record({
      instrument: instruments,
      make: fc.constantFrom(open, recent, old, fresh),
      acceptedAt: fc.integer({ min: -90, max: -4 }),
      fills: fc.array(fc.integer({ min: -3, max: -2 }), { maxLength: 3 }),
      tradesAreListed: fc.constantFrom('everywhere', 'everywhere', 'by order', 'nowhere'),
    })
    .map(
      ({ make, ...changes }) =>
        (id: number): Life => ({ ...make(id), ...changes }),
    );

  test('many orders requested at once have the answers that each has by itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(still, { maxLength: 30, size: 'max' }),
        fc.nat(10),
        async (makes, absent) => {
          const lives = makes.map((make, id) => make(id));
          const queries = [...queriesOf(lives), ...never(absent)];
          const venue = new MovingVenue({ lives });
          const alone = queries.map((query) => reconcile(venue, query));
          expect(await asked(venue, queries)).toEqual(await Promise.all(alone));
        },
      ),
    );
  });

  test('many orders requested at once cost a list of open ones, two histories, a list of trades, and a look-up of each that is in none', async () => {
    const filled = (one: Life): Life => ({ ...one, fills: [-3] });
    const lives = [...many(4, open), ...many(20, open, 10), ...many(20, recent, 40).map(filled)];
    const venue = new MovingVenue({ lives });
    await asked(venue, [...queriesOf(lives), ...never(1)]);
    // Four are requested alone. A page of the history has three orders, one of the trades seven.
    const counted = Map.groupBy(venue.reads, (name) => name);
    expect(counted.get('label')).toHaveLength(4 + 1);
    expect(counted.get('open')).toHaveLength(1);
    expect(counted.get('recent history')).toHaveLength(7);
    expect(counted.get('old history')).toHaveLength(1);
    expect(counted.get('trades')).toHaveLength(4);
    expect(venue.reads).toHaveLength(4 + 1 + 1 + 7 + 1 + 4);
  });

  test('a few orders are requested by their labels, as one is', async () => {
    const lives = many(4, open);
    const venue = new MovingVenue({ lives });
    await asked(venue, queriesOf(lives));
    expect(venue.reads).toEqual(['label', 'label', 'label', 'label']);
  });

  test('an order older than an hour does not make the list of trades begin with it', async () => {
    const filled = many(8, (id) => life(id, { acceptedAt: -30, fills: [-3] }), 4);
    const ancient = life(50, { acceptedAt: -60_000, fills: [-59_000] });
    // Enough of others to fill pages.
    const strange = life(60, { acceptedAt: -50_000, fills: Array(700).fill(-40_000) });
    const venue = new MovingVenue({ lives: [...filled, ancient, strange, ...many(4, open)] });
    const queries = queriesOf([...many(4, open), ...filled, ancient]);
    const replies = await asked(venue, queries);
    expect(replies.map(({ kind }) => kind)).toEqual(queries.map(() => 'done'));
    expect(venue.reads.filter((name) => name === 'trades')).toHaveLength(2);
    expect(venue.reads.filter((name) => name === 'trades by order')).toHaveLength(1);
  });

  test('a query that comes while lists are read is not answered by them', async () => {
    const first = many(9, open);
    // It is accepted when the list of open orders has been read, and only such a list shows it.
    const late = life(20, { acceptedAt: 6, isLookedUp: false });
    const lives = [...first, late];
    let isLateAsked = false;
    const replies: Promise<Reply<Reconciled>>[] = [];
    const venue: MovingVenue = new MovingVenue({
      lives,
      isMoving: true,
      pause: () => {
        if (!isLateAsked && venue.reads.includes('open') && venue.now >= 6) {
          isLateAsked = true;
          for (const query of [...never(8), queryOf(late.label)]) {
            replies.push(rounds.reconcile(query));
          }
        }
        return Promise.resolve();
      },
    });
    const rounds = new ReconcileRounds(venue);
    await Promise.all([...queriesOf(first), ...never(3)].map((query) => rounds.reconcile(query)));
    expect(isLateAsked).toBe(true);
    expect((await Promise.all(replies)).at(-1)).toMatchObject({
      value: { orders: [{ label: late.label }] },
    });
  });
});

describe('lists that fail', () => {
  const lives = [...many(4, open), ...many(6, open, 10), ...many(6, recent, 20)];
  const aged = [life(30, { ...old(30), instrument: ETH }), old(31)];
  const queries = [...queriesOf([...lives, ...aged, fresh(40)]), queryOf('never')];
  const under = async (failing: string) => {
    const venue = new MovingVenue({
      lives: [...lives, ...aged, fresh(40)],
      isFailing: (_, read) => read === failing,
    });
    const replies = await asked(venue, queries.slice(0));
    // The first four are requested alone.
    return replies.slice(4).map((reply) => {
      if (reply.kind !== 'done') return reply.kind;
      return reply.value.orders.length === 0 ? 'absent' : 'found';
    });
  };
  const row = (open: string, recent: string, old: string, fresh: string, absent: string) => [
    ...Array(6).fill(open),
    ...Array(6).fill(recent),
    old,
    old,
    fresh,
    absent,
  ];

  test.each([
    ['nothing', row('found', 'found', 'found', 'found', 'absent')],
    ['open', row('unknown', 'unknown', 'unknown', 'unknown', 'unknown')],
    ['recent history', row('found', 'unknown', 'unknown', 'unknown', 'unknown')],
    ['old history', row('found', 'found', 'unknown', 'unknown', 'unknown')],
    ['label', row('found', 'found', 'found', 'unknown', 'unknown')],
  ])('lists that fail make exactly what depends on them unknown: %s', async (failing, expected) => {
    expect(await under(failing)).toEqual(expected);
  });

  test('lists that fail leave orders with fills unknown if they are those of trades', async () => {
    const filled = many(12, (id) => ({ ...recent(id), fills: id % 6 === 5 ? [] : [-3] }));
    const venue = new MovingVenue({ lives: filled, isFailing: (_, read) => read === 'trades' });
    const replies = (await asked(venue, queriesOf(filled))).slice(4);
    expect(replies.map((reply) => (reply.kind === 'done' ? 'found' : reply))).toEqual(
      filled.slice(4).map(({ fills }) => (fills.length === 0 ? 'found' : DOWN)),
    );
  });
});

describe('orders that move while lists are read', () => {
  const spans = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant(NEVER));
  const moving = fc
    .record({
      instrument: instruments,
      acceptedAt: fc.integer({ min: -20, max: 12 }),
      openFor: spans,
      recentFor: spans,
      fillsAfter: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
      isLookedUp: fc.boolean(),
      // A recent order is shown by its label or by the histories at any time.
      historyLag: fc.integer({ min: 0, max: 6 }),
      tradesAreListed: fc.constantFrom('everywhere', 'by order'),
    })
    .map(({ openFor, recentFor, fillsAfter, historyLag, ...own }): Life => {
      const closedAt = own.acceptedAt + openFor;
      const isLagging = own.isLookedUp && historyLag > 0;
      return {
        ...own,
        id: 0,
        label: '',
        closedAt,
        agedAt: isLagging ? NEVER : closedAt + recentFor,
        fills: fillsAfter.map((after) => Math.min(own.acceptedAt + after, closedAt)),
        historyLag: isLagging ? historyLag : 0,
      };
    });
  const numbered = (lives: readonly Life[]): readonly Life[] =>
    lives.map((one, id) => ({ ...one, id, label: `tw1-${id}` }));

  /** What the answer says that cannot have been so when the order was requested. */
  function wrong(reply: Reply<Reconciled>, of: Life | undefined, askedAt: number): string[] {
    if (reply.kind !== 'done') return [];
    const { orders, trades } = reply.value;
    const [order] = orders;
    if (order === undefined) return of && of.acceptedAt <= askedAt ? ['absent'] : [];
    if (of === undefined || orders.length > 1) return ['an order too many'];
    const filled = Number(text(order.filledQuantity));
    const filledThen = of.fills.filter((at) => at <= askedAt).length * 10;
    const ids = new Set(trades.map(({ tradeId }) => tradeId));
    const found: string[] = [];
    if (Number(order.orderId) !== of.id) found.push('another order');
    if (of.closedAt <= askedAt && order.state === 'open') found.push('open though closed');
    if (filled < filledThen) found.push('fewer fills than there were');
    if (trades.length * 10 < filled) found.push('fewer trades than fills');
    if (ids.size !== trades.length) found.push('a trade twice');
    if (trades.some(({ orderId }) => orderId !== order.orderId)) found.push('trades of others');
    return found;
  }

  test('orders that move while lists are read are found, or unknown if a read fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(moving, { minLength: 6, maxLength: 24, size: 'max' }),
        fc.nat(6),
        fc.array(fc.nat(6), { minLength: 30, maxLength: 30 }),
        fc.oneof(
          fc.constant<number[]>([]),
          fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12, size: 'max' }),
        ),
        fc.scheduler(),
        async (unnumbered, absent, delays, failing, scheduler) => {
          const lives = numbered(unnumbered);
          const venue = new MovingVenue({
            lives,
            isMoving: true,
            pause: () => scheduler.schedule(Promise.resolve()),
            isFailing: (nth) => failing.includes(nth),
          });
          const rounds = new ReconcileRounds(venue);
          const queries = [...queriesOf(lives), ...never(absent)];
          const answers = queries.map(async (query, n) => {
            const delay = delays[n] ?? 0;
            for (let step = 0; step < delay; step += 1) await scheduler.schedule(Promise.resolve());
            const askedAt = venue.now;
            const reply = await rounds.reconcile(query);
            if (failing.length === 0) expect(reply.kind).toBe('done');
            return wrong(reply, lives[n], askedAt);
          });
          const found = await scheduler.waitFor(Promise.all(answers));
          expect(found.flat()).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('orders that never were are absent', async () => {
    expect(await asked(new MovingVenue({ lives: [] }), never(12))).toEqual(Array(12).fill(ABSENT));
  });
});

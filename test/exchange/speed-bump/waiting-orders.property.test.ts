// Random days with a long speed bump, so that many orders wait at once: none trades early, queues keep their order, and
// snapshot and journal bring waiting orders back at any moment.
import { expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { AccountEvent, ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import type { ExchangeOrder, ExchangeTrade } from '../../../src/exchange/order.ts';
import type { OrderId } from '../../../src/values/ids.ts';
import { ALICE, BOB, options } from '../exchange-desk.ts';
import { RandomDay } from '../random-day.ts';

const STEPS = 1_500;
const BUMP_MS = 900;
const open = () => new Exchange({ ...options(), speedBumpMs: BUMP_MS });

const written = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';
/** Orders and balances: what is reserved depends on references, which a journal does not have. */
const ordersOf = (exchange: Exchange) => {
  const { openOrders, closedOrders, balances, counters } = exchange.snapshot();
  return { openOrders, closedOrders, balances, orders: counters.orders, rank: counters.rank };
};
/** The books of the random day that have no speed bump. */
const EXEMPT = new Set(['BTC-PERPETUAL', 'BTC_USDC']);

interface Day {
  readonly trades: readonly ExchangeTrade[];
  /** The ends of all waits of each order. */
  readonly waits: ReadonlyMap<OrderId, readonly number[]>;
  /** Orders in the order in which they began to wait, and in that of their releases, by book. */
  readonly held: ReadonlyMap<string, readonly OrderId[]>;
  readonly freed: ReadonlyMap<string, readonly OrderId[]>;
  readonly waitedAtOnce: number;
}

const appended = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  map.set(key, [...(map.get(key) ?? []), value]);
};

function run(seed: string): Day {
  const exchange = open();
  const day = new RandomDay(seed);
  const trades: ExchangeTrade[] = [];
  const waits = new Map<OrderId, number[]>();
  const [held, freed] = [new Map<string, OrderId[]>(), new Map<string, OrderId[]>()];
  const began = new Set<string>();
  let waitedAtOnce = 0;
  const note = ({ orderId, instrument, rank, bump }: ExchangeOrder): void => {
    if (bump === undefined || began.has(`${orderId} ${rank}`)) return;
    began.add(`${orderId} ${rank}`);
    appended(waits, orderId, bump.until);
    appended(held, instrument, orderId);
  };
  for (let i = 0; i < STEPS; i += 1) {
    const answer = exchange.handle(day.next());
    if (answer.kind === 'order') day.sawOrder(answer.order);
    for (const { order } of exchange.drainReleased())
      appended(freed, order.instrument, order.orderId);
    for (const event of exchange.drainEvents()) {
      if (event.kind === 'order_changed') note(event.order);
      if (event.kind === 'trade') trades.push(event.trade);
    }
    const waiting = [ALICE, BOB].flatMap((account) => exchange.openOrders({ account }));
    waitedAtOnce = Math.max(waitedAtOnce, waiting.filter(({ bump }) => bump).length);
  }
  return { trades, waits, held, freed, waitedAtOnce };
}

it.each(['mon', 'tue'])(
  'on %s no taker trades before the end of its wait, and queues are kept',
  (seed) => {
    const { trades, waits, held, freed, waitedAtOnce } = run(seed);
    const taking = trades.filter(({ liquidity, wasHidden }) => liquidity === 'taker' && !wasHidden);
    const ofBumped = taking.filter(({ instrument }) => !EXEMPT.has(instrument));
    for (const { orderId, at } of ofBumped) {
      const ends = waits.get(orderId) ?? [];
      expect(
        ends.some((end) => end <= at),
        `${orderId} at ${at} of ${ends}`,
      ).toBe(true);
    }
    for (const { orderId } of taking.filter(({ instrument }) => EXEMPT.has(instrument))) {
      expect(waits.has(orderId)).toBe(false);
    }
    expect(ofBumped.length).toBeGreaterThan(20);
    expect(waitedAtOnce).toBeGreaterThan(2);
    for (const [instrument, orders] of freed) {
      // Some were cancelled by the exchange while they waited: the others keep their order.
      const left = [...(held.get(instrument) ?? [])];
      for (const id of orders) {
        const at = left.indexOf(id);
        expect(at, `${id} of ${instrument}`).toBeGreaterThanOrEqual(0);
        left.splice(0, at + 1);
      }
    }
  },
);

it.each([0, 400, 1_100])(
  'a snapshot after %i commands plus the journal brings every waiting order back',
  (taken) => {
    const exchange = open();
    const day = new RandomDay('restart');
    let snapshot = written(exchange.snapshot());
    const journal = [];
    let waited = 0;
    const settings = { ...options(), speedBumpMs: BUMP_MS };
    for (let i = 0; i < STEPS; i += 1) {
      const answer = exchange.handle(day.next());
      if (answer.kind === 'order') day.sawOrder(answer.order);
      journal.push(
        ...exchange.drainEvents().filter(isAccountEvent).map(journalRecord).map(written),
      );
      if (i + 1 === taken) {
        // As pieces, the snapshot is the same.
        snapshot = JSON.parse([...exchange.snapshotPieces()].join('')) as typeof snapshot;
        expect(snapshot).toEqual(written(exchange.snapshot()));
        journal.length = 0;
      }
      if (i % 250 !== 249) continue;
      const restored = Exchange.restore(snapshot, settings);
      restored.applyJournal(journal);
      expect(ordersOf(restored)).toEqual(ordersOf(exchange));
      expect(restored.releasesAt()).toBe(exchange.releasesAt());
      if (exchange.releasesAt() !== undefined) waited += 1;
      restored.applyJournal(journal.slice(-50));
      expect(ordersOf(restored)).toEqual(ordersOf(exchange));
    }
    expect(waited).toBeGreaterThan(0);
  },
);

// Many unknown outcomes of one account, answered by a few lists. Up to a handful of queries are asked one by one; once more
// of them wait, one round answers all that wait: from the list of the account's open orders, from the histories of
// their instruments, and from one list of the account's trades. What is in no list is still requested by its label.
import type { Refused, Unknown } from '../../../core/order/answer-class.ts';
import type { OrderRecord } from '../../../core/order/order-record.ts';
import { tradesSince } from '../../../ports/trades-since.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery } from '../../../ports/venue.ts';
import { isZero } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import type { AccountId, InstrumentName } from '../../../values/ids.ts';
import { earliest, HOUR_MS, type Instant, later } from '../../../values/instant.ts';
import { mapped } from '../outcome.ts';
import type { DeribitOrderDesk } from './deribit-order-desk.ts';
import {
  fromFirstComplete,
  inHistory,
  type ReconcileReads,
  reconcile,
  type TradeSource,
  tradesByOrder,
  tradesOfOne,
  withTrades,
} from './reconcile.ts';

/** So many are cheaper to request one by one. */
const FEW = 4;
/** The trades of an older order are requested by its id: a list since then could be long. */
const LISTED_AGE_MS = HOUR_MS;

export interface RoundReads extends ReconcileReads, Pick<DeribitOrderDesk, 'openOrders'> {
  venueNow(): Instant;
}

/** The queries of one account. */
interface Line {
  readonly account: AccountId;
  readonly waiting: Waiting[];
  /** The number being requested one by one. */
  alone: number;
  isInRound: boolean;
}

interface Waiting {
  readonly query: ReconcileQuery;
  readonly answer: (reply: Promise<Reply<Reconciled>>) => void;
}

/** Answers each query as {@link reconcile} does. */
export class ReconcileRounds {
  readonly #reads: RoundReads;
  readonly #lines = new Map<AccountId, Line>();

  constructor(reads: RoundReads) {
    this.#reads = reads;
  }

  reconcile(query: ReconcileQuery): Promise<Reply<Reconciled>> {
    const { promise, resolve: answer } = Promise.withResolvers<Reply<Reconciled>>();
    const { account } = query;
    const line = this.#lines.get(account) ?? { account, waiting: [], alone: 0, isInRound: false };
    this.#lines.set(account, line);
    line.waiting.push({ query, answer });
    this.#advance(line);
    return promise;
  }

  #advance(line: Line): void {
    const { waiting } = line;
    if (waiting.length > FEW) {
      if (!line.isInRound) void this.#round(line);
      return;
    }
    while (line.alone < FEW) {
      const next = waiting.shift();
      if (next === undefined) return;
      void this.#one(line, next);
    }
  }

  async #one(line: Line, { query, answer }: Waiting): Promise<void> {
    line.alone += 1;
    const reply = reconcile(this.#reads, query);
    answer(reply);
    await Promise.allSettled([reply]);
    line.alone -= 1;
    this.#advance(line);
  }

  async #round(line: Line): Promise<void> {
    line.isInRound = true;
    // Those that are asked in the same breath belong to it.
    await Promise.resolve();
    // A query that comes after this waits for the next round: no list of this one proves anything about it.
    const all = line.waiting.splice(0);
    const queries = all.map(({ query }) => query);
    const round = new Round(this.#reads, line.account, queries);
    const replies = all.map(({ query, answer }) => {
      const reply = round.reconciled(query);
      answer(reply);
      return reply;
    });
    await Promise.allSettled(replies);
    line.isInRound = false;
    this.#advance(line);
  }
}

type Failed = Refused | Unknown;

interface Found {
  readonly orders: readonly OrderRecord[];
  /** Why the lists were not read to the end, if they were not. */
  readonly failed?: Failed | undefined;
}

/**
 * One round over queries of one account. All of them have been asked before it is made; none can join it later.
 *
 * The lists are read in the direction in which orders move, each only after the one before was answered: open orders, the
 * recent history, the old one. So an order that leaves a list before it is read is in one that is read later; in any
 * other order it could move from the list that is still to be read to the one that has been. The look-up by
 * label is last, because it also knows orders that a history does not show yet.
 *
 * Open orders are answered before the histories are read: the price in an answer tells whether an edit was accepted, so it
 * must be as fresh as that of a query by itself.
 */
class Round {
  readonly #reads: RoundReads;
  readonly #account: AccountId;
  readonly #queries: readonly ReconcileQuery[];
  readonly #open: Promise<Reply<readonly OrderRecord[]>>;
  #histories: ReadonlyMap<InstrumentName, Promise<Found>> | undefined;
  #tradesOfOpen: TradeSource | undefined;
  #tradesOfClosed: Promise<TradeSource> | undefined;

  constructor(reads: RoundReads, account: AccountId, queries: readonly ReconcileQuery[]) {
    this.#reads = reads;
    this.#account = account;
    this.#queries = queries;
    this.#open = this.#readOpen();
  }

  async reconciled(query: ReconcileQuery): Promise<Reply<Reconciled>> {
    const open = await this.#open;
    if (open.kind !== 'done') return open;
    const live = ordersOf(query, open.value);
    if (live.length > 0) {
      this.#tradesOfOpen ??= tradesOfMany(this.#reads, this.#account, open.value);
      return await withTrades(live, this.#tradesOfOpen);
    }
    this.#histories ??= this.#readHistories(open.value);
    const { orders, failed } = await must(this.#histories.get(query.instrument), 'a history');
    const closed = ordersOf(query, orders);
    if (closed.length > 0) {
      this.#tradesOfClosed ??= this.#readTradesOfClosed();
      return await withTrades(closed, await this.#tradesOfClosed);
    }
    if (failed !== undefined) return failed;
    const labelled = await this.#reads.ordersLabelled(query);
    if (labelled.kind !== 'done') return labelled;
    return await withTrades(labelled.value, tradesOfOne(this.#reads));
  }

  /** Those that are queried. */
  async #readOpen(): Promise<Reply<readonly OrderRecord[]>> {
    return mapped(await this.#reads.openOrders({ account: this.#account }), (all) =>
      this.#queries.flatMap((query) => ordersOf(query, all)),
    );
  }

  /** Of every instrument with a query that the open orders do not answer. */
  #readHistories(open: readonly OrderRecord[]): ReadonlyMap<InstrumentName, Promise<Found>> {
    const missing = this.#queries.filter((query) => ordersOf(query, open).length === 0);
    const byInstrument = Map.groupBy(missing, ({ instrument }) => instrument);
    return new Map([...byInstrument].map(([name, of]) => [name, this.#readHistory(name, of)]));
  }

  async #readHistory(
    instrument: InstrumentName,
    missing: readonly ReconcileQuery[],
  ): Promise<Found> {
    const labels = new Set(missing.map(({ label }) => label));
    const orders: OrderRecord[] = [];
    for (const historical of [false, true]) {
      const account = this.#account;
      const reply = await inHistory(this.#reads, { account, instrument, labels, historical });
      if (reply.kind !== 'done') return { orders, failed: reply };
      orders.push(...reply.value);
      for (const { label } of reply.value) labels.delete(label);
      if (labels.size === 0) break;
    }
    return { orders };
  }

  /** One list for all instruments, so it waits for their histories. */
  async #readTradesOfClosed(): Promise<TradeSource> {
    const found = await Promise.all(this.#histories?.values() ?? []);
    const orders = found.flatMap((one) => one.orders);
    return tradesOfMany(this.#reads, this.#account, orders);
  }
}

const ordersOf = (
  { instrument, label }: ReconcileQuery,
  orders: readonly OrderRecord[],
): readonly OrderRecord[] =>
  orders.filter((order) => order.label === label && order.instrument === instrument);

/** The trades of each of these orders, from one list of the account's trades where that takes fewer requests. */
function tradesOfMany(
  reads: RoundReads,
  account: AccountId,
  orders: readonly OrderRecord[],
): TradeSource {
  const alone = tradesOfOne(reads);
  const now = reads.venueNow();
  const listedFrom = later(now, -LISTED_AGE_MS);
  const isListed = ({ createdAt, filledQuantity }: OrderRecord): boolean =>
    createdAt >= listedFrom && !isZero(filledQuantity);
  const listed = orders.filter(isListed);
  if (listed.length <= FEW) return alone;
  const from = listed.reduce((at, { createdAt }) => earliest(at, createdAt), now);
  const all = tradesSince(reads, account, from);
  // The legs of a combo carry the id of its order too.
  const among: TradeSource = async ({ orderId, instrument }) =>
    mapped(await all, (trades) =>
      trades.filter((one) => one.orderId === orderId && one.instrument === instrument),
    );
  const listedOrById = fromFirstComplete([among, tradesByOrder(reads)]);
  return (order) => (isListed(order) ? listedOrById(order) : alone(order));
}

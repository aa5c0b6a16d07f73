// Asks the venue what became of a child. Before a second empty answer proves that it was never placed, the account's trades
// since its request are searched for its label: an empty look-up does not prove that nothing traded. Searches of one
// account that wait share a list.
import type { ChildOrder } from '../../core/order/child-order.ts';
import type { TradeRecord } from '../../core/order/order-record.ts';
import { labelledTradesSince } from '../../ports/trades-since.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery, Venue } from '../../ports/venue.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import { earliest, type Instant, later } from '../../values/instant.ts';

type AskedVenue = Pick<Venue, 'reconcile' | 'trades' | 'order'>;
type Found = Reply<readonly TradeRecord[]>;

interface Waiting {
  readonly since: Instant;
  readonly answer: (found: Promise<Found>) => void;
}

interface Line {
  waiting: Waiting[];
  isReading: boolean;
}

export class ChildReconciliation {
  readonly #lines = new Map<AccountId, Line>();
  readonly #skewMs: number;

  /** @param skewMs the most by which the venue's clock and ours differ */
  constructor(skewMs: number) {
    this.#skewMs = skewMs;
  }

  /** Orders and trades of the child that are not booked yet; `done` without any if there are none. */
  async reconcile(
    venue: AskedVenue,
    query: ReconcileQuery,
    child: Pick<ChildOrder, 'absentSince' | 'intendedAt' | 'trades'> | undefined,
  ): Promise<Reply<Reconciled>> {
    const { account, label } = query;
    const reply = await venue.reconcile(query);
    if (reply.kind !== 'done' || reply.value.orders.length > 0) return reply;
    // The first empty answer begins a wait; only one after it proves anything.
    if (child?.absentSince === undefined) return reply;
    const since = later(child.intendedAt, -this.#skewMs);
    const found = await this.#tradesSince(venue, account, since);
    if (found.kind !== 'done') return found;
    const trades = found.value.filter(
      (trade) => trade.label === label && !child.trades.includes(trade.tradeId),
    );
    const ids = new Set<OrderId>(trades.map(({ orderId }) => orderId));
    const told = await Promise.all([...ids].map((id) => venue.order(account, id)));
    const orders = told.flatMap((reply) => (reply.kind === 'done' ? [reply.value] : []));
    return { kind: 'done', value: { orders, trades } };
  }

  #tradesSince(venue: AskedVenue, account: AccountId, since: Instant): Promise<Found> {
    const { promise, resolve: answer } = Promise.withResolvers<Found>();
    const line = this.#lines.get(account) ?? { waiting: [], isReading: false };
    this.#lines.set(account, line);
    line.waiting.push({ since, answer });
    if (!line.isReading) void this.#read(venue, account, line);
    return promise;
  }

  /** A search that comes while a list is being read waits for the next one, because the order may have traded since. */
  async #read(venue: AskedVenue, account: AccountId, line: Line): Promise<void> {
    line.isReading = true;
    // Searches of the same event-loop tick share the first list.
    await Promise.resolve();
    while (line.waiting.length > 0) {
      const all = line.waiting;
      line.waiting = [];
      const [first, ...others] = all.map(({ since }) => since);
      const from = others.reduce(earliest, first as Instant);
      const found = labelledTradesSince(venue, account, from);
      for (const { answer } of all) answer(found);
      await Promise.allSettled([found]);
    }
    line.isReading = false;
    this.#lines.delete(account);
  }
}

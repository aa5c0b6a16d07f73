// Tracks the orders created over one connection and cancels them when it closes. Orders triggered by them are
// included.
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { AccountId, OrderId } from '../../../values/ids.ts';
import type { Desks } from '../../desks/desks.ts';

/** Above this many ids of an account, those of closed orders are dropped. */
const PRUNE_FROM = 5_000;
/**
 * Pauses between attempts to cancel at a venue that does not answer, or where an order stays open: it waits in its speed bump, or
 * its book is closed. About a dozen seconds in all.
 */
const PAUSES_MS = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400];

interface Made {
  readonly ids: Set<OrderId>;
  pruneAt: number;
  isPruning: boolean;
}

export class SessionOrders {
  readonly #orders: Pick<Desks, 'forAccount'>;
  readonly #byAccount = new Map<AccountId, Made>();

  constructor(orders: Pick<Desks, 'forAccount'>) {
    this.#orders = orders;
  }

  note(order: OrderRecord): void {
    if (!isLive(order)) return;
    const made = this.#of(order.account);
    made.ids.add(order.orderId);
    for (const id of order.otoOrderIds ?? []) made.ids.add(id);
    if (made.ids.size < made.pruneAt || made.isPruning) return;
    made.isPruning = true;
    void this.#prune(order.account, made);
  }

  /**
   * Cancels the account's orders that are still open, and checks until none is. Throws if the venue does not
   * answer for too long: an operator has to intervene.
   */
  async cancelAll(account: AccountId): Promise<void> {
    const made = this.#byAccount.get(account);
    const desk = this.#orders.forAccount(account);
    if (made === undefined || desk === undefined) return;
    for (const pauseMs of PAUSES_MS) {
      const open = await openOf(desk, account, made.ids);
      if (open?.length === 0) return;
      const reason = 'cancel_on_disconnect';
      const asked =
        open?.map(({ orderId }) => desk.cancel({ account, of: { orderId }, reason })) ?? [];
      const replies = await Promise.all(asked);
      if (open === undefined || !replies.every(isClosed)) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
    if ((await openOf(desk, account, made.ids))?.length === 0) return;
    throw new Error(`orders of account ${account} may be open although their connection is gone`);
  }

  #of(account: AccountId): Made {
    const known = this.#byAccount.get(account);
    if (known !== undefined) return known;
    const made = { ids: new Set<OrderId>(), pruneAt: PRUNE_FROM, isPruning: false };
    this.#byAccount.set(account, made);
    return made;
  }

  /** Ids added during the query are kept: their orders may be younger than the answer. */
  async #prune(account: AccountId, made: Made): Promise<void> {
    const before = [...made.ids];
    const desk = this.#orders.forAccount(account);
    const reply = await desk?.openOrders({ account });
    if (reply?.kind === 'done') {
      const open = new Set(reply.value.filter(belongsTo(made.ids)).map(({ orderId }) => orderId));
      for (const id of before) if (!open.has(id)) made.ids.delete(id);
      for (const id of open) made.ids.add(id);
    }
    made.pruneAt = Math.max(PRUNE_FROM, made.ids.size * 2);
    made.isPruning = false;
  }
}

const isLive = ({ state }: OrderRecord): boolean => state === 'open' || state === 'untriggered';

const isClosed = (reply: Reply<OrderRecord>): boolean =>
  reply.kind === 'done' && !isLive(reply.value);

/** `undefined` if the venue does not answer. */
async function openOf(
  desk: TradingDesk,
  account: AccountId,
  ids: ReadonlySet<OrderId>,
): Promise<readonly OrderRecord[] | undefined> {
  const reply = await desk.openOrders({ account });
  return reply.kind === 'done' ? reply.value.filter(belongsTo(ids)) : undefined;
}

const belongsTo =
  (ids: ReadonlySet<OrderId>) =>
  ({ orderId, triggerOrderId, primaryOrderId }: OrderRecord): boolean =>
    ids.has(orderId) ||
    (triggerOrderId !== undefined && ids.has(triggerOrderId)) ||
    (primaryOrderId !== undefined && ids.has(primaryOrderId));

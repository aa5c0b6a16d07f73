// The `order.change.any` channel of one connection: all open orders of an account, initially and with every
// change, together with the orders that changed. Changes close in time are combined; the more orders are open,
// the longer the interval.
import { setTimeout as rest } from 'node:timers/promises';
import type { OrderRecord } from '../../core/order/order-record.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import { type AccountId, orderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Desks } from '../desks/desks.ts';
import type { ChannelSource } from '../order-api/channels/channel-source.ts';
import { Paced } from '../order-api/channels/paced.ts';
import type { OrderView } from '../order-api/orders/order-schema.ts';
import { orderView } from '../order-api/orders/order-view.ts';
import { KINDS } from '../order-api/param-fields.ts';
import {
  foreignAccount,
  type Granted,
  type Outlet,
  refusedChannel,
  type StreamChannel,
  type Wish,
} from './stream-channel.ts';

const CHANNEL = 'order.change.any';
const GATHER_MS = 100;
const ORDERS_PER_MS = 5;
const RETRY_MS = 1_000;

export interface OrdersFrame {
  readonly op: 'push';
  readonly channel: typeof CHANNEL;
  /** When the orders were read, Unix milliseconds. */
  readonly timestamp: string;
  readonly data: {
    readonly accountId: string;
    /** Every open order of the account, untriggered ones included, newest first. */
    readonly orders: readonly OrderView[];
    /** Orders that changed since the previous frame, in their current state; none in the first frame. */
    readonly changed: readonly OrderView[];
  };
}

export interface OrdersChannelOptions {
  readonly orders: Desks;
  readonly source: ChannelSource;
  readonly outlet: Outlet;
  readonly now: () => Instant;
}

export class OrdersChannel implements StreamChannel {
  readonly #parts: OrdersChannelOptions;
  readonly #followed = new Map<AccountId, FollowedOrders>();

  constructor(parts: OrdersChannelOptions) {
    this.#parts = parts;
  }

  subscribe({ accountId, after }: Wish): Promise<Granted> {
    const { orders, outlet } = this.#parts;
    const desk = accountId && orders.forAccount(accountId);
    const fault =
      (accountId === undefined
        ? 'accountId: is missing; accepted: an account of this key'
        : undefined) ??
      (after === undefined
        ? undefined
        : 'after: applies to trade-news only; this channel starts with a snapshot') ??
      foreignAccount(outlet.key, accountId) ??
      (desk === undefined ? 'accountId: has no orders of its own' : undefined);
    if (accountId === undefined || desk === undefined || fault !== undefined) {
      return Promise.resolve({ answer: refusedChannel(CHANNEL, fault ?? '') });
    }
    const answer = { channel: CHANNEL, success: true, errorMsg: null };
    if (this.#followed.has(accountId)) return Promise.resolve({ answer });
    const followed = new FollowedOrders(this.#parts, accountId, desk);
    this.#followed.set(accountId, followed);
    return Promise.resolve({ answer, begin: () => followed.begin() });
  }

  unsubscribe(accountId?: AccountId): void {
    for (const account of accountId === undefined ? [...this.#followed.keys()] : [accountId]) {
      this.#followed.get(account)?.leave();
      this.#followed.delete(account);
    }
  }

  close(): void {
    this.unsubscribe();
  }
}

class FollowedOrders {
  readonly #parts: OrdersChannelOptions;
  readonly #account: AccountId;
  readonly #desk: TradingDesk;
  readonly #paced: Paced;
  #changed = new Map<string, OrderView>();
  #leave: (() => void) | undefined;
  /** Open in the last frame. */
  #told: readonly OrderView[] = [];
  /** Changes since the last frame may have been missed. */
  #hasGap = false;
  #isOver = false;

  constructor(parts: OrdersChannelOptions, account: AccountId, desk: TradingDesk) {
    this.#parts = parts;
    this.#account = account;
    this.#desk = desk;
    this.#paced = new Paced({
      intervalMs: GATHER_MS,
      flush: () => this.#publish(),
      onFault: parts.source.onFault,
    });
  }

  begin(): void {
    if (this.#isOver) return;
    const { source } = this.#parts;
    const scope = { kinds: KINDS['any'] ?? [], currency: undefined };
    const opened = source.open(
      { kind: 'user_orders', scope, interval: 'raw' },
      {
        account: this.#account,
        publish: (view) => this.#receive(view as OrderView),
        onGap: () => {
          this.#hasGap = true;
          this.#paced.mark();
        },
        onFault: source.onFault,
      },
    );
    this.#leave = opened?.leave;
    this.#paced.mark();
  }

  leave(): void {
    this.#isOver = true;
    this.#leave?.();
    this.#paced.stop();
  }

  #receive(view: OrderView): void {
    this.#changed.delete(view.orderId);
    this.#changed.set(view.orderId, view);
    this.#paced.mark();
  }

  async #publish(): Promise<void> {
    const { outlet } = this.#parts;
    await outlet.room();
    const changed = this.#changed;
    this.#changed = new Map();
    const reply = await this.#desk.openOrders({ account: this.#account });
    if (this.#isOver) return;
    if (reply.kind !== 'done') return await this.#again(changed);
    const ended = await this.#endedInGap(reply.value, changed);
    if (this.#isOver) return;
    if (ended === undefined) return await this.#again(changed);
    for (const order of ended) changed.set(order.orderId, order);
    const frame = this.#frame(reply.value, changed);
    this.#told = frame.data.orders;
    outlet.send(JSON.stringify(frame));
    await rest(reply.value.length / ORDERS_PER_MS, undefined, { ref: false });
  }

  /** What became of orders that were open in the last frame and ended unnoticed; `undefined` if the venue does not say. */
  async #endedInGap(
    open: readonly OrderRecord[],
    changed: ReadonlyMap<string, OrderView>,
  ): Promise<readonly OrderView[] | undefined> {
    if (!this.#hasGap) return [];
    this.#hasGap = false;
    const isOpen = new Set<string>(open.map(({ orderId: id }) => id));
    const missing = this.#told.filter(({ orderId: id }) => !isOpen.has(id) && !changed.has(id));
    const ended: OrderView[] = [];
    for (const { orderId: id } of missing) {
      const reply = await this.#desk.order(this.#account, orderId(id));
      if (reply.kind === 'done') ended.push(orderView(reply.value));
      // An order that the venue has forgotten is refused for good.
      else if (reply.kind === 'unknown' || reply.class === 'later') {
        this.#hasGap = true;
        return undefined;
      }
    }
    return ended;
  }

  /** Changes that could not be published are published with the next. */
  async #again(untold: ReadonlyMap<string, OrderView>): Promise<void> {
    this.#changed = new Map([...untold, ...this.#changed]);
    await rest(RETRY_MS, undefined, { ref: false });
    this.#paced.mark();
  }

  #frame(open: readonly OrderRecord[], changed: ReadonlyMap<string, OrderView>): OrdersFrame {
    return {
      op: 'push',
      channel: CHANNEL,
      timestamp: String(this.#parts.now()),
      data: {
        accountId: this.#account,
        orders: open.map(orderView),
        changed: [...changed.values()],
      },
    };
  }
}

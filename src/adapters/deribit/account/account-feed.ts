// What Deribit publishes about an account, as notices of the port. One that cannot be read changes nothing by itself: the
// account is compared with the venue instead, as after a break.
import type { TradeRecord } from '../../../core/order/order-record.ts';
import {
  Fields,
  fieldsOfEach,
  MalformedMessage,
} from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { LiquidationNotice, VenueNotice } from '../../../ports/trading-desk.ts';
import { type AccountId, instrumentName } from '../../../values/ids.ts';
import { LatestMap } from '../../../values/latest-map.ts';
import type { OrderReader } from '../orders/order-reader.ts';
import type { OwnOrders } from '../orders/own-orders.ts';

/** One frame for each event, with its orders, trades and positions; no account is traded without it. */
export const REQUIRED_CHANNELS: readonly string[] = ['user.changes.any.any.raw'];
const LIQUIDATION = 'user.liquidation';
/**
 * Balances; liquidations, by which a position may move without an order or a trade; and trades of combos, which are not among those
 * of their legs.
 */
export const OPTIONAL_CHANNELS: readonly string[] = [
  'user.portfolio.any',
  LIQUIDATION,
  'user.combo_trades.any.any.raw',
];

const COMBOS_KEPT_MAX = 1_000;

export interface FeedParts {
  readonly reader: OrderReader;
  readonly own: OwnOrders;
  readonly tally: WireTally;
  readonly notify: (account: AccountId, notice: VenueNotice) => void;
  /** A notice of the account was lost. */
  readonly onGap: (account: AccountId) => void;
  readonly onFault: (error: unknown) => void;
}

export class AccountFeed {
  readonly #parts: FeedParts;
  /** Trades of combos that were passed on: whether they come on one channel or on both is open. */
  readonly #combos = new LatestMap<string, true>(COMBOS_KEPT_MAX);

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** False for a channel of another subject. */
  receive(account: AccountId, channel: string, data: unknown): boolean {
    if (channel.startsWith('user.changes.')) this.#changes(account, data);
    else if (channel.startsWith('user.combo_trades.')) this.#trades(account, channel, data);
    else if (channel.startsWith('user.portfolio.'))
      this.#parts.notify(account, { kind: 'account', account });
    else if (channel === LIQUIDATION) this.#liquidated(account, data);
    else return false;
    return true;
  }

  /** Whatever its stage: what it did is read from the venue, at once. */
  #liquidated(account: AccountId, data: unknown): void {
    const { tally, notify, onGap } = this.#parts;
    const what = `a message of ${LIQUIDATION}`;
    const liquidation = this.#read(account, () => liquidationIn(new Fields(what, data, tally)));
    notify(account, { kind: 'account', account, liquidation });
    // One that cannot be read has been reported as a gap already.
    if (liquidation !== undefined) onGap(account);
  }

  #changes(account: AccountId, data: unknown): void {
    const what = 'a message of user.changes';
    const changes = this.#read(account, () => new Fields(what, data, this.#parts.tally));
    const orders = changes?.raw('orders') ?? [];
    const trades = changes?.raw('trades') ?? [];
    for (const one of this.#each(account, `orders of ${what}`, orders)) this.#order(account, one);
    for (const one of this.#each(account, `trades of ${what}`, trades)) this.#trade(account, one);
  }

  #trades(account: AccountId, channel: string, data: unknown): void {
    for (const one of this.#each(account, `a message of ${channel}`, data)) {
      this.#trade(account, one);
    }
  }

  #order(account: AccountId, one: Fields): void {
    const { reader, own, notify } = this.#parts;
    const order = this.#read(account, () => reader.orderOf(one, account));
    if (order === undefined) return;
    own.note(order);
    notify(account, { kind: 'order', order });
  }

  #trade(account: AccountId, one: Fields): void {
    const { reader, notify } = this.#parts;
    const trade = this.#read(account, () => reader.tradeOf(one, account));
    if (trade === undefined || (trade.legs !== undefined && this.#wasPassedOn(trade))) return;
    notify(account, { kind: 'trade', trade });
  }

  #wasPassedOn({ account, instrument, tradeId }: TradeRecord): boolean {
    const key = `${account} ${instrument} ${tradeId}`;
    const isKnown = this.#combos.has(key);
    this.#combos.set(key, true);
    return isKnown;
  }

  #each(account: AccountId, what: string, data: unknown): readonly Fields[] {
    return this.#read(account, () => fieldsOfEach(what, data, this.#parts.tally)) ?? [];
  }

  #read<T>(account: AccountId, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#parts.onFault(error);
      this.#parts.onGap(account);
      return undefined;
    }
  }
}

function liquidationIn(of: Fields): LiquidationNotice {
  const stage = of.text('state');
  const [name, side] = [of.textIf('instrument_name'), of.textIf('direction')];
  const [amount, price] = [of.digitsIf('amount'), of.digitsIf('price')];
  const detail = [
    stage,
    amount && `of ${amount}`,
    name && `in ${name}`,
    price && `at ${price}`,
    side && `(${side})`,
  ];
  return {
    stage,
    instrument: name === undefined ? undefined : instrumentName(name),
    detail: detail.filter((one) => one !== undefined).join(' '),
  };
}

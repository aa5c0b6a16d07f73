// A test stage of a venue with helpers for most cases: orders that fill, rest or wait for a trigger.

import { expect } from 'vitest';
import type { OrderRecord } from '../../src/core/order/order-record.ts';
import type { Ticker } from '../../src/ports/market-reads.ts';
import type {
  NewOrder,
  Reply,
  TradingDesk,
  VenueNotice,
  Worked,
} from '../../src/ports/trading-desk.ts';
import type { Venue } from '../../src/ports/venue.ts';
import { type Price, type Quantity, ratio, scaled, steps } from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import type { AccountId, InstrumentName } from '../../src/values/ids.ts';
import { earliest, type Instant } from '../../src/values/instant.ts';
import { type Instrument, passiveTick, type Side } from '../../src/values/instrument.ts';
import type { OrderTerms } from '../../src/values/order-terms.ts';
import { type OpenVenue, openVenue, ungated } from '../support/engine/venue-records.ts';

export interface VenueStage {
  readonly venue: Venue;
  /** The gated order methods of the venue; absent: without a gate. */
  readonly desk?: TradingDesk | undefined;
  readonly account: AccountId;
  /** A liquid perpetual, quoted on both sides in far more than a hundred minimum amounts. */
  readonly instrument: InstrumentName;
  /** False for a venue that reports a reason of its own instead of the requester's. Default true. */
  readonly passesCancelReasons?: boolean | undefined;
  /** By our clock, not the venue's. */
  now(): Instant;
  /** Lets `forMs` of the venue's time pass, until everything in progress has completed. */
  pass(forMs: number): Promise<void>;
  close(): Promise<void>;
}

const READS_MAX = 200;
const READ_PAUSE_MS = 50;

export class VenueAct {
  readonly stage: VenueStage;
  readonly notices: VenueNotice[] = [];
  readonly #desk: TradingDesk;
  #labels = 0;

  constructor(stage: VenueStage) {
    this.stage = stage;
    this.#desk = stage.desk ?? ungated(stage.venue);
    stage.venue.subscribe((notice) => this.notices.push(notice));
  }

  get venue(): OpenVenue {
    return openVenue(this.stage.venue);
  }

  get desk(): TradingDesk {
    return this.#desk;
  }

  /** Reads until `isThere`: a venue may publish its market with a delay. Returns what was read last. */
  async read<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
    let value = await read();
    for (let attempt = 0; attempt < READS_MAX && !isThere(value); attempt += 1) {
      await this.stage.pass(READ_PAUSE_MS);
      value = await read();
    }
    return value;
  }

  /**
   * An instant that the venue's clock has reached. What is known of that clock over a connection is off by half a round trip,
   * which is long on a busy machine.
   */
  reached(): Instant {
    return earliest(this.stage.now(), this.venue.venueNow());
  }

  get account(): AccountId {
    return this.stage.account;
  }

  get terms(): Instrument {
    return must(this.venue.market.instrument(this.stage.instrument), 'the instrument is listed');
  }

  async ticker(): Promise<Ticker> {
    return must(
      await this.venue.market.ticker(this.stage.instrument),
      'the instrument has a ticker',
    );
  }

  label(): string {
    this.#labels += 1;
    return `by-hand-${this.#labels}`;
  }

  /** `count` minimum amounts. */
  size(count: number): Quantity {
    return steps(this.terms.minAmount, count);
  }

  /** A price that fills immediately. */
  async through(side: Side): Promise<Price> {
    return await this.away(side, side === 'buy' ? '1.002' : '0.998');
  }

  /** A price far from the market and inside every band. */
  async resting(side: Side): Promise<Price> {
    return await this.away(side, side === 'buy' ? '0.99' : '1.01');
  }

  /** The mark price times a factor, rounded to the tick. */
  async away(side: Side, factor: string): Promise<Price> {
    const { mark } = await this.ticker();
    return passiveTick(this.terms, side, scaled(must(mark, 'a mark'), ratio(factor)));
  }

  async order(changes: Partial<NewOrder> = {}): Promise<NewOrder> {
    const side = changes.side ?? 'buy';
    const hasPrice = 'price' in changes;
    return {
      account: this.account,
      instrument: this.stage.instrument,
      mmp: false,
      ...this.otherTerms({ side, price: hasPrice ? changes.price : await this.resting(side) }),
      ...changes,
    };
  }

  /** An order linked to another, or the terms of one. */
  otherTerms(changes: Partial<OrderTerms> = {}): OrderTerms {
    return {
      side: 'buy',
      type: 'limit',
      quantity: this.size(1),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: this.label(),
      ...changes,
    };
  }

  async entered(changes: Partial<NewOrder> = {}): Promise<Worked> {
    return value(await this.desk.place(await this.order(changes)));
  }

  async marketOrder(changes: Partial<NewOrder> = {}): Promise<Worked> {
    return await this.entered({ type: 'market', price: undefined, ...changes });
  }

  async now(order: OrderRecord): Promise<OrderRecord> {
    return value(await this.desk.order(this.account, order.orderId));
  }

  async open(): Promise<readonly OrderRecord[]> {
    return value(await this.desk.openOrders({ account: this.account }));
  }

  /** Lets time pass until the received notices satisfy `enough`. */
  async heard(enough: (notices: readonly VenueNotice[]) => boolean): Promise<void> {
    for (let round = 0; round < 100 && !enough(this.notices); round += 1) {
      await this.stage.pass(50);
    }
    expect(enough(this.notices), 'the notices never came').toBe(true);
  }
}

export function value<T>(reply: Reply<T>): T {
  expect(reply).toMatchObject({ kind: 'done' });
  return (reply as Extract<Reply<T>, { kind: 'done' }>).value;
}

export const ids = (orders: readonly { readonly orderId: string }[]): readonly string[] =>
  orders.map(({ orderId }) => orderId);

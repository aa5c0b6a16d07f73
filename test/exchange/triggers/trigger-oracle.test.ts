// The oracle of triggers: every untriggered order is checked against every price, one after the other.

import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { TriggerType } from '../../../src/exchange/model/triggers/trigger.ts';
import { price, steps, toNumber } from '../../../src/values/amounts.ts';
import { orderId } from '../../../src/values/ids.ts';
import type { Side } from '../../../src/values/instrument.ts';
import type { TriggerSource } from '../../../src/values/order-terms.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { cases } from '../../support/cases.ts';
import { ALICE, Desk, options } from '../exchange-desk.ts';
import { btcPerpetual } from '../instruments.ts';

const pick = <T>(random: Rng, from: readonly T[]): T => from[random.below(from.length)] as T;
const TICK = toNumber(btcPerpetual.tickSize);

interface Waiting {
  readonly id: string;
  readonly type: TriggerType;
  readonly side: Side;
  readonly source: TriggerSource;
  /** Prices as numbers: halves are exact. */
  at: number;
  offset: number;
  extreme: number;
  state: 'untriggered' | 'triggered' | 'cancelled';
}

const above = (order: Pick<Waiting, 'type' | 'side'>): boolean =>
  order.type.startsWith('take') ? order.side === 'sell' : order.side === 'buy';

class Oracle {
  readonly orders: Waiting[] = [];
  readonly last: Partial<Record<TriggerSource, number>> = {};

  isMet(order: Waiting, seen: number | undefined): boolean {
    if (seen === undefined) return false;
    return above(order) ? seen >= order.at : seen <= order.at;
  }

  see(source: TriggerSource, seen: number): void {
    this.last[source] = seen;
    for (const order of this.orders) {
      if (order.source !== source || order.state !== 'untriggered') continue;
      if (order.type === 'trailing_stop') this.#trail(order, seen);
      if (this.isMet(order, seen)) order.state = 'triggered';
    }
  }

  /** Rounded to the nearest tick that the price has not passed. */
  start(order: Waiting, seen: number): void {
    order.extreme = above(order) ? Math.ceil(seen / TICK) * TICK : Math.floor(seen / TICK) * TICK;
    order.at = order.extreme + (above(order) ? order.offset : -order.offset);
  }

  #trail(order: Waiting, seen: number): void {
    const before = { extreme: order.extreme, at: order.at };
    this.start(order, seen);
    const isFurther = above(order)
      ? order.extreme < before.extreme
      : order.extreme > before.extreme;
    if (!isFurther) Object.assign(order, before);
  }
}

class Pair {
  readonly desk = new Desk(btcPerpetual, new Exchange(options([btcPerpetual])));
  readonly oracle = new Oracle();
  readonly random: Rng;
  readonly met = new Map<string, number>();
  #mark = 100;

  constructor(seed: string) {
    this.random = rng(seed);
    this.#reference();
    this.#quotes();
  }

  step(): void {
    const dice = this.random.below(100);
    if (dice < 30) this.#reference();
    else if (dice < 40) this.#quotes();
    else if (dice < 55) this.#take();
    else if (dice < 90) this.#place();
    else if (dice < 95) this.#edit();
    else this.#cancel();
    this.#absorb();
    this.#compare();
  }

  /** Trades are processed in order of execution, including those made by triggered orders. */
  #absorb(): void {
    for (const event of this.desk.exchange.drainEvents()) {
      if (event.kind === 'print') this.oracle.see('last_price', event.priceTicks * TICK);
    }
  }

  #reference(): void {
    this.#mark = Math.max(40, this.#mark + this.random.normal());
    const mark = Math.round(this.#mark * 100) / 100;
    const index = Math.round((mark + this.random.below(3)) * 100) / 100;
    this.desk.reference(`${mark}`, { index: `${index}`, min: '10', max: '1000' });
    this.oracle.see('index_price', index);
    this.oracle.see('mark_price', mark);
  }

  #quotes(): void {
    const level = Math.round(this.#mark);
    const side = (sign: 1 | -1) =>
      [1, 2, 3, 30].map(
        (away) => [`${level + sign * away}`, `${10 + 10 * this.random.below(20)}`] as const,
      );
    this.desk.quotes(side(-1), side(1));
  }

  #take(): void {
    const side: Side = pick(this.random, ['buy', 'sell']);
    this.desk.take(side, `${10 * (1 + this.random.below(40))}`, side === 'buy' ? '900' : '11');
  }

  #place(): void {
    const { random } = this;
    const type: TriggerType = pick(random, [
      'stop_market',
      'take_market',
      'trailing_stop',
    ] as const);
    const side: Side = pick(random, ['buy', 'sell']);
    const source: TriggerSource = pick(random, [
      'index_price',
      'mark_price',
      'last_price',
    ] as const);
    const at = Math.round(this.#mark) + random.below(21) * TICK - 5;
    const offset = TICK * (1 + random.below(10));
    const order: Waiting = {
      id: '',
      type,
      side,
      source,
      at,
      offset,
      extreme: 0,
      state: 'untriggered',
    };
    const seen = this.oracle.last[source];
    if (type === 'trailing_stop' && seen !== undefined) this.oracle.start(order, seen);
    const answer = this.desk.place(ALICE, side, {
      type,
      trigger: source,
      ...(type === 'trailing_stop'
        ? { triggerOffset: price(`${offset}`) }
        : { triggerPrice: price(`${at}`) }),
      quantity: '10',
    });
    const expected =
      type === 'trailing_stop' && seen === undefined
        ? 11030
        : this.oracle.isMet(order, seen)
          ? 11036
          : 0;
    const got = answer.kind === 'refused' ? answer.code : 0;
    expect(got).toBe(expected);
    this.#count(`placed ${type} ${got}`);
    if (answer.kind === 'order') this.oracle.orders.push({ ...order, id: answer.order.orderId });
  }

  #waiting(): Waiting | undefined {
    const waiting = this.oracle.orders.filter(({ state }) => state === 'untriggered');
    return waiting[this.random.below(waiting.length + 1)];
  }

  #edit(): void {
    const order = this.#waiting();
    if (order === undefined || order.type === 'trailing_stop') return;
    const at = Math.round(this.#mark) + this.random.below(21) * TICK - 5;
    const answer = this.desk.edit(ALICE, orderId(order.id), {
      triggerPrice: steps(btcPerpetual.tickSize, at / TICK),
    });
    const isMet = this.oracle.isMet({ ...order, at }, this.oracle.last[order.source]);
    expect(answer.kind).toBe(isMet ? 'refused' : 'order');
    if (!isMet) order.at = at;
    this.#count(`edited ${answer.kind}`);
  }

  #cancel(): void {
    const order = this.#waiting();
    if (order === undefined) return;
    expect(this.desk.cancel(ALICE, orderId(order.id)).kind).toBe('order');
    order.state = 'cancelled';
  }

  #compare(): void {
    for (const { id, type, state, at } of this.oracle.orders) {
      const { trigger, ...order } = this.desk.order(ALICE, orderId(id));
      expect([id, order.state]).toEqual([id, state]);
      if (state !== 'cancelled') expect([id, trigger?.price?.toNumber()]).toEqual([id, at]);
      if (state !== 'untriggered') this.#count(`${type} ${state}`);
    }
    this.oracle.orders.splice(
      0,
      this.oracle.orders.length,
      ...this.oracle.orders.filter(({ state }) => state === 'untriggered'),
    );
    const waiting = this.desk.exchange.openOrders({ account: ALICE, label: '' });
    expect(waiting.filter(({ state }) => state === 'untriggered')).toHaveLength(
      this.oracle.orders.length,
    );
  }

  #count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }
}

const OUTCOMES = [
  'placed stop_market 0',
  'placed stop_market 11036',
  'placed take_market 0',
  'placed take_market 11036',
  'placed trailing_stop 0',
  'edited order',
  'edited refused',
  'stop_market triggered',
  'take_market triggered',
  'trailing_stop triggered',
  'stop_market cancelled',
];

const STEPS = cases(800);

describe('against the oracle that checks every order against every price', () => {
  it.each(['one', 'two', 'three'])('the same orders are triggered: seed %s', (seed) => {
    const pair = new Pair(seed);
    for (let i = 0; i < STEPS; i += 1) pair.step();
    expect(OUTCOMES.filter((outcome) => !pair.met.has(outcome))).toEqual([]);
  });
});

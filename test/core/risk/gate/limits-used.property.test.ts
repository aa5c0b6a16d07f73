// What of its limits an account has used, against a second reckoning from its orders and trades: longs and shorts, fills in part, edits,
// orders that only reduce, days that end, and an account that is read again from its venue.
import { BigNumber } from 'bignumber.js';
import { expect, test } from 'vitest';
import { AccountExposure } from '../../../../src/core/risk/gate/account-exposure.ts';
import { judgeOrder } from '../../../../src/core/risk/gate/judge-order.ts';
import type { SeenOrder, SeenTrade } from '../../../../src/core/risk/gate/seen-at-venue.ts';
import { money, price, quantity, text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { DAY_MS, type Instant, later } from '../../../../src/values/instant.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../../src/values/rng.ts';
import { btcUsdcPerpetual, btcUsdcPut } from '../../../exchange/instruments.ts';
import { cases } from '../../../support/cases.ts';
import { gateContext, gateOrder } from '../../../support/engine/gate-orders.ts';
import { NOON, option, perpetual, spot } from '../../../support/engine/markets.ts';

type Side = 'buy' | 'sell';

interface PlainOrder {
  readonly key: string;
  readonly kind: Kind;
  readonly side: Side;
  readonly reduceOnly: boolean;
  size: BigNumber;
  worth: BigNumber;
  filled: BigNumber;
  isOpen: boolean;
}

interface PlainTrade {
  readonly seen: SeenTrade;
  readonly kind: Kind;
  readonly day: number;
  readonly signed: BigNumber;
  readonly worth: BigNumber;
}

/** In USD, contracts sized in USD count as they are, coins at the price, options at that of their coin. */
interface Kind {
  readonly instrument: Instrument;
  readonly worthOf: (amount: BigNumber, paid: string, index: string) => BigNumber;
}

const atPrice: Kind['worthOf'] = (amount, paid) => amount.times(paid);
const atIndex: Kind['worthOf'] = (amount, _, index) => amount.times(index);
const KINDS: readonly Kind[] = [
  { instrument: perpetual(), worthOf: (amount) => amount },
  { instrument: btcUsdcPerpetual, worthOf: atPrice },
  { instrument: option(), worthOf: atIndex },
  { instrument: btcUsdcPut, worthOf: atIndex },
  { instrument: spot(), worthOf: atPrice },
];

const big = (value: BigNumber.Value): BigNumber => new BigNumber(value);
const total = (of: readonly BigNumber[]): BigNumber =>
  of.reduce((sum, one) => sum.plus(one), big(0));
const toCents = (of: BigNumber): BigNumber => of.decimalPlaces(2, BigNumber.ROUND_UP);

class Course {
  readonly #random: Rng;
  readonly #orders: PlainOrder[] = [];
  readonly #trades: PlainTrade[] = [];
  exposure = new AccountExposure();
  #now: Instant = NOON;
  #day = 0;

  constructor(random: Rng) {
    this.#random = random;
  }

  step(): void {
    this.#now = later(this.#now, 1_000);
    const open = this.#orders.filter(({ isOpen }) => isOpen);
    const one = open[this.#random.below(Math.max(1, open.length))];
    const act = this.#random.below(12);
    if (one === undefined || act < 4) this.#place();
    else if (act < 8) this.#fill(one);
    else if (act === 8) this.#edit(one);
    else if (act === 9) this.#close(one);
    else if (act === 10) this.#readAgain();
    else this.#endDay();
  }

  #place(): void {
    const kind = must(KINDS[this.#random.below(KINDS.length)], 'a kind');
    const side: Side = this.#random.below(2) === 0 ? 'buy' : 'sell';
    const size = big(10 * (1 + this.#random.below(50)));
    const reduceOnly = this.#random.below(5) === 0;
    const worth = big(1 + this.#random.below(900_000)).div(100);
    const key = `o${this.#orders.length}`;
    const order = { key, kind, side, size, worth, reduceOnly, filled: big(0), isOpen: true };
    this.#orders.push(order);
    this.exposure.heard(this.#seen(order));
  }

  #fill(order: PlainOrder): void {
    const left = order.size.minus(order.filled);
    const amount = this.#random.below(3) === 0 ? left : left.times('0.3').decimalPlaces(0, 1);
    if (amount.isZero()) return;
    const { kind, side, key } = order;
    const [paid, index] = [
      String(90 + this.#random.below(20)),
      String(900 + this.#random.below(9)),
    ];
    const seen: SeenTrade = {
      tradeId: `t${this.#trades.length}`,
      key,
      label: '',
      instrument: kind.instrument,
      side,
      price: price(paid),
      quantity: quantity(amount.toFixed()),
      indexPrice: price(index),
      at: this.#now,
    };
    const signed = amount.times(side === 'buy' ? 1 : -1);
    const worth = kind.worthOf(amount, paid, index);
    this.#trades.push({ seen, kind, day: this.#day, signed, worth });
    order.filled = order.filled.plus(amount);
    order.isOpen = order.filled.isLessThan(order.size);
    // The order or the trade may be reported first, a trade twice.
    const isTradeFirst = this.#random.below(2) === 0;
    if (isTradeFirst) this.exposure.traded(seen);
    this.exposure.heard(this.#seen(order));
    this.exposure.traded(seen);
  }

  #edit(order: PlainOrder): void {
    order.size = order.filled.plus(10 * (1 + this.#random.below(50)));
    order.worth = big(1 + this.#random.below(900_000)).div(100);
    this.exposure.heard(this.#seen(order));
  }

  #close(order: PlainOrder): void {
    order.isOpen = false;
    this.exposure.heard(this.#seen(order));
  }

  #endDay(): void {
    this.#now = later(this.#now, DAY_MS);
    this.#day += 1;
    this.exposure.roll(this.#now);
  }

  /** Another process, which knows only what the venue says. */
  #readAgain(): void {
    this.exposure = new AccountExposure();
    const held = KINDS.filter(({ instrument }) => instrument.kind !== 'spot');
    this.exposure.restated({
      isWhole: true,
      at: this.#now,
      since: this.exposure.reports,
      orders: this.#orders.filter(({ isOpen }) => isOpen).map((one) => this.#seen(one)),
      positions: held.map(({ instrument }) => ({
        instrument: instrument.name,
        quantity: quantity(this.#position(instrument).toFixed()),
      })),
      trades: this.#trades.filter(({ day }) => day === this.#day).map(({ seen }) => seen),
    });
  }

  #seen({ key, kind, side, size, worth, filled, isOpen, reduceOnly }: PlainOrder): SeenOrder {
    return {
      key,
      instrument: kind.instrument,
      side,
      quantity: quantity(size.toFixed()),
      filled: quantity(filled.toFixed()),
      price: price('100'),
      usd: money(worth.toFixed()),
      at: this.#now,
      isOpen,
      isInBook: true,
      reduceOnly,
    };
  }

  /** Of spot what today's trades add up to. */
  #position(instrument: Instrument): BigNumber {
    const own = this.#trades.filter(({ kind, day }) => {
      const counts = instrument.kind !== 'spot' || day === this.#day;
      return kind.instrument === instrument && counts;
    });
    return total(own.map(({ signed }) => signed));
  }

  #working(instrument: Instrument, side: Side): BigNumber {
    const own = this.#orders.filter(
      (one) =>
        one.isOpen && !one.reduceOnly && one.kind.instrument === instrument && one.side === side,
    );
    return total(own.map(({ size, filled }) => size.minus(filled)));
  }

  /** Working orders to the cent above, and what was traded today. */
  get #gross(): BigNumber {
    const open = this.#orders.filter(({ isOpen }) => isOpen);
    const working = open.map(({ size, filled, worth }) =>
      toCents(worth.times(size.minus(filled)).div(size)),
    );
    const today = this.#trades.filter(({ day }) => day === this.#day);
    return total([...working, ...today.map(({ worth }) => worth)]);
  }

  compare(): void {
    const { exposure } = this;
    const gross = this.#gross;
    expect(text(exposure.grossUsd('')), 'gross').toBe(gross.toFixed());
    for (const { instrument } of KINDS) {
      const { name } = instrument;
      const position = this.#position(instrument);
      expect(text(exposure.position(name)), `position in ${name}`).toBe(position.toFixed());
      for (const side of ['buy', 'sell'] as const) {
        const working = this.#working(instrument, side);
        expect(text(exposure.working(name, side, '')), `${side} ${name}`).toBe(working.toFixed());
        const order = gateOrder({ instrument, side, key: 'new', quantity: quantity('7') });
        const towards = side === 'buy' ? position : position.negated();
        const limits = { positionMax: new Map([['*', quantity('0')]]) };
        const found = judgeOrder(order, gateContext(limits, { account: exposure }));
        const after = towards.plus(working).plus(7);
        const expected = after.isPositive() && !after.isZero() ? after.toFixed() : undefined;
        expect(found?.input, `used by a ${side} of ${name}`).toBe(expected);
      }
    }
    const limits = { grossUsdMax: new Map([['10001', money('0')]]) };
    const order = gateOrder({ key: 'new', usd: money('12.5') });
    const found = judgeOrder(order, gateContext(limits, { account: exposure }));
    expect(found?.input, 'gross used').toBe(gross.plus('12.5').toFixed());
  }
}

test('positions, working orders and the value traded today are what orders and trades add up to', () => {
  const random = rng(`${process.env['TWAPD_SEED']} limits`);
  for (let at = 0; at < cases(15); at += 1) {
    const course = new Course(random);
    for (let step = 0; step < 40; step += 1) {
      course.step();
      course.compare();
    }
  }
});

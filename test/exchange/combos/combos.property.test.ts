// Random days on an exchange with combos: prices of legs always add up, positions are the sum of what was traded, no
// value is made from nothing, and a restart continues exactly; and the same structure traded as a block gives the same
// accounts.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeCommand } from '../../../src/exchange/exchange-command.ts';
import type { AccountEvent, ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { type JournalRecord, journalRecord } from '../../../src/exchange/journal/plain.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { type Quantity, text, ZERO_MONEY, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import type { Decimal } from '../../../src/values/decimal.ts';
import type { InstrumentName, OrderId } from '../../../src/values/ids.ts';
import { later, SECOND_MS } from '../../../src/values/instant.ts';
import { type Instrument, signOf } from '../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { BOT } from '../exchange-desk.ts';
import { expectSameAfterRestarts } from '../expect-same-after-restarts.ts';
import { btcCall, btcPerpetual } from '../instruments.ts';
import {
  asked,
  btcFuture,
  highCall,
  lowPut,
  MAKER1,
  MAKER2,
  quoted,
  rfqOptions,
  TAKER,
  traded,
} from '../rfq/rfq-desk.ts';
import { Worth } from '../worth.ts';
import {
  BUYER,
  CALL_SPREAD,
  ComboDesk,
  FUTURE_SPREAD,
  SELLER,
  STRADDLE,
  type Traded,
  tradedAt,
} from './combo-desk.ts';

const STRUCTURES: readonly (readonly Traded[])[] = [
  CALL_SPREAD,
  STRADDLE,
  FUTURE_SPREAD,
  [
    { of: btcCall, size: '2' },
    { of: highCall, size: '5', side: 'sell' },
  ],
  [{ of: btcCall, size: '2' }, { of: highCall, side: 'sell', size: '5' }, { of: lowPut }],
];
const LEGS = [btcCall, highCall, lowPut, btcFuture, btcPerpetual];
const USERS = [TAKER, MAKER1, MAKER2];
const isAccountEvent = (event: ExchangeEvent): event is AccountEvent => event.kind !== 'print';

/** Random orders, quotes, marks and cancels, on combos and on their legs. */
class ComboDay {
  readonly desk = new ComboDesk();
  readonly books: readonly Instrument[];
  readonly #rng: Rng;
  readonly #orders: OrderId[] = [];

  constructor(seed: string) {
    this.#rng = rng(seed);
    this.books = STRUCTURES.map((trades) => this.desk.create(trades).instrument);
  }

  next(): ExchangeCommand {
    const desk = this.desk.rfqs;
    desk.now = later(desk.now, this.#rng.below(SECOND_MS));
    const { now } = desk;
    const draw = this.#rng.below(10);
    if (draw === 0) return this.#reference();
    if (draw === 1) return this.#quotes();
    const account = this.#one(USERS);
    const orderId = this.#one(this.#orders);
    if (draw === 2 && orderId) return { kind: 'cancel', now, account, orderId };
    const of = draw < 8 ? this.#one(this.books) : this.#one(LEGS);
    const grid = must(this.desk.exchange.grid(of.name), of.name);
    const ticks = this.#ticks(of);
    const terms = {
      quantity: grid.quantityOf(1 + this.#rng.below(200)),
      price: grid.priceOf(ticks),
    };
    if (draw === 3 && orderId) return { kind: 'edit', now, account, orderId, ...terms };
    return {
      kind: 'place',
      now,
      account,
      instrument: of.name,
      side: this.#rng.below(2) === 0 ? 'buy' : 'sell',
      type: 'limit',
      timeInForce: this.#one(['good_til_cancelled', 'immediate_or_cancel', 'fill_or_kill']),
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: of.legs === undefined && this.#rng.below(4) === 0,
      label: '',
      ...terms,
    };
  }

  sawOrder(id: OrderId): void {
    this.#orders.push(id);
  }

  #one<T>(of: readonly T[]): T {
    return of[this.#rng.below(of.length)] as T;
  }

  /** Around the marks, a few dozen ticks either way, now and then far off. */
  #ticks(of: Instrument): number {
    const { exchange } = this.desk;
    const grid = must(exchange.grid(of.name), of.name);
    const marks = (of.legs ?? [{ instrument: of.name, ratio: 1 }]).map(({ instrument, ratio }) =>
      must(exchange.reference(instrument), instrument).mark.mul(ratio),
    );
    const mark = marks.reduce<Decimal>((sum, part) => sum.plus(part), ZERO_MONEY);
    const spread = this.#rng.below(20) === 0 ? 2_000 : 40;
    const ticks = Math.round(mark.div(grid.tick).toNumber() + (this.#rng.next() - 0.5) * spread);
    return Math.max(grid.lowestTicks, grid.floor(ticks));
  }

  #quotes(): ExchangeCommand {
    const of = this.#one([...this.books, ...LEGS]);
    const grid = must(this.desk.exchange.grid(of.name), of.name);
    const at = this.#ticks(of);
    const [bid, ask] = [Math.max(grid.lowestTicks, grid.floor(at - 1)), grid.ceil(at + 1)];
    const level = (priceTicks: number) => [{ priceTicks, lots: 1 + this.#rng.below(100) }];
    const sides = { bids: level(bid), asks: level(ask) };
    return {
      kind: 'make_quotes',
      now: this.desk.rfqs.now,
      account: BOT,
      instrument: of.name,
      ...sides,
    };
  }

  #reference(): ExchangeCommand {
    const of = this.#one(LEGS);
    const { exchange } = this.desk;
    const before = must(exchange.reference(of.name), of.name);
    const grid = must(exchange.grid(of.name), of.name);
    const moved = grid.nearest(grid.exactTicks(before.mark) * (0.98 + 0.04 * this.#rng.next()));
    const { at: _at, ...rest } = before;
    const instrument = of.name;
    return {
      kind: 'set_reference',
      now: this.desk.rfqs.now,
      instrument,
      ...rest,
      mark: grid.priceOf(moved),
    };
  }
}

function legFaults(exchange: Exchange, trade: ExchangeTrade): string[] {
  const { legs = [] } = must(exchange.instrument(trade.instrument), trade.instrument);
  const booked = trade.legs ?? [];
  let sum: Decimal = ZERO_MONEY;
  let fees: Decimal = ZERO_MONEY;
  for (const [at, { instrument, ratio }] of legs.entries()) {
    const leg = must(booked[at], instrument);
    sum = sum.plus(leg.price.mul(ratio));
    fees = fees.plus(leg.fee);
    const isBought = ratio > 0 === (trade.side === 'buy');
    const isWhole =
      leg.instrument === instrument &&
      leg.quantity.eq(trade.quantity.mul(Math.abs(ratio))) &&
      leg.side === (isBought ? 'buy' : 'sell') &&
      leg.price.gt(0);
    if (!isWhole) return [`leg ${at} of ${trade.instrument}: ${JSON.stringify(leg)}`];
  }
  if (!fees.eq(trade.fee)) return [`fees of ${trade.instrument} are ${fees.toString()}`];
  return sum.eq(trade.price) ? [] : [`${trade.instrument}: ${text(trade.price)} for its legs`];
}

describe.each(['mon', 'tue', 'wed', 'thu'])('on the random day %s', (seed) => {
  const day = new ComboDay(seed);
  const { exchange } = day.desk;
  const worth = new Worth({ ...rfqOptions(), instruments: [...rfqOptions().instruments] });
  const faults: string[] = [];
  const held = new Map<string, Quantity>();
  const marks = LEGS.map((of) => must(exchange.reference(of.name), of.name));
  for (const [at, { at: _seen, ...reference }] of marks.entries()) {
    const { name: instrument } = LEGS[at] as Instrument;
    const command = {
      kind: 'set_reference',
      now: day.desk.rfqs.now,
      instrument,
      ...reference,
    } as const;
    worth.follow(command, []);
  }
  const start = worth.total(exchange);
  exchange.drainEvents();
  let snapshot = JSON.stringify(exchange.snapshot());
  let journal: string[] = [];
  let combos = 0;
  let below = 0;
  for (let step = 0; step < 3_000; step += 1) {
    const command = day.next();
    const answer = exchange.handle(command);
    if (answer.kind === 'order') day.sawOrder(answer.order.orderId);
    const events = exchange.drainEvents();
    worth.follow(command, events);
    journal.push(
      ...events.filter(isAccountEvent).map((event) => JSON.stringify(journalRecord(event))),
    );
    for (const event of events) {
      if (event.kind !== 'trade') continue;
      const { trade } = event;
      if (trade.legs !== undefined) {
        combos += 1;
        if (trade.price.lte(0)) below += 1;
        faults.push(...legFaults(exchange, trade));
        continue;
      }
      const key = `${trade.account} ${trade.instrument}`;
      const signed = trade.quantity.mul(signOf(trade.side)) as Quantity;
      held.set(key, (held.get(key) ?? ZERO_QUANTITY).plus(signed) as Quantity);
    }
    if (step === 1_500) {
      snapshot = JSON.stringify(exchange.snapshot());
      journal = [];
    }
  }

  it('trades combos, some of them at zero or below, and every leg price adds up', () => {
    expect(combos).toBeGreaterThan(100);
    expect(below).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  it('gives every account the sum of its trades as its position', () => {
    for (const account of USERS) {
      for (const { name } of LEGS) {
        const position = exchange.positions(account).find(({ instrument }) => instrument === name);
        const own = held.get(`${account} ${name}`) ?? ZERO_QUANTITY;
        expect(text(position?.quantity ?? ZERO_QUANTITY)).toBe(text(own));
      }
      const inCombos = exchange
        .positions(account)
        .filter(({ instrument }) => day.books.some(({ name }) => name === instrument));
      expect(inCombos).toEqual([]);
    }
  });

  it('makes no value from nothing', () => {
    for (const [currency, amount] of Object.entries(worth.total(exchange))) {
      expect(Number(amount)).toBeCloseTo(Number(start[currency]), 10);
    }
  });

  it('continues after a restart as if nothing had happened', () => {
    const restored = Exchange.restore(JSON.parse(snapshot), rfqOptions());
    const records = journal.map((line) => JSON.parse(line) as JournalRecord);
    restored.applyJournal(records);
    expect(restored.stateHash()).toBe(exchange.stateHash());
    restored.applyJournal(records.slice(-30));
    expect(restored.stateHash()).toBe(exchange.stateHash());
    const begun = { snapshot: JSON.parse(snapshot), journal: records, options: rfqOptions() };
    expect(expectSameAfterRestarts(exchange, begun).combos()).toEqual(exchange.combos());
  });

  it('releases everything that orders of combos reserved when they are cancelled', () => {
    const restored = Exchange.restore(
      JSON.parse(JSON.stringify(exchange.snapshot())),
      rfqOptions(),
    );
    const { now } = day.desk.rfqs;
    for (const account of USERS) restored.handle({ kind: 'cancel_all', now, account });
    const bare = JSON.parse(JSON.stringify({ ...restored.snapshot(), openOrders: [] }));
    const without = Exchange.restore(bare, rfqOptions());
    for (const account of USERS) {
      const free = (of: Exchange) => text(must(of.availableFunds(account, btcCall.base), 'funds'));
      expect(free(restored)).toBe(free(without));
    }
  });
});

describe('the same structure as a block', () => {
  it.each([
    ['a call spread', CALL_SPREAD, '50', '0.0305'],
    ['a call spread below zero', CALL_SPREAD, '50', '-0.004'],
    ['a straddle', STRADDLE, '40', '0.0875'],
    ['a spread of futures', FUTURE_SPREAD, '400000', '987.5'],
  ])('gives the same positions and cash but for the fees: %s', (_, trades, size, at) => {
    const combo = new ComboDesk();
    const trade = tradedAt(combo.book(trades), at, size);
    const block = new ComboDesk();
    asked(
      block.rfqs.createRfq({ legs: trades.map(({ of, side = 'buy' }) => ({ of, size, side })) }),
    );
    const legs = (trade.legs ?? []).map(({ price }) => text(price));
    quoted(block.rfqs.quote(SELLER, 'sell', { legs }));
    block.rfqs.open();
    traded(block.rfqs.accept('buy', at));
    for (const account of [BUYER, SELLER])
      expect(accountOf(block, account)).toEqual(accountOf(combo, account));
  });
});

/** Positions with their costs, and the balance before fees. */
function accountOf({ exchange }: ComboDesk, account: typeof BUYER) {
  const positions = exchange
    .positions(account)
    .map(({ instrument, quantity, cost, realised }): [InstrumentName, ...string[]] => [
      instrument,
      ...[quantity, cost, realised].map((one) => text(one)),
    ]);
  const fees = exchange
    .tradesSince(account, 0 as never)
    .filter(({ legs }) => legs === undefined)
    .reduce<Decimal>((sum, { fee }) => sum.plus(fee), ZERO_MONEY);
  const cash = exchange.balances(account).find(({ currency }) => currency === btcCall.base);
  return { positions, cash: text(must(cash, 'BTC').amount.plus(fees) as Quantity) };
}

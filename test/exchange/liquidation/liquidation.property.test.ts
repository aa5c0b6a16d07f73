// Random accounts, over-leveraged in a market that jumps: what is true of every liquidation, judged by a reckoning that shares no
// code with the exchange.
import { describe, expect, it } from 'vitest';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeCommand } from '../../../src/exchange/exchange-command.ts';
import type { AccountEvent, ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import { journalRecord } from '../../../src/exchange/journal/plain.ts';
import type { ExchangeTrade } from '../../../src/exchange/order.ts';
import { money, price, quantity, toNumber } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { currency } from '../../../src/values/ids.ts';
import { later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { type Rng, rng } from '../../../src/values/rng.ts';
import { ALICE, BOB, BOT, options, START } from '../exchange-desk.ts';
import { expectSameAfterRestarts, written } from '../expect-same-after-restarts.ts';
import { btcCall, btcPerpetual, btcUsdcPerpetual, btcUsdcPut, ethFuture } from '../instruments.ts';
import { Worth } from '../worth.ts';
import { type Marks, reckoned, reckonedFee } from './reckoning.ts';

const TRADED = [btcPerpetual, ethFuture, btcUsdcPerpetual, btcCall, btcUsdcPut] as const;
const CURRENCIES = ['BTC', 'ETH', 'USDC'] as const;
const SECONDS = 320;

const small = () => ({
  ...options(),
  accounts: [ALICE, BOB].map((account) => ({
    account,
    balances: new Map([
      [currency('BTC'), money('2')],
      [currency('ETH'), money('40')],
      [currency('USDC'), money('200000')],
    ]),
  })),
});

/** The most that one order requests, in the amount unit: several of them use up an account's margin. */
const LARGEST: Readonly<Record<string, number>> = {
  [btcPerpetual.name]: 3_000_000,
  [ethFuture.name]: 2_000_000,
  [btcUsdcPerpetual.name]: 40,
  [btcCall.name]: 6,
  [btcUsdcPut.name]: 6,
};

class Market {
  readonly exchange = new Exchange(small());
  readonly worth = new Worth(small());
  readonly journal: AccountEvent[] = [];
  readonly begun = new Map<string, number>();
  readonly ended = { restored: 0, flat: 0 };
  liquidations = 0;
  readonly #random: Rng;
  readonly #marks = new Map<string, { mark: number; underlying: number }>();
  #now = START;
  #btc = 100_000;
  #eth = 4_000;

  constructor(seed: string) {
    this.#random = rng(`liquidation/${seed}`);
  }

  get marks(): Marks {
    return this.#marks;
  }

  /** A second: prices move or stay, everything is marked and quoted again, and users trade. */
  second(moves: boolean): void {
    this.#now = later(this.#now, 1_000);
    if (moves) {
      const size = this.#random.below(25) === 0 ? 0.025 : 0.002;
      this.#btc *= Math.exp(size * this.#random.normal());
      this.#eth *= Math.exp(size * this.#random.normal());
    }
    for (const instrument of TRADED) this.#mark(instrument);
    if (!moves) this.#expectJudged();
    for (const instrument of TRADED) this.#quote(instrument);
    if (moves && this.#random.below(3) === 0) this.#trade();
  }

  #markOf(instrument: Instrument): number {
    const spot = instrument.base === 'BTC' ? this.#btc : this.#eth;
    if (instrument.option === undefined) return Math.round(spot / 5) * 5;
    const isCall = instrument.option.type === 'call';
    const inside = Math.max(0, isCall ? spot - 100_000 : 100_000 - spot) + 4_000;
    return instrument.marginKind === 'inverse'
      ? Math.round((inside / spot) * 2_000) / 2_000
      : Math.max(1_000, Math.round(inside / 20) * 20);
  }

  #mark(instrument: Instrument): void {
    const mark = this.#markOf(instrument);
    const underlying = instrument.base === 'BTC' ? this.#btc : this.#eth;
    const index = price(underlying.toFixed(2));
    this.#marks.set(instrument.name, { mark, underlying: Number(index) });
    this.#do({
      kind: 'set_reference',
      now: this.#now,
      instrument: instrument.name,
      mark: price(String(mark)),
      index,
      underlying: index,
    });
  }

  /** A book of two levels around the mark; now and then one side is empty. */
  #quote(instrument: Instrument): void {
    const mark = this.#markOf(instrument);
    const grid = must(this.exchange.grid(instrument.name), 'a grid');
    const step =
      instrument.option === undefined ? 5 : instrument.marginKind === 'inverse' ? 0.0005 : 20;
    const lots =
      must(grid.lotsOf(instrument.minAmount), 'a lot') * (1 + this.#random.below(40_000));
    const level = (away: number) => {
      const at = price(Math.max(step, mark + away * step).toFixed(4));
      return { priceTicks: must(grid.ticksOf(at), () => `${instrument.name} ${at}`), lots };
    };
    const empty = this.#random.below(12);
    const bids = empty === 0 ? [] : [level(-1), level(-3)];
    const asks = empty === 1 ? [] : [level(1), level(3)];
    const own = bids[0]?.priceTicks === bids[1]?.priceTicks ? bids.slice(1) : bids;
    this.#do({
      kind: 'make_quotes',
      now: this.#now,
      account: BOT,
      instrument: instrument.name,
      bids: own,
      asks,
    });
  }

  #trade(): void {
    const instrument = must(TRADED[this.#random.below(TRADED.length)], 'one');
    const most = LARGEST[instrument.name] ?? 0;
    const lot = toNumber(instrument.amountStep);
    const lots = Math.max(1, Math.floor((most * this.#random.next()) / lot));
    const side = this.#random.below(2) === 0 ? 'buy' : 'sell';
    const mark = this.#markOf(instrument);
    const step =
      instrument.option === undefined ? 5 : instrument.marginKind === 'inverse' ? 0.0005 : 20;
    const limit = Math.max(step, mark + (side === 'buy' ? 3 : -3) * step);
    this.#do({
      kind: 'place',
      now: this.#now,
      instrument: instrument.name,
      side,
      type: 'limit',
      account: this.#random.below(2) === 0 ? ALICE : BOB,
      price: price(limit.toFixed(4)),
      quantity: quantity((lots * lot).toFixed(4)),
      label: '',
      reduceOnly: false,
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
    });
  }

  #do(command: ExchangeCommand): void {
    const before = new Map(
      [ALICE, BOB].flatMap((account) =>
        this.exchange
          .positions(account)
          .map((one) => [`${account} ${one.instrument}`, toNumber(one.quantity)] as const),
      ),
    );
    this.exchange.handle(command);
    const events = this.exchange.drainEvents();
    this.worth.follow(command, events);
    this.journal.push(...events.filter((one): one is AccountEvent => one.kind !== 'print'));
    for (const event of events) this.#judge(event, before);
  }

  #judge(event: ExchangeEvent, before: ReadonlyMap<string, number>): void {
    if (event.kind === 'trade') return this.#judgeTrade(event.trade, before);
    if (event.kind !== 'liquidation_changed') return;
    const { account, currency: of, isActive } = event;
    const key = `${account} ${of}`;
    const { shortfall, sizes } = reckoned(this.exchange, { account, currency: of }, this.marks);
    if (isActive) {
      expect(this.begun.has(key)).toBe(false);
      this.begun.set(key, shortfall);
      return;
    }
    this.begun.delete(key);
    if (sizes.size === 0) this.ended.flat += 1;
    else {
      this.ended.restored += 1;
      expect(shortfall).toBeLessThan(1e-6);
    }
  }

  #judgeTrade(trade: ExchangeTrade, before: ReadonlyMap<string, number>): void {
    const { account, instrument: name, feeCurrency } = trade;
    const key = `${account} ${feeCurrency}`;
    if (trade.liquidation === undefined || trade.liquidity === 'maker') {
      if (trade.liquidity === 'taker') expect(this.begun.has(key)).toBe(false);
      return;
    }
    this.liquidations += 1;
    expect(this.begun.has(key)).toBe(true);
    const instrument = must(
      TRADED.find((one) => one.name === name),
      name,
    );
    const held = before.get(`${account} ${name}`) ?? 0;
    const size = toNumber(trade.quantity);
    expect(trade.side).toBe(held > 0 ? 'sell' : 'buy');
    expect(size).toBeLessThanOrEqual(Math.abs(held) * 0.2 + toNumber(instrument.minAmount) + 1e-9);
    const { underlying } = must(this.marks.get(name), name);
    const fee = reckonedFee(instrument, { price: toNumber(trade.price), size, underlying });
    expect(Math.abs(toNumber(trade.fee) - fee)).toBeLessThan(1e-6);
  }

  /** After a second without a move: who is short is being liquidated, and nobody else is. */
  #expectJudged(): void {
    for (const account of [ALICE, BOB]) {
      for (const of of CURRENCIES) {
        const { shortfall, sizes } = reckoned(this.exchange, { account, currency: of }, this.marks);
        const isActive = this.begun.has(`${account} ${of}`);
        if (shortfall > 1e-6 && sizes.size > 0)
          expect([account, of, isActive]).toEqual([account, of, true]);
        if (shortfall < -1e-6) expect([account, of, isActive]).toEqual([account, of, false]);
        if (isActive) {
          const open = this.exchange.openOrders({ account });
          const settled = (name: string) => TRADED.find((one) => one.name === name)?.settlement;
          expect(open.filter(({ instrument }) => settled(instrument) === of)).toEqual([]);
        }
      }
    }
  }
}

describe.each(['one', 'two', 'three'])('a market that jumps: seed %s', (seed) => {
  it('an over-leveraged account is reduced in steps until its margin is covered, and no value is created or lost', () => {
    const market = new Market(seed);
    const before = written(market.exchange.snapshot());
    const initial = market.worth.total(market.exchange);
    for (let second = 0; second < SECONDS; second += 1) {
      market.second(second % 4 !== 3);
      if (second % 20 === 0) expect(market.worth.total(market.exchange)).toEqual(initial);
    }
    expect(market.worth.total(market.exchange)).toEqual(initial);
    expect(market.liquidations).toBeGreaterThan(10);
    expect(market.ended.restored).toBeGreaterThan(0);

    const journal = market.journal.map(journalRecord);
    expectSameAfterRestarts(market.exchange, { snapshot: before, journal, options: small() });
  });
});

// A seeded stream of commands over instruments of every kind: bots quote around moving prices, takers trade,
// users trade on both sides, often beyond their funds, and day orders expire.

import { Grid } from '../../src/exchange/book/grid.ts';
import type { ExchangeCommand, QuoteLevel } from '../../src/exchange/exchange-command.ts';
import type { ExchangeOrder } from '../../src/exchange/order.ts';
import { modelPrice, onStep } from '../../src/values/amounts.ts';
import { type AccountId, accountId, type OrderId, orderId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import { type Instrument, onTick, type Side } from '../../src/values/instrument.ts';
import { type Rng, rng } from '../../src/values/rng.ts';
import { ALICE, BOB, START } from './exchange-desk.ts';
import { everyKind } from './instruments.ts';

/** Where each market starts, in its quote unit, and a usual size in lots. */
const START_LEVELS: Readonly<Record<string, readonly [price: number, lots: number]>> = {
  'BTC-PERPETUAL': [100_000, 2_000],
  'ETH-25DEC26': [4_000, 10_000],
  'BTC_USDC-PERPETUAL': [100_000, 20_000],
  'BTC-25DEC26-100000-C': [0.05, 30],
  'BTC_USDC-25DEC26-100000-P': [5_000, 200],
  BTC_USDC: [100_000, 60_000],
};
const USERS: readonly AccountId[] = [ALICE, BOB];
const LABELS = ['', 'red', 'green', 'blue'];

interface Market {
  readonly instrument: Instrument;
  readonly grid: Grid;
  readonly lots: number;
  level: number;
}

const pick = <T>(random: Rng, from: readonly T[]): T => from[random.below(from.length)] as T;

export class RandomDay {
  readonly #random: Rng;
  readonly #markets: readonly Market[];
  #seen: ExchangeOrder[] = [];
  #now: number = START;

  constructor(seed: string) {
    this.#random = rng(seed);
    this.#markets = everyKind.map((instrument) => {
      const [level, lots] = START_LEVELS[instrument.name] ?? [1, 1];
      return { instrument, grid: new Grid(instrument), level, lots };
    });
  }

  /** Remembers an order that the stream may refer to later. */
  sawOrder(order: ExchangeOrder): void {
    if (order.state === 'open') this.#seen.push(order);
    if (this.#seen.length > 30) this.#seen.shift();
  }

  next(): ExchangeCommand {
    this.#now += this.#random.below(400);
    const market = pick(this.#random, this.#markets);
    const dice = this.#random.below(100);
    if (dice < 12) return this.#reference(market);
    if (dice < 30) return this.#quotes(market);
    if (dice < 40) return this.#take(market);
    if (dice < 75) return this.#place(market);
    if (dice < 88) return this.#edit(market);
    return this.#cancel(market);
  }

  get #at() {
    return instant(this.#now);
  }

  #reference(market: Market): ExchangeCommand {
    const random = this.#random;
    market.level *= 1 + 0.01 * random.normal();
    const { instrument, level } = market;
    const index = instrument.kind === 'option' ? 100_000 : level;
    const at = (factor: number) => onTick(instrument, modelPrice(level * factor), 'down');
    return {
      kind: 'set_reference',
      now: this.#at,
      instrument: instrument.name,
      index: onStep(modelPrice(index), modelPrice(0.01), 'down'),
      mark: at(1),
      underlying: instrument.kind === 'option' ? modelPrice(index) : undefined,
      minPrice: at(0.9),
      maxPrice: at(1.1),
    };
  }

  #ticks(market: Market, factor: number): number {
    const at = onTick(market.instrument, modelPrice(market.level * factor), 'down');
    return market.grid.ticksOf(at) ?? 1;
  }

  #ladder(market: Market, sign: 1 | -1): QuoteLevel[] {
    const lots = () => 1 + this.#random.below(market.lots);
    const factors = [0.001, 0.003, 0.006].map((away) => 1 + sign * (away + 0.002));
    const levels = factors.map((f) => ({ priceTicks: this.#ticks(market, f), lots: lots() }));
    return levels.filter(
      (l, i) => l.priceTicks > 0 && levels.findIndex((m) => m.priceTicks === l.priceTicks) === i,
    );
  }

  #quotes(market: Market): ExchangeCommand {
    const bids = this.#ladder(market, -1);
    const best = Math.max(...bids.map(({ priceTicks }) => priceTicks));
    const asks = this.#ladder(market, 1).filter(({ priceTicks }) => priceTicks > best);
    const account = accountId(pick(this.#random, ['bot-1', 'bot-2']));
    const instrument = market.instrument.name;
    return { kind: 'make_quotes', now: this.#at, account, instrument, bids, asks };
  }

  #take(market: Market): ExchangeCommand {
    const side: Side = pick(this.#random, ['buy', 'sell']);
    return {
      kind: 'take',
      now: this.#at,
      account: accountId('bot-taker'),
      instrument: market.instrument.name,
      side,
      lots: 1 + this.#random.below(market.lots),
      limitTicks: this.#ticks(market, side === 'buy' ? 1.02 : 0.98),
    };
  }

  #terms(market: Market) {
    const random = this.#random;
    const ticks = this.#ticks(market, 1 + 0.004 * random.normal());
    const lots = 1 + random.below(random.below(20) === 0 ? market.lots * 500 : market.lots);
    return { price: market.grid.priceOf(ticks), quantity: market.grid.quantityOf(lots) };
  }

  /** Shows the minimum, or some lots more. */
  #iceberg(market: Market) {
    const { price, quantity } = this.#terms(market);
    const { grid } = market;
    const display = 100 * grid.minLots + this.#random.below(20);
    const whole = (grid.lotsOf(quantity) ?? 0) + display;
    return {
      price,
      quantity: grid.quantityOf(whole),
      displayQuantity: grid.quantityOf(display),
    };
  }

  #place(market: Market): ExchangeCommand {
    const random = this.#random;
    const isMarket = random.below(10) === 0;
    const { kind } = market.instrument;
    return {
      kind: 'place',
      now: this.#at,
      account: pick(random, USERS),
      instrument: market.instrument.name,
      side: pick(random, ['buy', 'sell']),
      type: isMarket ? 'market' : 'limit',
      ...(random.below(8) === 0 ? this.#iceberg(market) : this.#terms(market)),
      timeInForce: pick(random, [
        'good_til_cancelled',
        'good_til_cancelled',
        'good_til_day',
        'immediate_or_cancel',
        'fill_or_kill',
      ]),
      postOnly: random.below(4) === 0,
      rejectPostOnly: random.below(2) === 0,
      reduceOnly: random.below(5) === 0,
      label: pick(random, LABELS),
      ...(kind === 'option' && random.below(3) === 0 && this.#advanced(market)),
    };
  }

  /** Sometimes a combination that the venue refuses. */
  #advanced({ level, instrument }: Market) {
    const advanced = pick(this.#random, ['usd', 'implv'] as const);
    const coins = instrument.marginKind === 'inverse' ? level * 100_000 : level;
    const value = advanced === 'usd' ? coins : 40 + this.#random.below(40);
    const timeInForce = 'good_til_cancelled' as const;
    const price = modelPrice(Math.max(1, Math.round(value)));
    return { advanced, price, timeInForce, postOnly: false };
  }

  /** Mostly an order of the account itself, and mostly an open one. */
  #target(): { readonly account: AccountId; readonly orderId: OrderId; readonly market: Market } {
    const order = this.#seen[this.#random.below(this.#seen.length + 1)];
    const market = this.#markets.find(({ instrument }) => instrument.name === order?.instrument);
    const account = this.#random.below(12) === 0 ? pick(this.#random, USERS) : order?.account;
    const [first] = this.#markets;
    return {
      account: account ?? ALICE,
      orderId: order?.orderId ?? orderId('1'),
      market: market ?? (first as Market),
    };
  }

  #edit(market: Market): ExchangeCommand {
    const random = this.#random;
    if (random.below(4) === 0) {
      const account = pick(random, USERS);
      const label = pick(random, LABELS.slice(1));
      const instrument = market.instrument.name;
      const terms = this.#terms(market);
      return { kind: 'edit_by_label', now: this.#at, account, instrument, label, ...terms };
    }
    const { market: its, ...target } = this.#target();
    const { price, quantity } = this.#terms(its);
    const terms = pick(random, [{ quantity }, { price }, { price, quantity }]);
    return { kind: 'edit', now: this.#at, ...target, ...terms };
  }

  #cancel(market: Market): ExchangeCommand {
    const random = this.#random;
    const account = pick(random, USERS);
    const dice = random.below(20);
    if (dice === 0) return { kind: 'settle_day', now: this.#at };
    if (dice === 1) {
      const instrument = market.instrument.name;
      return { kind: 'cancel_all', now: this.#at, account, instrument };
    }
    if (dice < 5) {
      const label = pick(random, LABELS.slice(1));
      return { kind: 'cancel_by_label', now: this.#at, account, label };
    }
    const { market: _market, ...target } = this.#target();
    return { kind: 'cancel', now: this.#at, ...target };
  }
}

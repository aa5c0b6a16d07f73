// A second, plain reckoning of what a venue says about an account: positions, profit, fees, margins and reserves, from the
// trades, the open orders and the prices alone. Written from the venue's definitions in the arithmetic of another library; it
// imports nothing of the program.
//
// Source: the venue's contract specifications. Inverse futures: profit in coin is size × (1/entry − 1/exit); linear ones and
// options: size × (exit − entry). Standard margin: futures 2 % and 1 % of their value, both growing with the size; short
// options max(15 % − out of the money, 10 %) and 7.5 % of the underlying, plus the mark price. Equity is balance plus the open
// profit of futures plus the value of options; margins of open orders count in the worse direction.
import { BigNumber } from 'bignumber.js';

/** What the reckoning has to know of an instrument. */
export interface PlainContract {
  readonly name: string;
  readonly kind: 'inverse_future' | 'linear_future' | 'option' | 'spot';
  /** The currency that profit, premium and margin are in; of spot the quote currency. */
  readonly currency: string;
  /** Of spot: what is bought and sold. */
  readonly base?: string | undefined;
  /** Options: priced in coin. */
  readonly isInverse: boolean;
  readonly option?: { readonly type: 'call' | 'put'; readonly strike: number } | undefined;
  readonly rates: { readonly maker: string; readonly taker: string };
  /** Of both margins, per coin of the position. */
  readonly growth: string;
}

export interface PlainPrices {
  readonly mark: string;
  readonly index: string;
  /** Options. */
  readonly underlying?: string | undefined;
}

export type PlainSide = 'buy' | 'sell';

interface Fill {
  readonly side: PlainSide;
  readonly amount: string;
  readonly price: string;
  readonly liquidity: 'maker' | 'taker';
}

interface Resting {
  readonly side: PlainSide;
  readonly amount: string;
  readonly price: string;
}

export interface PlainPosition {
  readonly size: BigNumber;
  readonly average: BigNumber;
  readonly floating: BigNumber;
  readonly realised: BigNumber;
  readonly initialMargin: BigNumber;
  readonly maintenanceMargin: BigNumber;
  /** What open orders add to the initial margin. */
  readonly ordersMargin: BigNumber;
}

export interface PlainSummary {
  readonly balance: BigNumber;
  readonly equity: BigNumber;
  readonly marginBalance: BigNumber;
  readonly initialMargin: BigNumber;
  readonly maintenanceMargin: BigNumber;
  readonly available: BigNumber;
  readonly spotReserve: BigNumber;
  readonly optionsValue: BigNumber;
  readonly futuresRealised: BigNumber;
  readonly optionsRealised: BigNumber;
  readonly futuresFloating: BigNumber;
  readonly optionsFloating: BigNumber;
}

const big = (value: BigNumber.Value): BigNumber => new BigNumber(value);
const ZERO = big(0);
const max = (...values: readonly BigNumber[]): BigNumber => BigNumber.max(...values);
const signOf = (side: PlainSide): 1 | -1 => (side === 'buy' ? 1 : -1);

/** One instrument of an account. */
class PlainHolding {
  readonly contract: PlainContract;
  prices: PlainPrices;
  /** Signed. */
  size = ZERO;
  /** What the position cost, positive: coins of inverse futures, else quote units. */
  cost = ZERO;
  realised = ZERO;
  resting: readonly Resting[] = [];

  constructor(contract: PlainContract, prices: PlainPrices) {
    this.contract = contract;
    this.prices = prices;
  }

  /** Of an amount at a price, in the currency of the profit. */
  valueOf(amount: BigNumber, price: BigNumber.Value): BigNumber {
    return this.contract.kind === 'inverse_future' ? amount.div(price) : amount.times(price);
  }

  /** Returns the profit that the fill realised. */
  fill({ side, amount, price }: Fill): BigNumber {
    const sign = signOf(side);
    const asked = big(amount);
    const isReducing = !this.size.isZero() && this.size.isPositive() !== sign > 0;
    const closed = isReducing ? BigNumber.min(asked, this.size.abs()) : ZERO;
    let gain = ZERO;
    if (closed.isPositive() && !closed.isZero()) {
      const basis = this.cost.times(closed).div(this.size.abs());
      gain = this.#gain(this.size.isPositive(), basis, this.valueOf(closed, price));
      this.cost = this.cost.minus(basis);
    }
    const opened = asked.minus(closed);
    this.size = this.size.plus(asked.times(sign));
    this.cost = this.cost.plus(this.valueOf(opened, price));
    this.realised = this.realised.plus(gain);
    return gain;
  }

  get floating(): BigNumber {
    if (this.size.isZero()) return ZERO;
    const worth = this.valueOf(this.size.abs(), this.prices.mark);
    return this.#gain(this.size.isPositive(), this.cost, worth);
  }

  get average(): BigNumber {
    if (this.size.isZero()) return ZERO;
    const held = this.size.abs();
    return this.contract.kind === 'inverse_future' ? held.div(this.cost) : this.cost.div(held);
  }

  margin(kind: 'initial' | 'maintenance'): BigNumber {
    return this.#marginOf(kind, this.size, this.size);
  }

  /** The position with its open orders, in the worse direction. */
  get marginWithOrders(): BigNumber {
    const open = (side: PlainSide): BigNumber =>
      this.resting
        .filter((order) => order.side === side)
        .reduce((sum, { amount }) => sum.plus(amount), ZERO);
    return this.#marginOf('initial', this.size.minus(open('sell')), this.size.plus(open('buy')));
  }

  fee({ amount, price, liquidity }: Fill): BigNumber {
    const { kind, rates, isInverse } = this.contract;
    const rate = big(rates[liquidity]);
    if (kind !== 'option') return this.valueOf(big(amount), price).times(rate);
    const perCoin = rate.times(isInverse ? 1 : this.prices.index);
    return BigNumber.min(perCoin, big(price).times('0.125')).times(amount);
  }

  #gain(isLong: boolean, basis: BigNumber, worth: BigNumber): BigNumber {
    const rise = worth.minus(basis);
    const gain = this.contract.kind === 'inverse_future' ? rise.negated() : rise;
    return isLong ? gain : gain.negated();
  }

  #marginOf(kind: 'initial' | 'maintenance', shortest: BigNumber, longest: BigNumber): BigNumber {
    const { contract, prices } = this;
    if (contract.kind === 'option') {
      return max(ZERO, shortest.negated()).times(this.#shortOptionMargin(kind));
    }
    const held = max(shortest.abs(), longest.abs());
    const value = this.valueOf(held, prices.mark);
    const coins = contract.kind === 'inverse_future' ? value : held;
    const base = kind === 'initial' ? '0.02' : '0.01';
    return value.times(coins.times(contract.growth).plus(base));
  }

  /** Of one coin, in the currency of the option. */
  #shortOptionMargin(kind: 'initial' | 'maintenance'): BigNumber {
    const { option, isInverse } = this.contract;
    const { mark, underlying = '' } = this.prices;
    if (option === undefined) throw new Error(`${this.contract.name} is no option`);
    const worth = isInverse ? big(1) : big(underlying);
    const away = big(option.strike).minus(underlying).div(underlying);
    const outOfMoney = max(ZERO, option.type === 'call' ? away : away.negated());
    const kept = max(
      worth.times('0.075'),
      option.type === 'put' ? big(mark).times('0.075') : ZERO,
    ).plus(mark);
    if (kind === 'maintenance') return kept;
    const first = max(big('0.15').minus(outOfMoney), big('0.1')).times(worth).plus(mark);
    return option.type === 'put' ? max(first, kept) : first;
  }
}

export class PlainAccount {
  readonly #balances: Map<string, BigNumber>;
  readonly #holdings = new Map<string, PlainHolding>();

  constructor(balances: Readonly<Record<string, string>>) {
    this.#balances = new Map(Object.entries(balances).map(([of, amount]) => [of, big(amount)]));
  }

  list(contract: PlainContract, prices: PlainPrices): void {
    this.#holdings.set(contract.name, new PlainHolding(contract, prices));
  }

  reprice(name: string, prices: PlainPrices): void {
    this.#of(name).prices = prices;
  }

  /** The orders of the account that rest in the book of the instrument. */
  rest(name: string, orders: readonly Resting[]): void {
    this.#of(name).resting = orders;
  }

  fill(name: string, fill: Fill): void {
    const holding = this.#of(name);
    const { kind, currency, base = '' } = holding.contract;
    const sign = signOf(fill.side);
    const fee = holding.fee(fill);
    if (kind === 'spot') {
      this.#pay(base, big(fill.amount).times(sign));
      this.#pay(currency, holding.valueOf(big(fill.amount), fill.price).times(-sign).minus(fee));
      return;
    }
    const gain = holding.fill(fill);
    const premium = holding.valueOf(big(fill.amount), fill.price).times(-sign);
    this.#pay(currency, (kind === 'option' ? premium : gain).minus(fee));
  }

  position(name: string): PlainPosition {
    const holding = this.#of(name);
    const initialMargin = holding.margin('initial');
    return {
      size: holding.size,
      average: holding.average,
      floating: holding.floating,
      realised: holding.realised,
      initialMargin,
      maintenanceMargin: holding.margin('maintenance'),
      ordersMargin: holding.marginWithOrders.minus(initialMargin),
    };
  }

  summary(currency: string): PlainSummary {
    const own = [...this.#holdings.values()].filter(
      ({ contract }) => contract.currency === currency && contract.kind !== 'spot',
    );
    const options = own.filter(({ contract }) => contract.kind === 'option');
    const futures = own.filter(({ contract }) => contract.kind !== 'option');
    const balance = this.#balances.get(currency) ?? ZERO;
    const futuresFloating = total(futures, ({ floating }) => floating);
    const marginBalance = balance.plus(futuresFloating);
    const optionsValue = total(options, ({ size, prices }) => size.times(prices.mark));
    const premiums = total(options, premiumsOf);
    const initialMargin = total(own, ({ marginWithOrders }) => marginWithOrders).plus(premiums);
    const spotReserve = total([...this.#holdings.values()], (one) => spotReserveOf(one, currency));
    return {
      balance,
      equity: marginBalance.plus(optionsValue),
      marginBalance,
      initialMargin,
      maintenanceMargin: total(own, (one) => one.margin('maintenance')),
      available: max(ZERO, marginBalance.minus(initialMargin).minus(spotReserve)),
      spotReserve,
      optionsValue,
      futuresRealised: total(futures, ({ realised }) => realised),
      optionsRealised: total(options, ({ realised }) => realised),
      futuresFloating,
      optionsFloating: total(options, ({ floating }) => floating),
    };
  }

  #pay(currency: string, amount: BigNumber): void {
    this.#balances.set(currency, (this.#balances.get(currency) ?? ZERO).plus(amount));
  }

  #of(name: string): PlainHolding {
    const known = this.#holdings.get(name);
    if (known === undefined) throw new Error(`${name} is not listed`);
    return known;
  }
}

const total = (
  holdings: readonly PlainHolding[],
  of: (holding: PlainHolding) => BigNumber,
): BigNumber => holdings.reduce((sum, one) => sum.plus(of(one)), ZERO);

/** The premiums of open buys, each with the higher of its fees. */
const premiumsOf = (holding: PlainHolding): BigNumber =>
  holding.resting
    .filter(({ side }) => side === 'buy')
    .reduce((sum, order) => sum.plus(costOf(holding, order)), ZERO);

/** What open spot orders may spend of the currency. */
function spotReserveOf(holding: PlainHolding, currency: string): BigNumber {
  const { kind, base, currency: quote } = holding.contract;
  if (kind !== 'spot') return ZERO;
  if (currency === quote) return premiumsOf(holding);
  return holding.resting
    .filter(({ side }) => side === 'sell' && currency === base)
    .reduce((sum, { amount }) => sum.plus(amount), ZERO);
}

function costOf(holding: PlainHolding, order: Resting): BigNumber {
  const fees = (['maker', 'taker'] as const).map((liquidity) =>
    holding.fee({ ...order, liquidity }),
  );
  return holding.valueOf(big(order.amount), order.price).plus(max(...fees));
}

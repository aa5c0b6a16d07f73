// A second, plain reckoning of what a venue says about an account: positions, profit, fees, margins and reserves, from the
// trades, the open orders and the prices alone. Written from the venue's definitions in the arithmetic of another library; it
// imports nothing of the program.
//
// Source: the venue's contract specifications. Inverse futures: profit in coin is size × (1/entry − 1/exit); linear ones and
// options: size × (exit − entry). Standard margin: futures 2 % and 1 % of their value, both growing with the size; short
// options max(15 % − out of the money, 10 %) and 7.5 % of the underlying, plus the mark price. Equity is balance plus the open
// profit of futures plus the value of options; margins of open orders count in the worse direction. Funding: position × mark ×
// rate × time / 8 h, paid by longs while the rate is positive. The daily settlement pays the profit and the funding of the
// session; options are marked. An option expires in the money into its future, as a trade at the strike for nothing but the option's
// delivery fee (of coins: size × strike dollars); out of the money it ends. A future pays its profit at expiry, less the delivery fee
// on what was held of it before the options and is left of that. Both together pay what each would alone.
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
  /** Perpetuals. */
  readonly paysFunding?: boolean | undefined;
  /** Of the delivery fee; none if absent. */
  readonly deliveryRate?: string | undefined;
  /** Options: the name of the future they settle into; paid in cash if absent. */
  readonly future?: string | undefined;
}

export interface PlainPrices {
  readonly mark: string;
  readonly index: string;
  /** Options. */
  readonly underlying?: string | undefined;
  /** Perpetuals: per eight hours. */
  readonly funding?: string | undefined;
}

export type PlainSide = 'buy' | 'sell';

interface Fill {
  readonly side: PlainSide;
  readonly amount: string;
  readonly price: string;
  readonly liquidity: 'maker' | 'taker';
  /** Instead of the instrument's, as of a leg of a combo. */
  readonly fee?: BigNumber | undefined;
}

interface Resting {
  readonly side: PlainSide;
  readonly amount: string;
  readonly price: string;
}

export interface PlainPosition {
  readonly size: BigNumber;
  readonly average: BigNumber;
  /** Positive: coins of inverse futures, else quote units. */
  readonly cost: BigNumber;
  readonly floating: BigNumber;
  readonly realised: BigNumber;
  readonly initialMargin: BigNumber;
  readonly maintenanceMargin: BigNumber;
  /** What open orders add to the initial margin. */
  readonly ordersMargin: BigNumber;
  /** Of the session, a part of what is realised. */
  readonly funding: BigNumber;
}

/** What a trade, a settlement or an expiry moved in one currency. */
export interface PlainEntry {
  readonly type: 'trade' | 'settlement' | 'delivery' | 'expiry' | 'settlement into future';
  readonly name: string;
  readonly currency: string;
  readonly at: number;
  /** Of a trade; of the others that of the position, `undefined` if flat. */
  readonly side: PlainSide | undefined;
  readonly amount: BigNumber;
  readonly price: BigNumber;
  readonly fee: BigNumber;
  readonly cashflow: BigNumber;
  /** Settlements of perpetuals: a part of `cashflow`. */
  readonly funding?: BigNumber | undefined;
  /** The position afterwards. */
  readonly position: BigNumber | undefined;
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
const sideOf = (size: BigNumber): PlainSide | undefined => {
  if (size.isZero()) return undefined;
  return size.isPositive() ? 'buy' : 'sell';
};
const signOf = (side: PlainSide): 1 | -1 => (side === 'buy' ? 1 : -1);

/** One instrument of an account. */
class PlainHolding {
  readonly contract: PlainContract;
  prices: PlainPrices;
  /** Signed. */
  size = ZERO;
  /** What the position cost, positive: coins of inverse futures, else quote units. */
  cost = ZERO;
  /** The same at the price of the last settlement, from which the profit of the session counts. */
  basis = ZERO;
  /** Of the session. */
  realised = ZERO;
  /** Of the session: received. */
  funding = ZERO;
  isExpired = false;
  /** Of a future at its expiry: what its options added, signed, and what it and they would pay each alone. */
  added = ZERO;
  alone: BigNumber | undefined;
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
      const cost = this.cost.times(closed).div(this.size.abs());
      const basis = this.basis.times(closed).div(this.size.abs());
      const from = this.contract.kind === 'option' ? cost : basis;
      gain = this.gain(this.size.isPositive(), from, this.valueOf(closed, price));
      this.cost = this.cost.minus(cost);
      this.basis = this.basis.minus(basis);
    }
    const opened = asked.minus(closed);
    this.size = this.size.plus(asked.times(sign));
    this.cost = this.cost.plus(this.valueOf(opened, price));
    this.basis = this.basis.plus(this.valueOf(opened, price));
    this.realised = this.realised.plus(gain);
    return gain;
  }

  /** Of futures since the last settlement, of options since they were traded. */
  get floating(): BigNumber {
    return this.#openGain(this.contract.kind === 'option' ? this.cost : this.basis);
  }

  get sessionFloating(): BigNumber {
    return this.#openGain(this.basis);
  }

  get worth(): BigNumber {
    return this.valueOf(this.size.abs(), this.prices.mark);
  }

  pass(hours: BigNumber): void {
    const { contract, prices } = this;
    if (contract.paysFunding !== true || prices.funding === undefined) return;
    const paid = this.worth.times(prices.funding).times(hours).div(8);
    this.funding = this.funding.minus(this.size.isNegative() ? paid.negated() : paid);
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

  /** What the whole position receives at the delivery price. */
  payoff(price: string): BigNumber {
    const { option, isInverse } = this.contract;
    const isLong = this.size.isPositive();
    if (option === undefined) {
      return this.gain(isLong, this.basis, this.valueOf(this.size.abs(), price));
    }
    const rise = big(price).minus(option.strike);
    const inMoney = max(ZERO, option.type === 'call' ? rise : rise.negated());
    return this.size.times(inMoney).div(isInverse ? price : 1);
  }

  deliveryFee(price: string): BigNumber {
    const { kind, deliveryRate = '0', isInverse } = this.contract;
    const held = this.size.abs();
    if (kind !== 'option') return this.valueOf(this.#ownLeft(), price).times(deliveryRate);
    const fee = held.times(isInverse ? 1 : price).times(deliveryRate);
    return BigNumber.min(fee, this.payoff(price).abs().times('0.125'));
  }

  /** What was held before the options came, less what they closed of it. */
  #ownLeft(): BigNumber {
    const before = this.size.minus(this.added);
    const against = before.isPositive() ? this.added.negated() : this.added;
    return max(ZERO, before.abs().minus(max(ZERO, against)));
  }

  #openGain(from: BigNumber): BigNumber {
    return this.size.isZero() ? ZERO : this.gain(this.size.isPositive(), from, this.worth);
  }

  gain(isLong: boolean, basis: BigNumber, worth: BigNumber): BigNumber {
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
  readonly #at: () => number;
  readonly log: PlainEntry[] = [];

  constructor(balances: Readonly<Record<string, string>>, at: () => number = () => 0) {
    this.#at = at;
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
    const { side } = fill;
    const [amount, price] = [big(fill.amount), big(fill.price)];
    const fee = fill.fee ?? holding.fee(fill);
    const terms = { type: 'trade', name, side, amount, price } as const;
    const worth = holding.valueOf(amount, price).times(-sign);
    if (kind === 'spot') {
      const coins = { ...terms, currency: base, fee: ZERO, position: undefined };
      this.#enter({ ...coins, cashflow: amount.times(sign) });
      this.#enter({ ...terms, currency, cashflow: worth, fee, position: undefined });
      return;
    }
    const gain = holding.fill(fill);
    const cashflow = kind === 'option' ? worth : gain;
    this.#enter({ ...terms, currency, cashflow, fee, position: holding.size });
  }

  /** Time in which positions and prices stay as they are. */
  pass(ms: number): void {
    for (const holding of this.#holdings.values()) holding.pass(big(ms).div(3_600_000));
  }

  /** Pays whole units of the currency; what is below waits. */
  settleDay(digits: Readonly<Record<string, number>>): void {
    for (const holding of this.#holdings.values()) {
      const { size, contract, prices, isExpired } = holding;
      const { kind, currency, name } = contract;
      holding.realised = ZERO;
      if (kind === 'spot' || isExpired) continue;
      if (kind === 'option') {
        holding.basis = holding.worth;
        continue;
      }
      const funding = holding.funding.decimalPlaces(digits[currency] ?? 0);
      const cashflow = holding.floating.plus(funding);
      holding.funding = holding.funding.minus(funding);
      holding.basis = holding.worth;
      if (size.isZero() && cashflow.isZero()) continue;
      const price = big(prices.mark);
      const settled = { name, currency, side: sideOf(size), amount: size.abs(), price, fee: ZERO };
      const paid = { cashflow, ...(contract.paysFunding === true && { funding }) };
      this.#enter({ type: 'settlement', ...settled, ...paid, position: size });
    }
  }

  /** The options of an expiry come before their future. */
  expire(name: string, price: string): void {
    const holding = this.#of(name);
    const { size, contract, cost } = holding;
    const { currency, kind } = contract;
    holding.isExpired = true;
    holding.resting = [];
    const [payoff, fee] = [holding.payoff(price), holding.deliveryFee(price)];
    if (kind !== 'option') this.#deliver(holding, { price, payoff, fee });
    if (kind !== 'option' || size.isZero()) return;
    const future = contract.future === undefined ? undefined : this.#of(contract.future);
    const isWorthless = payoff.isZero();
    const isTaken = future !== undefined && !isWorthless;
    const cashflow = isTaken ? ZERO : payoff;
    holding.realised = holding.realised
      .plus(cashflow)
      .minus(size.isPositive() ? cost : cost.negated());
    clear(holding);
    const ended = { name, currency, side: sideOf(size), amount: size.abs(), fee, cashflow };
    const inCash = isWorthless ? 'expiry' : 'delivery';
    const type = isTaken ? 'settlement into future' : inCash;
    const at = isTaken ? (contract.option?.strike ?? 0) : price;
    this.#enter({ type, ...ended, price: big(at), position: ZERO });
    if (isTaken) this.#takeOver(future, { size, contract, price, payoff });
  }

  #takeOver(
    future: PlainHolding,
    of: { size: BigNumber; contract: PlainContract; price: string; payoff: BigNumber },
  ): void {
    const { size, price, payoff } = of;
    const { option, isInverse } = of.contract;
    if (option === undefined) throw new Error(`${of.contract.name} is no option`);
    const { name, currency } = future.contract;
    const side = size.isPositive() === (option.type === 'call') ? 'buy' : 'sell';
    const amount = size.abs().times(isInverse ? option.strike : 1);
    future.alone = (future.alone ?? future.payoff(price)).plus(payoff);
    const at = String(option.strike);
    const cashflow = future.fill({ side, amount: amount.toFixed(), price: at, liquidity: 'maker' });
    future.added = future.added.plus(amount.times(signOf(side)));
    future.alone = future.alone.minus(cashflow);
    const taken = { name, currency, side, amount, price: big(at), fee: ZERO, cashflow } as const;
    this.#enter({ type: 'settlement into future', ...taken, position: future.size });
  }

  #deliver(
    holding: PlainHolding,
    { price, payoff, fee }: { price: string; payoff: BigNumber; fee: BigNumber },
  ): void {
    const { size, alone = payoff } = holding;
    const { name, currency } = holding.contract;
    if (alone.minus(payoff).abs().isGreaterThan('1e-12')) {
      throw new Error(`${name} pays ${payoff} together with its options, apart they pay ${alone}`);
    }
    if (size.isZero()) return;
    holding.realised = holding.realised.plus(payoff);
    clear(holding);
    const delivered = { side: sideOf(size), amount: size.abs(), price: big(price), fee };
    const entry = { name, currency, ...delivered, cashflow: payoff, position: ZERO };
    this.#enter({ type: 'delivery', ...entry });
  }

  isExpired(name: string): boolean {
    return this.#of(name).isExpired;
  }

  position(name: string): PlainPosition {
    const holding = this.#of(name);
    const initialMargin = holding.margin('initial');
    return {
      size: holding.size,
      average: holding.average,
      cost: holding.cost,
      floating: holding.floating,
      realised: holding.realised.plus(holding.funding),
      funding: holding.funding,
      initialMargin,
      maintenanceMargin: holding.margin('maintenance'),
      ordersMargin: holding.marginWithOrders.minus(initialMargin),
    };
  }

  balance(currency: string): BigNumber {
    return this.#balances.get(currency) ?? ZERO;
  }

  summary(currency: string): PlainSummary {
    const own = [...this.#holdings.values()].filter(
      ({ contract }) => contract.currency === currency && contract.kind !== 'spot',
    );
    const options = own.filter(({ contract }) => contract.kind === 'option');
    const futures = own.filter(({ contract }) => contract.kind !== 'option');
    const balance = this.balance(currency);
    const futuresFloating = total(futures, ({ floating }) => floating);
    const funding = total(futures, (one) => one.funding);
    const marginBalance = balance.plus(futuresFloating).plus(funding);
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
      futuresRealised: total(futures, ({ realised }) => realised).plus(funding),
      optionsRealised: total(options, ({ realised }) => realised),
      futuresFloating,
      optionsFloating: total(options, ({ sessionFloating }) => sessionFloating),
    };
  }

  #enter(entry: Omit<PlainEntry, 'at'>): void {
    this.log.push({ ...entry, at: this.#at() });
    this.#pay(entry.currency, entry.cashflow.minus(entry.fee));
  }

  #pay(currency: string, amount: BigNumber): void {
    this.#balances.set(currency, this.balance(currency).plus(amount));
  }

  #of(name: string): PlainHolding {
    const known = this.#holdings.get(name);
    if (known === undefined) throw new Error(`${name} is not listed`);
    return known;
  }
}

function clear(holding: PlainHolding): void {
  holding.size = ZERO;
  holding.cost = ZERO;
  holding.basis = ZERO;
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

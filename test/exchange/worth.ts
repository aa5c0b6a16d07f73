// An independent ledger next to the exchange: the balances and positions reported for users, and what their
// bot counterparties must then have. Every currency must always sum to its amount at the start.

import type { Exchange, ExchangeOptions } from '../../src/exchange/exchange.ts';
import type { ExchangeCommand } from '../../src/exchange/exchange-command.ts';
import type { ExchangeEvent } from '../../src/exchange/exchange-event.ts';
import type { FundingSample } from '../../src/exchange/model/instruments/funding-account.ts';
import type { ExchangeTrade } from '../../src/exchange/order.ts';
import {
  type Money,
  type Price,
  price,
  rounded,
  text,
  ZERO_MONEY,
} from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import type { Decimal } from '../../src/values/decimal.ts';
import { HOUR_MS, type Instant } from '../../src/values/instant.ts';
import type { Instrument } from '../../src/values/instrument.ts';

const ZERO = ZERO_MONEY as Decimal;

/** The combined position of all bots in one instrument. */
interface Crowd {
  /** Signed, in the amount unit. */
  amount: Decimal;
  /** Signed sum of what was paid or received for the amount. */
  value: Decimal;
  /** For a perpetual: what a long unit had paid when the amount last changed. */
  from: Decimal;
}

export class Worth {
  readonly #instruments: ReadonlyMap<string, Instrument>;
  readonly #crowd = new Map<string, Crowd>();
  readonly #marks = new Map<string, Price>();
  readonly #samples = new Map<string, FundingSample>();
  /** What bots received, and what was paid in fees, by currency. */
  readonly #paid = new Map<string, Decimal>();
  #now = 0 as Instant;
  /** How much funding the bots received or paid so far, in any currency. */
  fundingPaid = 0;

  constructor({ instruments }: ExchangeOptions) {
    this.#instruments = new Map(instruments.map((one) => [one.name, one]));
  }

  follow(command: ExchangeCommand, events: readonly ExchangeEvent[]): void {
    this.#now = command.now;
    if (command.kind === 'set_reference') this.#marks.set(command.instrument, command.mark);
    for (const event of events) {
      if (event.kind === 'funding_sampled') this.#samples.set(event.instrument, event.funding);
      if (event.kind === 'position_settled' && event.settled.fee !== undefined) {
        this.#pay(event.settled.currency, event.settled.fee);
      }
      // The trade of a combo repeats those of its legs.
      if (event.kind === 'trade' && event.trade.legs === undefined) this.#counter(event.trade);
    }
    if (command.kind === 'expire_instrument' && command.deliveryPrice !== undefined) {
      this.#deliver(this.#instrument(command.instrument), command.deliveryPrice);
    }
  }

  /** The total value of all accounts, open positions at the mark price, by currency. */
  total(exchange: Exchange): Record<string, string> {
    const sums = new Map(this.#paid);
    const add = (currency: string, amount: Decimal): void => {
      sums.set(currency, (sums.get(currency) ?? ZERO).plus(amount));
    };
    for (const [name, crowd] of this.#crowd) {
      const instrument = this.#instrument(name);
      const { amount, value } = crowd;
      if (instrument.kind === 'spot') {
        add(instrument.base, amount);
        add(instrument.quote, value.negated());
      } else {
        const gain = this.#valueOf(instrument, amount).minus(value);
        add(instrument.settlement, isInverse(instrument) ? gain.negated() : gain);
        add(instrument.settlement, this.#funding(instrument, crowd));
      }
    }
    const snapshot = exchange.snapshot();
    for (const { currency, amount } of snapshot.balances) add(currency, price(amount));
    for (const position of snapshot.positions) {
      const instrument = this.#instrument(position.instrument);
      const amount = price(position.quantity) as Decimal;
      const held = this.#valueOf(instrument, amount);
      add(instrument.settlement, price(position.unpaid ?? '0'));
      if (instrument.kind === 'option') {
        add(instrument.settlement, held);
        continue;
      }
      const basis = (price(position.basis ?? '0') as Decimal).mul(amount.lt(0) ? -1 : 1);
      const gain = held.minus(basis);
      add(instrument.settlement, isInverse(instrument) ? gain.negated() : gain);
      if (position.funding === undefined) continue;
      const { accrued, from } = position.funding;
      add(instrument.settlement, price(accrued));
      const crowd = { amount, value: ZERO, from: this.#perUnit(instrument, price(from)) };
      add(instrument.settlement, this.#funding(instrument, crowd));
    }
    return Object.fromEntries([...sums].sort().map(([of, sum]) => [of, text(sum as Money)]));
  }

  /** The other side of a user's trade; if that is a user too, both cancel out. */
  #counter(trade: ExchangeTrade): void {
    const instrument = this.#instrument(trade.instrument);
    const crowd = this.#crowdOf(instrument);
    const sign = trade.side === 'buy' ? -1 : 1;
    this.#settleFunding(instrument, crowd);
    crowd.amount = crowd.amount.plus(trade.quantity.mul(sign));
    const value = isInverse(instrument)
      ? atPlaces(trade.quantity.div(trade.price), 18)
      : trade.price.mul(trade.quantity);
    crowd.value = crowd.value.plus(value.mul(sign));
    this.#pay(trade.feeCurrency, trade.fee);
  }

  #deliver(instrument: Instrument, at: Price): void {
    const crowd = this.#crowdOf(instrument);
    this.#marks.set(instrument.name, deliveredPrice(instrument, at));
    const gain = this.#valueOf(instrument, crowd.amount).minus(crowd.value);
    this.#pay(instrument.settlement, isInverse(instrument) ? gain.negated() : gain);
    crowd.amount = ZERO;
    crowd.value = ZERO;
  }

  /** Lot by lot, so that equal and opposite amounts have equal and opposite values. */
  #valueOf(instrument: Instrument, amount: Decimal): Decimal {
    const mark = this.#marks.get(instrument.name);
    if (mark === undefined || amount.isZero()) return ZERO;
    const lot = instrument.amountStep;
    const value = isInverse(instrument) ? atPlaces(lot.div(mark), 18) : mark.mul(lot);
    return value.mul(amount.div(lot));
  }

  #funding(instrument: Instrument, crowd: Crowd): Decimal {
    const paid = this.#paidPerUnit(instrument).minus(crowd.from);
    return paid.mul(crowd.amount).negated();
  }

  #settleFunding(instrument: Instrument, crowd: Crowd): void {
    const got = this.#funding(instrument, crowd);
    crowd.from = this.#paidPerUnit(instrument);
    this.fundingPaid += Math.abs(got.toNumber());
    this.#pay(instrument.settlement, got);
  }

  #paidPerUnit(instrument: Instrument): Decimal {
    const sample = this.#samples.get(instrument.name);
    if (sample === undefined) return ZERO;
    const sinceMs = this.#now - sample.at;
    const since = sample.lotValue
      .mul(sample.rate)
      .mul(sinceMs)
      .div(8 * HOUR_MS);
    return this.#perUnit(
      instrument,
      sample.paidPerLot.plus(rounded(since as Money, 18, 'half_even')),
    );
  }

  #perUnit = ({ amountStep }: Instrument, perLot: Decimal): Decimal => perLot.div(amountStep);

  #pay(currency: string, amount: Decimal): void {
    this.#paid.set(currency, (this.#paid.get(currency) ?? ZERO).plus(amount));
  }

  #crowdOf({ name }: Instrument): Crowd {
    const known = this.#crowd.get(name);
    if (known !== undefined) return known;
    const crowd = { amount: ZERO, value: ZERO, from: ZERO };
    this.#crowd.set(name, crowd);
    return crowd;
  }

  #instrument = (name: string): Instrument => must(this.#instruments.get(name), name);
}

const atPlaces = (value: Decimal, places: number): Decimal =>
  rounded(value as Money, places, 'half_up');

const isInverse = ({ amountUnit }: Instrument): boolean => amountUnit === 'usd';

/** The delivery value of one unit. */
function deliveredPrice(instrument: Instrument, at: Price): Price {
  const { option } = instrument;
  if (option === undefined) return at;
  const inside = option.type === 'call' ? at.minus(option.strike) : option.strike.minus(at);
  if (inside.lte(0)) return price('0');
  return (instrument.marginKind === 'inverse'
    ? atPlaces(inside.mul(instrument.amountStep).div(at), 16).div(instrument.amountStep)
    : inside) as Decimal as Price;
}

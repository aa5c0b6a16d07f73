// A user's account: balances, the amounts reserved by open orders, and an exposure per instrument.
import { type Money, minus, plus, type Quantity, ZERO_MONEY } from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName } from '../../values/ids.ts';
import type { ExchangeBalance } from '../exchange-event.ts';
import { Exposure } from './exposure.ts';
import type { Listing } from './instruments/listing.ts';

/** Which order is cancelled or rejected when two orders of one account would trade with each other. */
export type SelfTradeMode = 'reject_taker' | 'cancel_taker' | 'cancel_maker';

/** The mode of an account's incoming orders; extended: towards the other accounts of the same main account too. */
export type SelfTradeRule = SelfTradeMode | `${SelfTradeMode}_extended`;

const EXTENDED = '_extended';

/** What market-maker protection of one index holds. */
export interface MarginHold {
  /** An instrument of the index. */
  readonly listing: Listing;
  readonly maxQuoteQuantity: Quantity;
}

export class Account {
  readonly id: AccountId;
  readonly selfTrade: SelfTradeMode;
  readonly #isExtended: boolean;
  /** Accounts of the same main account that its incoming orders must not trade with. */
  #siblings: ReadonlySet<Account> = NONE;
  readonly #balances: Map<Currency, Money>;
  /** Reserved by open spot orders and option buys. */
  readonly #reserved = new Map<Currency, Money>();
  readonly #exposures = new Map<InstrumentName, Exposure>();
  /** The currencies in which it is being liquidated: nothing that could trade is accepted in them. */
  readonly liquidating = new Set<Currency>();
  /** The round in which the margin of each currency was last compared; not kept over a restart. */
  readonly marginRounds = new Map<Currency, number>();
  /** Not kept over a restart: they are set again at each start. */
  marginHolds: readonly MarginHold[] = [];

  constructor(
    id: AccountId,
    balances: ReadonlyMap<Currency, Money>,
    selfTrade: SelfTradeRule = 'reject_taker',
  ) {
    this.id = id;
    this.#isExtended = selfTrade.endsWith(EXTENDED);
    this.selfTrade = selfTrade.replace(EXTENDED, '') as SelfTradeMode;
    this.#balances = new Map(balances);
  }

  get siblings(): ReadonlySet<Account> {
    return this.#siblings;
  }

  /** Names the accounts of its main account, itself included; without effect unless its mode is extended. */
  belongTo(family: readonly Account[]): void {
    if (this.#isExtended) this.#siblings = new Set(family.filter((one) => one !== this));
  }

  balance(currency: Currency): Money {
    return this.#balances.get(currency) ?? ZERO_MONEY;
  }

  views(): ExchangeBalance[] {
    return [...this.#balances].map(([currency, amount]) => ({
      account: this.id,
      currency,
      amount,
    }));
  }

  setBalance(currency: Currency, amount: Money): void {
    this.#balances.set(currency, amount);
  }

  /** `amount` may be negative. */
  credit(currency: Currency, amount: Money): void {
    this.#balances.set(currency, plus(this.balance(currency), amount));
  }

  reserved(currency: Currency): Money {
    return this.#reserved.get(currency) ?? ZERO_MONEY;
  }

  /** The balance that no open order has reserved. */
  unreserved(currency: Currency): Money {
    return minus(this.balance(currency), this.reserved(currency));
  }

  /** `amount` is negative for a release. */
  reserve(currency: Currency, amount: Money): void {
    this.#reserved.set(currency, plus(this.reserved(currency), amount));
  }

  exposure(listing: Listing): Exposure {
    const { name } = listing.instrument;
    const known = this.#exposures.get(name);
    if (known !== undefined) return known;
    const exposure = new Exposure(this.id, listing);
    this.#exposures.set(name, exposure);
    return exposure;
  }

  exposures(): IterableIterator<Exposure> {
    return this.#exposures.values();
  }

  known(name: InstrumentName): Exposure | undefined {
    return this.#exposures.get(name);
  }

  /** Drops a flat exposure without orders in a closed market. */
  dropClosed(name: InstrumentName): void {
    this.#exposures.delete(name);
  }
}

const NONE: ReadonlySet<Account> = new Set();

// The recent settlements and deliveries of users' positions, per account by time.
import type { Money, Price, Quantity } from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { AgeQueue, type Span } from './age-queue.ts';

/**
 * Type of the two entries by which an option in the money becomes a position of its future, one of either instrument. Not documented;
 * measured later by `doctor --capture`.
 */
export const INTO_FUTURE = 'settlement into future';

/** What the daily settlement, or the expiry, of one position moved. */
export interface PositionSettlement {
  /** `delivery`: of a future, or of an option without a future. `expiry`: of an option that is not in the money. */
  readonly type: 'settlement' | 'delivery' | 'expiry' | typeof INTO_FUTURE;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly currency: Currency;
  /** Of a future: the option that became a position of it. */
  readonly option?: InstrumentName | undefined;
  /** Signed: the position that was settled, or that an option added to its future. */
  readonly quantity: Quantity;
  readonly price?: Price | undefined;
  /** The part of `change` that is funding. */
  readonly fundingPaid?: Money | undefined;
  /** Of an expiry, taken off `change`; absent in journals written before there were delivery fees. */
  readonly fee?: Money | undefined;
  readonly change: Money;
  readonly balanceAfter: Money;
  readonly positionAfter: Quantity;
  readonly at: Instant;
  /** Trades of the account that came before it in its millisecond; absent if there were none, and in old journals. */
  readonly tradesBefore?: number | undefined;
}

export interface SettlementRetention {
  readonly tradesMs: number;
  readonly tradesMax: number;
}

export class SettlementLog {
  readonly #retention: SettlementRetention;
  readonly #byAccount = new Map<AccountId, AgeQueue<PositionSettlement>>();

  constructor(retention: SettlementRetention) {
    this.#retention = retention;
  }

  /** Adding one twice changes nothing. */
  add(settlement: PositionSettlement): void {
    const { account, at } = settlement;
    let own = this.#byAccount.get(account);
    if (own === undefined) {
      own = new AgeQueue();
      this.#byAccount.set(account, own);
    }
    const isSame = (other: PositionSettlement): boolean =>
      other.instrument === settlement.instrument &&
      other.type === settlement.type &&
      other.option === settlement.option;
    if (!own.since(at).some(isSame)) own.push(settlement, at);
  }

  between(account: AccountId, span: Span, order: 'asc' | 'desc'): Iterable<PositionSettlement> {
    return this.#byAccount.get(account)?.between(span, order) ?? [];
  }

  *all(): IterableIterator<PositionSettlement> {
    for (const settlements of this.#byAccount.values()) yield* settlements;
  }

  /** They are kept as long as trades. */
  forget(now: Instant): void {
    const { tradesMs, tradesMax } = this.#retention;
    const limits = { before: later(now, -tradesMs), keepMax: tradesMax };
    for (const own of this.#byAccount.values()) own.forget(limits, () => undefined);
  }
}

// The recent settlements and deliveries of users' positions, per account by time.
import type { Money, Price, Quantity } from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { AgeQueue, type Span } from './age-queue.ts';

/** What the daily settlement, or the expiry, of one position moved. */
export interface PositionSettlement {
  readonly type: 'settlement' | 'delivery';
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly currency: Currency;
  /** Signed: the position that was settled. */
  readonly quantity: Quantity;
  readonly price?: Price | undefined;
  /** The part of `change` that is funding. */
  readonly fundingPaid?: Money | undefined;
  /** Of a delivery, taken off `change`; absent in journals written before there were delivery fees. */
  readonly fee?: Money | undefined;
  readonly change: Money;
  readonly balanceAfter: Money;
  readonly positionAfter: Quantity;
  readonly at: Instant;
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
      other.instrument === settlement.instrument && other.type === settlement.type;
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

// A Block RFQ as the exchange keeps it: one taker requests one price for a whole structure from several
// makers. Records are immutable; a change replaces the record. Sizes are whole units of the structure, prices
// whole numbers of its resolution.

import type { Price, Quantity } from '../../values/amounts.ts';
import type { ClientLink } from '../../values/block-rfq-record.ts';
import type { AccountId, Currency, InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type { StructureLeg } from '../structures/structure-leg.ts';

/** As stored; a maker never sees `created`, and sees `traded` if other makers filled it. */
export type RfqStatus = 'created' | 'open' | 'filled' | 'cancelled' | 'expired' | 'failed';

export type RfqClosedReason = 'filled' | 'taker_cancelled' | 'expired' | 'execution_failed';

export interface RfqLeg extends StructureLeg {
  readonly instrument: InstrumentName;
  /** Lots of the leg in one unit of the structure. */
  readonly lots: number;
}

/** The taker chooses size, side and price; makers accept it unchanged. */
export interface RfqHedge {
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly lots: number;
  readonly price: Price;
}

/** A participant that may quote, its alias, and the id under which it knows the RFQ. */
export interface RfqSeat {
  readonly account: AccountId;
  readonly alias: string;
  readonly id: string;
}

/** For either a user or a client. */
export interface RfqAllocation {
  readonly units: number;
  readonly userId?: number | undefined;
  readonly client?: ClientLink | undefined;
}

/** An accept that waits for quotes. */
export interface RfqTrigger {
  readonly state: 'untriggered' | 'triggered' | 'cancelled';
  /** The taker's. */
  readonly side: Side;
  readonly price: Price;
  /** The worst acceptable price on the grid. */
  readonly ticks: number;
  readonly since: Instant;
  readonly cancelReason?: string | undefined;
}

/** One maker's share. */
export interface RfqFill {
  readonly maker: AccountId;
  /** The taker's. */
  readonly side: Side;
  readonly ticks: number;
  readonly units: number;
  readonly hedgeLots: number;
  readonly blockTradeId: string;
}

export interface Rfq {
  /** Numbered from 1 in order of creation. */
  readonly number: number;
  readonly taker: AccountId;
  readonly takerAlias: string;
  /** The taker's id for this RFQ. */
  readonly takerId: string;
  readonly label: string;
  readonly status: RfqStatus;
  readonly closedReason?: RfqClosedReason | undefined;
  readonly currency: Currency;
  readonly units: number;
  /** Size of one unit. */
  readonly unit: Quantity;
  /** The minimum block size. */
  readonly minUnits: number;
  /** Smallest step of the structure's price. */
  readonly resolution: Price;
  readonly legs: readonly RfqLeg[];
  readonly hedge?: RfqHedge | undefined;
  readonly comboId?: string | undefined;
  readonly disclosed: boolean;
  /** Aliases addressed; empty for all. */
  readonly targets: readonly string[];
  readonly seats: readonly RfqSeat[];
  readonly allocations: readonly RfqAllocation[];
  readonly createdAt: Instant;
  /** End of the grace period: from then on the taker sees quotes and may trade. */
  readonly opensAt: Instant;
  readonly expiresAt: Instant;
  readonly updatedAt: Instant;
  /** At most one per side, the latest. */
  readonly triggers: readonly RfqTrigger[];
  readonly fills: readonly RfqFill[];
  /** The taker's rating at creation; see `taker-rating.ts`. */
  readonly takerRating: string;
  /** Set when it is closed. */
  readonly isRated?: boolean | undefined;
  /** The mark price at the fill. */
  readonly markPrice?: Price | undefined;
  readonly indexPrices?: Readonly<Record<string, string>> | undefined;
}

export const isLive = ({ status }: Pick<Rfq, 'status'>): boolean =>
  status === 'created' || status === 'open';

export const seatOf = (rfq: Rfq, account: AccountId): RfqSeat | undefined =>
  rfq.seats.find((seat) => seat.account === account);

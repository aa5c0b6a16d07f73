// What a report on execution costs is made from besides the events: the market second by second, and as it was when a
// portfolio decided or filled. It is not part of the events, which hold decisions only, and may be lost without harm.
import type { Money, Price, Quantity } from '../../values/amounts.ts';
import type { Currency, InstrumentName, PortfolioId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { SeenMarket } from './seen-market.ts';

/** A market in one second. Every daemon that works the instrument records it; the first row of a second is kept. */
export interface MarketSecond {
  readonly venue: VenueName;
  readonly instrument: InstrumentName;
  /** Start of the second, on the venue's clock. */
  readonly second: Instant;
  /** When it was seen, on the same clock. */
  readonly at: Instant;
  readonly market: SeenMarket;
  /** Traded by everybody since the second before, in the amount unit; absent = not counted, or after a gap. */
  readonly volume?: Quantity | undefined;
}

/** A market when a millisecond ended: one before a fill or at the horizon of a markout, or a bound of a schedule. */
export interface MarketInstant {
  readonly venue: VenueName;
  readonly instrument: InstrumentName;
  /** On the venue's clock. What changed in this millisecond is in it. */
  readonly at: Instant;
  /** Best prices of others; absent: nobody offered one, or the market was not known. */
  readonly bid?: Price | undefined;
  readonly ask?: Price | undefined;
  /** Known where it is counted. */
  readonly count?: TradeCount | undefined;
}

/** All trades of a book up to an instant. Two counts with the same `since` differ by what was traded between them. */
export interface TradeCount {
  /** From when on it has no break. */
  readonly since: Instant;
  readonly volume: Quantity;
  /** Sum of price × size, exactly. */
  readonly value: Money;
}

/** What the market was to a leg at one event of its portfolio. */
export interface LegMoment {
  readonly portfolio: PortfolioId;
  /** Version of the portfolio after the event: the event is number `version` of its history, from 1. */
  readonly version: number;
  readonly leg: number;
  /** On the venue's clock. */
  readonly at: Instant;
  /** Absent: nothing was known of it. */
  readonly market?: SeenMarket | undefined;
  /** Only at the submit. */
  readonly expected?: ExpectedCost | undefined;
}

/** What the verdict on the plan expected at the submit. */
export interface ExpectedCost {
  /** Against the mid, without fees; positive is a cost. Absent: nothing would have traded. */
  readonly bps?: number | undefined;
  readonly fee: Money;
  readonly feeCurrency: Currency;
}

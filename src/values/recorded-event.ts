// What a recording of a market says, row by row. Amounts stay the text they were written in: whoever
// uses a row knows the grid it belongs to. Absent means the recording does not say.
import type { Instant } from './instant.ts';
import type { Side } from './instrument.ts';
import type { Greeks } from './quote.ts';

interface Recorded {
  readonly symbol: string;
  /** When the recorder had it, microseconds since the epoch. */
  readonly atUs: number;
  /** The first full millisecond at which it was known. */
  readonly at: Instant;
}

export interface RecordedLevel {
  readonly price: string;
  /** In the recorded exchange's own unit; absent where only prices were kept. */
  readonly amount?: string | undefined;
}

/** All that is known of both sides of the book from here on; an empty side is empty. Best first. */
export interface RecordedBook extends Recorded {
  readonly kind: 'book';
  readonly bids: readonly RecordedLevel[];
  readonly asks: readonly RecordedLevel[];
}

export interface RecordedTrade extends Recorded {
  readonly kind: 'trade';
  /** The taker's; absent where the recording does not know it. */
  readonly side?: Side | undefined;
  readonly price: string;
  readonly amount: string;
}

/** What the exchange publishes beside book and trades. */
export interface RecordedTicker extends Recorded {
  readonly kind: 'ticker';
  readonly mark?: string | undefined;
  readonly index?: string | undefined;
  /** Options: the forward. */
  readonly underlying?: string | undefined;
  /** Options: volatility of the mark, a fraction. */
  readonly markIv?: number | undefined;
  readonly greeks?: Greeks | undefined;
}

export type RecordedEvent = RecordedBook | RecordedTrade | RecordedTicker;

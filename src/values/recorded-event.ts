// The rows of a market recording. Amounts keep the text they were written in, because only the reader of a row knows
// its grid. Absent means that the recording has no such value.
import type { Instant } from './instant.ts';
import type { Side } from './instrument.ts';
import type { Greeks } from './quote.ts';

interface Recorded {
  readonly symbol: string;
  /** When the recorder received it, microseconds since the epoch. */
  readonly atUs: number;
  /** The first full millisecond at which it was known. */
  readonly at: Instant;
}

export interface RecordedLevel {
  readonly price: string;
  /** In the recorded exchange's own unit; absent if only prices were recorded. */
  readonly amount?: string | undefined;
}

/** Both sides of the book as known from here on, best first; an empty side is empty. */
export interface RecordedBook extends Recorded {
  readonly kind: 'book';
  readonly bids: readonly RecordedLevel[];
  readonly asks: readonly RecordedLevel[];
}

export interface RecordedTrade extends Recorded {
  readonly kind: 'trade';
  /** The taker's side; absent if the recording does not have it. */
  readonly side?: Side | undefined;
  readonly price: string;
  readonly amount: string;
}

/** What the exchange publishes besides book and trades. */
export interface RecordedTicker extends Recorded {
  readonly kind: 'ticker';
  readonly mark?: string | undefined;
  readonly index?: string | undefined;
  /** Options: the forward. */
  readonly underlying?: string | undefined;
  /** Options: volatility of the mark price, a fraction. */
  readonly markIv?: number | undefined;
  readonly greeks?: Greeks | undefined;
}

export type RecordedEvent = RecordedBook | RecordedTrade | RecordedTicker;

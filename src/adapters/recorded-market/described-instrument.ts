// A recorded instrument with its terms, and notes on which of them were inferred.
import type { Quantity } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';

/** What is settled in coin is priced in dollars, also where its own price is in coin. */
export const indexNameOf = (of: {
  readonly base: string;
  readonly quote: string;
  readonly isInverse: boolean;
}): string => `${of.base}_${of.isInverse ? 'usd' : of.quote}`.toLowerCase();

export interface DescribedInstrument {
  readonly instrument: Instrument;
  /** The lot in the amount unit of the recording, for example contracts. */
  readonly recordedStep: Quantity;
  /** What was inferred, in plain text. */
  readonly notes: readonly string[];
}

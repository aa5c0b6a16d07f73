// A recorded instrument with its terms, and notes on which of them were inferred.
import type { Quantity } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';

export interface DescribedInstrument {
  readonly instrument: Instrument;
  /** The lot in the amount unit of the recording, for example contracts. */
  readonly recordedStep: Quantity;
  /** What was inferred, in plain text. */
  readonly notes: readonly string[];
}

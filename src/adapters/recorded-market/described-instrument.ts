// A recorded instrument with its terms, and what of them was not written down by anybody.
import type { Quantity } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';

export interface DescribedInstrument {
  readonly instrument: Instrument;
  /** The lot in the unit that the recording counts in: contracts where it counts those. */
  readonly recordedStep: Quantity;
  /** What was inferred, for people. */
  readonly notes: readonly string[];
}

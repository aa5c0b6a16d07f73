// What the rules of a submit look at beside the form: the moment, the limits, the venue.
import type { Money } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import type { DailyWindow } from '../../terms/execution.ts';
import type { SubmitLimits } from './submit-limits.ts';

/** What a venue can carry beside price and size. */
export interface VenueFeatures {
  readonly hidden: boolean;
  readonly tradeModes: readonly ('cash' | 'cross' | 'isolated')[];
  readonly positionSides: readonly ('long' | 'short' | 'net')[];
  /** Requests it takes a second, and at once; absent = not known. */
  readonly orderRate?: { readonly perSecond: number; readonly burst: number } | undefined;
  /** When it settles or is maintained; portfolios may ask to keep out of these. Absent: none known. */
  readonly quietWindows?: readonly DailyWindow[] | undefined;
}

export interface AdmitContext {
  readonly now: Instant;
  readonly limits: SubmitLimits;
  readonly features: VenueFeatures;
  readonly instrument: (name: string) => Instrument | undefined;
  /** Everything that can be traded, to name what is nearest to a name that cannot. Absent: none is named. */
  readonly listed?: (() => readonly Instrument[]) | undefined;
  readonly quote: (name: string) => Quote | undefined;
  /** The account can ask for Block RFQs. Absent: it cannot. */
  readonly hasBlockRfqs?: boolean | undefined;
  /** Largest single order in USD; absent = no limit. */
  readonly orderUsdMax?: Money | undefined;
  /** The index that a named group of market-maker protection is configured for. Absent: no such protection here. */
  readonly mmpIndexOf?: ((group: string) => string | undefined) | undefined;
}

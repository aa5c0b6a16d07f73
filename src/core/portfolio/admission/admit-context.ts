// What the rules of a submit check besides the form: the current instant, the limits, the venue.
import type { Money } from '../../../values/amounts.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Quote } from '../../../values/quote.ts';
import type { ControlLimits } from '../../risk/gate/control-limits.ts';
import type { DailyWindow } from '../../terms/execution.ts';
import type { SubmitLimits } from './submit-limits.ts';

/** What a venue supports besides price and size. */
export interface VenueFeatures {
  readonly hidden: boolean;
  readonly tradeModes: readonly ('cash' | 'cross' | 'isolated')[];
  readonly positionSides: readonly ('long' | 'short' | 'net')[];
  /** Requests accepted per second, and in a burst; absent = unknown. */
  readonly orderRate?: { readonly perSecond: number; readonly burst: number } | undefined;
  /** The venue's settlement and maintenance windows, which portfolios may avoid. Absent: none known. */
  readonly quietWindows?: readonly DailyWindow[] | undefined;
}

export type PortfolioControls = Pick<
  ControlLimits,
  'version' | 'strategy' | 'slippageUsdMax' | 'orderUsdMax' | 'quantityMax'
>;

export interface DayLoss {
  /** Absent while the trades of the day are not known. */
  readonly usd?: Money | undefined;
}

export interface AdmitContext {
  readonly now: Instant;
  readonly limits: SubmitLimits;
  readonly features: VenueFeatures;
  readonly instrument: (name: string) => Instrument | undefined;
  /**
   * All tradable instruments, used to suggest names close to an unknown one; `undefined` while the venue has not listed
   * any. Absent: no suggestions.
   */
  readonly listed?: (() => readonly Instrument[] | undefined) | undefined;
  readonly quote: (name: string) => Quote | undefined;
  /** Whether the account can create Block RFQs. Absent: it cannot. */
  readonly hasBlockRfqs?: boolean | undefined;
  /** Largest single order in USD; absent = no limit. */
  readonly orderUsdMax?: Money | undefined;
  /** The limits of the gate that portfolios are judged by. Absent: nothing is limited. */
  readonly controls?: PortfolioControls | undefined;
  /** What execution has cost the account today (PT-20). Absent: it is not counted. */
  readonly loss?: DayLoss | undefined;
  /** The index for which a named group of market-maker protection is configured. Absent: no such protection here. */
  readonly mmpIndexOf?: ((group: string) => string | undefined) | undefined;
}

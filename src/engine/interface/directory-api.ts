// What a gateway keeps a copy of, because it needs it within a request: the accounts that can trade, the venues, and
// the instruments of each. A subscription begins with all of it and continues with the changes.
import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { AccountId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Unsubscribe } from './plain-interface.ts';

export interface TradingAccount {
  readonly account: AccountId;
  readonly venue: VenueName;
  /** As a maker of Block RFQs; absent if it makes no quotes. */
  readonly makerAlias?: string | undefined;
}

export interface DirectoryVenue {
  readonly name: VenueName;
  readonly hasRfqs: boolean;
  /** Only where portfolios are submitted. */
  readonly features?: VenueFeatures | undefined;
  /** Only during the pause of a settlement. */
  readonly pausedUntil?: Instant | undefined;
}

export interface Directory {
  /** Those that can send orders: no dummy accounts. */
  readonly accounts: readonly TradingAccount[];
  readonly venues: readonly DirectoryVenue[];
  /** Whether there is market-maker protection. */
  readonly isProtected: boolean;
}

export type DirectoryNotice =
  | { readonly kind: 'directory'; readonly directory: Directory }
  /**
   * The whole list, as a venue may list again at once what it listed before. `expired` are those that recently
   * were in trading.
   */
  | {
      readonly kind: 'instruments';
      readonly venue: VenueName;
      readonly expired: boolean;
      readonly instruments: readonly Instrument[];
    }
  /** Everything has been delivered once. */
  | { readonly kind: 'complete' };

export interface DirectoryApi {
  /** Changes follow within a second, and always before a notice or an answer that refers to them. */
  follow(listener: (notice: DirectoryNotice) => void): Unsubscribe;
}

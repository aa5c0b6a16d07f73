// Where the prices around the paper exchange come from: seeded and endless, or recorded. A source
// turns the passing of time into commands of makers and takers; it never sees the users' orders.
import type { Price, Quantity } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import type { MarketCommand, SetReferenceCommand } from '../exchange-command.ts';
import type { LegOutlook } from './prices/leg-outlook.ts';

/** A trade of a user's order, from the user's side. */
export interface UserTrade {
  readonly side: Side;
  readonly quantity: Quantity;
  readonly at: Instant;
}

export interface MarketSource {
  /** Everything that can be traded at `now`, expired ones excluded. The same array until it changes. */
  instruments(now: Instant): readonly Instrument[];
  /** One of `instruments(now)`. */
  instrument(name: InstrumentName, now: Instant): Instrument | undefined;
  /**
   * Begins to make a market in a listed instrument: commands that bring its book from nothing to what
   * it is at `now`. From here on `step` covers it.
   */
  start(name: InstrumentName, now: Instant): readonly MarketCommand[];
  /**
   * What started instruments did since the last step, or a part of them: then `nextStepAt` is not after
   * `now`. The last of several late steps may do.
   */
  step(now: Instant): readonly MarketCommand[];
  /** Takes the bots out of a started instrument's book. `step` covers it no more. */
  stop(name: InstrumentName, now: Instant): readonly MarketCommand[];
  /** What a listed instrument is worth at `now`, started or not; `undefined` while that is not known. */
  reference(name: InstrumentName, now: Instant): SetReferenceCommand | undefined;
  /** When the next step is worth taking; `undefined` when nothing is started or no data is left. */
  nextStepAt(now: Instant): Instant | undefined;
  /** What an instrument that has expired settles at, in USD or USDC per coin. */
  deliveryPrice(instrument: Instrument): Price;
  /**
   * What the makers of a started instrument went by when they quoted last, where the market is made by
   * makers; else the marks have to do.
   */
  outlook?(name: InstrumentName): LegOutlook | undefined;
  /** Told of each trade of a user, so that makers know what they hold. Absent: nobody cares. */
  noteUserTrade?(name: InstrumentName, trade: UserTrade): void;
}

// The interface of the price sources of the paper exchange: seeded and endless, or recorded. A source turns
// the passing of time into commands of makers and takers; it never sees the users' orders.
import type { Price, Quantity } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import type { MarketCommand, SetReferenceCommand } from '../exchange-command.ts';
import type { PastMarket } from './past/past-market.ts';
import type { LegOutlook } from './prices/leg-outlook.ts';

/** A trade of a user's order, from the user's side. */
export interface UserTrade {
  readonly side: Side;
  readonly quantity: Quantity;
  readonly liquidity: 'maker' | 'taker';
  readonly at: Instant;
}

export interface MarketSource {
  /** All tradable instruments at `now`, excluding expired ones. The same array until it changes. */
  instruments(now: Instant): readonly Instrument[];
  /** One of `instruments(now)`. */
  instrument(name: InstrumentName, now: Instant): Instrument | undefined;
  /**
   * Starts making a market in a listed instrument: returns the commands that fill its empty book to its state
   * at `now`. From then on `step` covers it.
   */
  start(name: InstrumentName, now: Instant): readonly MarketCommand[];
  /**
   * The commands of started instruments since the last step, or a part of them: then `nextStepAt` is not
   * after `now`. If several steps are late, the last one may be enough.
   */
  step(now: Instant): readonly MarketCommand[];
  /** Removes the bots from a started instrument's book. `step` no longer covers it. */
  stop(name: InstrumentName, now: Instant): readonly MarketCommand[];
  /** The reference data of a listed instrument at `now`, started or not; `undefined` while unknown. */
  reference(name: InstrumentName, now: Instant): SetReferenceCommand | undefined;
  /** When the next step is due; `undefined` if nothing is started or no data is left. */
  nextStepAt(now: Instant): Instant | undefined;
  /** The delivery price of an expired instrument, in USD or USDC per coin; `undefined` if not known. */
  deliveryPrice(instrument: Instrument): Price | undefined;
  /** What the market was while nobody used it. Omitted if the source knows only what it was fed. */
  readonly past?: PastMarket | undefined;
  /**
   * The basis of the makers' latest quotes in a started instrument, if the source has makers; otherwise
   * callers use mark prices.
   */
  outlook?(name: InstrumentName): LegOutlook | undefined;
  /**
   * Called for each trade of a user, so that makers know their position. Omitted if the source does not need
   * it.
   */
  noteUserTrade?(name: InstrumentName, trade: UserTrade): void;
  /** Set if changes that nobody is looking for may be reported later, together. */
  readonly passing?: PassingMarket | undefined;
}

/**
 * A source whose changes need not be reported one by one while no user has an order in its books. The public tape then has the
 * amounts that traded and the last price, but not every trade.
 */
export interface PassingMarket {
  /**
   * Passes over what is due up to `now`, and over what follows before `before`, when nothing else happens until then. False if
   * something is due that has to be reported now: `step` has it.
   */
  pass(now: Instant, before: Instant): boolean;
  /** True if something was passed over and has not been told. */
  readonly isBehind: boolean;
  /** The commands that tell what was passed over. `step` and `start` tell it as well. */
  overdue(): readonly MarketCommand[];
}

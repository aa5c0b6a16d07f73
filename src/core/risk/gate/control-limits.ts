// The limits used by the controls of the gate; configuration sets every one of them. An absent limit is switched off,
// which only code can do: tests and the simulation, never a configuration file.
import type { Money, Quantity } from '../../../values/amounts.ts';
import type { Instrument, InstrumentKind } from '../../../values/instrument.ts';

/** By instrument name, else by the unit of the amount (`USD`, or the coin), else `*`. */
export type QuantityTable = ReadonlyMap<string, Quantity>;
/** By account, else `*`. */
export type AccountMoney = ReadonlyMap<string, Money>;

export interface CollarLimits {
  /** How far beyond the reference an order may pay, in basis points of it. */
  readonly bps: number;
  /** Options: the same as a share of the mark price, and in ticks; the larger applies. */
  readonly optionShare: number;
  readonly optionTicks: number;
  /** An older quote is not used as a reference. */
  readonly referenceAgeMaxMs: number;
  /** If mark price and mid differ by more than this, neither is used as a reference; options excepted. */
  readonly divergenceBps: number;
}

export interface DriftLimits {
  readonly windowMs: number;
  readonly bps: number;
  readonly optionBps: number;
}

/** A token bucket: refill rate per second, and burst. */
export interface MessageRate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface MessageLimits {
  /** Share of the venue's published limit. */
  readonly shareOfVenue: number;
  /** Used if a venue publishes no limit. */
  readonly perSecond: number;
  readonly burst: number;
  /** Limit per instrument, over all senders; absent = no such limit. */
  readonly instrument?: MessageRate | undefined;
  /** Limit over everything this process sends; absent = no such limit. */
  readonly process?: MessageRate | undefined;
  /** Share of each burst that is reserved for cancels. */
  readonly cancelReserve: number;
}

export interface MarketLimits {
  /** Largest move of the mid within `windowMs`, in basis points. */
  readonly jumpBps: number;
  readonly windowMs: number;
  /** Widest spread, in basis points of the mid; options excepted. */
  readonly spreadBps: number;
  /** How long nothing is sent after a jump. */
  readonly restMs: number;
}

export interface StrategyLimits {
  readonly instrumentsMax: number;
  readonly usdMax: Money;
  readonly slicesMax: number;
  /** `*` for all. */
  readonly accounts: ReadonlySet<string>;
}

export interface RepeatLimits {
  /** Portfolios that a strategy may submit since it was last switched on manually. */
  readonly executionsMax: number;
  /** Consecutive refusals by the venue, per portfolio. */
  readonly rejectsMax: number;
}

export interface ControlLimits {
  /** Version of the rules and limits in force; included in every verdict that refuses. */
  readonly version: string;
  readonly collar?: CollarLimits | undefined;
  readonly drift?: DriftLimits | undefined;
  /** USD by instrument name or account; tighter than the limit on every order. */
  readonly orderUsdMax?: ReadonlyMap<string, Money> | undefined;
  readonly quantityMax?: QuantityTable | undefined;
  readonly messages?: MessageLimits | undefined;
  readonly repeats?: RepeatLimits | undefined;
  readonly duplicateMs?: number | undefined;
  readonly positionMax?: QuantityTable | undefined;
  readonly grossUsdMax?: AccountMoney | undefined;
  /** What each account may trade; `*` for those not named. */
  readonly permits?: ReadonlyMap<string, ReadonlySet<InstrumentKind>> | undefined;
  readonly market?: MarketLimits | undefined;
  readonly strategy?: StrategyLimits | undefined;
  readonly selfMatch?: boolean | undefined;
  /** Execution loss per day. */
  readonly slippageUsdMax?: AccountMoney | undefined;
}

export const NO_LIMITS: ControlLimits = { version: 'none' };

/** `undefined` if no entry covers the instrument: that blocks the order. */
export const quantityLimit = (table: QuantityTable, instrument: Instrument): Quantity | undefined =>
  table.get(instrument.name) ??
  table.get(instrument.amountUnit === 'usd' ? 'USD' : instrument.base) ??
  table.get('*');

export const accountLimit = (table: AccountMoney, account: string): Money | undefined =>
  table.get(account) ?? table.get('*');

// The numbers the controls at the gate go by; configuration fills in every one of them. What is absent is
// switched off, which only code can do: tests and the simulation, never a configuration file.
import type { Money, Quantity } from '../../../values/amounts.ts';
import type { Instrument, InstrumentKind } from '../../../values/instrument.ts';

/** By instrument name, else by what the amount counts in (`USD`, or the coin), else `*`. */
export type QuantityTable = ReadonlyMap<string, Quantity>;
/** By account, else `*`. */
export type AccountMoney = ReadonlyMap<string, Money>;

export interface CollarLimits {
  /** How far beyond the reference an order may pay, in basis points of it. */
  readonly bps: number;
  /** Options: the same as a share of the mark, and in ticks; the larger counts. */
  readonly optionShare: number;
  readonly optionTicks: number;
  /** An older quote is no reference. */
  readonly referenceAgeMaxMs: number;
  /** Mark and middle of the book further apart than this are no reference; options excepted. */
  readonly divergenceBps: number;
}

export interface DriftLimits {
  readonly windowMs: number;
  readonly bps: number;
  readonly optionBps: number;
}

/** Tokens of a bucket that fills by so many a second up to its burst. */
export interface MessageRate {
  readonly perSecond: number;
  readonly burst: number;
}

export interface MessageLimits {
  /** Of what a venue says it takes. */
  readonly shareOfVenue: number;
  /** Where a venue does not say. */
  readonly perSecond: number;
  readonly burst: number;
  /** Of one instrument, whoever sends; absent = no limit of its own. */
  readonly instrument?: MessageRate | undefined;
  /** Of everything this process sends; absent = no limit of its own. */
  readonly process?: MessageRate | undefined;
  /** Share of each burst that only cancels may use. */
  readonly cancelReserve: number;
}

export interface MarketLimits {
  /** Largest move of the middle within `windowMs`, in basis points. */
  readonly jumpBps: number;
  readonly windowMs: number;
  /** Widest spread, in basis points of the middle; options excepted. */
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
  /** Portfolios a strategy may submit since somebody last switched it on. */
  readonly executionsMax: number;
  /** Refusals of the venue in a row, per portfolio. */
  readonly rejectsMax: number;
}

export interface ControlLimits {
  /** Names the rules and numbers in force; in every verdict that refuses. */
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
  /** Loss of execution a day. */
  readonly slippageUsdMax?: AccountMoney | undefined;
}

export const NO_LIMITS: ControlLimits = { version: 'none' };

/** `undefined` where nothing is said of the instrument: that blocks. */
export const quantityLimit = (table: QuantityTable, instrument: Instrument): Quantity | undefined =>
  table.get(instrument.name) ??
  table.get(instrument.amountUnit === 'usd' ? 'USD' : instrument.base) ??
  table.get('*');

export const accountLimit = (table: AccountMoney, account: string): Money | undefined =>
  table.get(account) ?? table.get('*');

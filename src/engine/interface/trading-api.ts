// Trading switches, overrides of single controls, and how much of its limits an account has used up.
import type { Granted, Override, OverrideWish } from '../../core/risk/gate/overrides.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { Instant } from '../../values/instant.ts';

/** Who does it, by id of the key, and when. */
export interface OverrideStamp {
  readonly by: string;
  readonly at: Instant;
}

/** One limit of an account, in the figures that its control compares. */
export interface LimitUse {
  readonly account: string;
  /**
   * As in refusals: `gross` (PT-9), `slippage` (PT-20), `messages` (PT-5) or `position` (PT-8); the venue's own limits of
   * orders and changes (`venue_messages`) and of queries (`venue_questions`), where it has them.
   */
  readonly control:
    | 'gross'
    | 'slippage'
    | 'position'
    | 'messages'
    | 'venue_messages'
    | 'venue_questions';
  /** Of `position`. */
  readonly instrument?: string | undefined;
  /** USD, the coin of the instrument, or `messages`. */
  readonly unit: string;
  /** Without an entry that covers it, it blocks. */
  readonly limit?: string | undefined;
  /** Absent: not known yet, which blocks. Slippage is below zero while execution was better than the market. */
  readonly used?: string | undefined;
}

export interface TradingApi {
  /** The current setting of every switch that was ever set. */
  switches(): Promise<readonly SwitchSetting[]>;
  /** Resolves when the setting is durable; a stricter one takes effect before. Rejects if the store does. */
  setSwitch(setting: SwitchSetting): Promise<null>;
  /** Those that have not expired at `at`. */
  overrides(at: Instant): Promise<readonly Override[]>;
  /** `lifeMs` counts from `at`. */
  requestOverride(
    wish: OverrideWish,
    asked: OverrideStamp & { readonly lifeMs: number },
  ): Promise<Override>;
  grantOverride(id: string, granted: OverrideStamp): Promise<Granted>;
  /** The limits of the accounts that fill up; those of single orders have nothing to use up. */
  limitUse(accounts: readonly string[], at: Instant): Promise<readonly LimitUse[]>;
}

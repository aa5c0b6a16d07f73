// Trading switches, and overrides of single controls.
import type { Granted, Override, OverrideWish } from '../../core/risk/gate/overrides.ts';
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { Instant } from '../../values/instant.ts';

/** Who does it, by id of the key, and when. */
export interface OverrideStamp {
  readonly by: string;
  readonly at: Instant;
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
}

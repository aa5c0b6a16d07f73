// The settings of trading switches there ever were, in one order: what a deployment may do survives every
// process of it, and says who wanted it so.
import type { SwitchSetting } from '../core/risk/trading-switch.ts';

export interface NumberedSetting extends SwitchSetting {
  /** 1, 2, 3, … over all switches, none left out. */
  readonly number: number;
}

export interface SwitchRecords {
  /** Settings above this number, in order. Rejects when the store cannot say. */
  after(number: number): Promise<readonly NumberedSetting[]>;
  /** Resolves with the setting's number once it is durable. Rejects when it may not be. */
  add(setting: SwitchSetting): Promise<number>;
}

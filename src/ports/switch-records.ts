// All settings of the trading switches in one sequence: they outlive every process of the deployment and record who
// made them.
import type { SwitchSetting } from '../core/risk/trading-switch.ts';

export interface NumberedSetting extends SwitchSetting {
  /** 1, 2, 3, … over all switches, without gaps. */
  readonly number: number;
}

export interface SwitchRecords {
  /** Settings above this number, in order. Rejects if the store cannot answer. */
  after(number: number): Promise<readonly NumberedSetting[]>;
  /** Resolves with the setting's number once it is durable. Rejects if it may not be. */
  add(setting: SwitchSetting): Promise<number>;
}

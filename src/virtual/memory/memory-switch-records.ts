// Settings of trading switches in memory.
import type { SwitchSetting } from '../../core/risk/trading-switch.ts';
import type { NumberedSetting, SwitchRecords } from '../../ports/switch-records.ts';

export class MemorySwitchRecords implements SwitchRecords {
  readonly #settings: NumberedSetting[] = [];

  after(number: number): Promise<readonly NumberedSetting[]> {
    return Promise.resolve(this.#settings.slice(number));
  }

  add(setting: SwitchSetting): Promise<number> {
    this.#settings.push({ ...setting, number: this.#settings.length + 1 });
    return Promise.resolve(this.#settings.length);
  }
}

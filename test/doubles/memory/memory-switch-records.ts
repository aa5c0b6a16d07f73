// Settings of trading switches in memory.
import type { SwitchSetting } from '../../../src/core/risk/trading-switch.ts';
import type { NumberedSetting, SwitchRecords } from '../../../src/ports/switch-records.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

export class MemorySwitchRecords implements SwitchRecords {
  readonly #settings: NumberedSetting[] = [];
  readonly #requests = new StoreRequests();

  after(number: number): Promise<readonly NumberedSetting[]> {
    return this.#requests.answer(() => this.#settings.filter((one) => one.number > number));
  }

  add(setting: SwitchSetting): Promise<number> {
    return this.#requests.answer(
      () => this.#settings.push({ ...setting, number: this.#settings.length + 1 }),
      setting,
    );
  }
}

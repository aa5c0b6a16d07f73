// The trading switches as known to this process. Its own settings take effect at once if they are stricter, and
// once durable if they are looser; settings of other processes take effect at the next poll.
import {
  isStricter,
  NO_SWITCHES,
  type SwitchedBy,
  type Switches,
  type SwitchSetting,
  stateOf,
  strictestFor,
  withSetting,
} from '../../core/risk/trading-switch.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { SwitchRecords } from '../../ports/switch-records.ts';
import { later } from '../../values/instant.ts';

export interface TradingSwitchesOptions {
  readonly records: SwitchRecords;
  readonly clock: Clock;
  readonly observer: Observer;
}

/** `monotonicMs` is when this process learned of the setting. */
export type SwitchListener = (setting: SwitchSetting, monotonicMs: number) => void;

/** How often the settings of other processes are polled. */
const LOOK_EVERY_MS = 250;
const RETRY_MS = 500;

export class TradingSwitches {
  readonly #parts: TradingSwitchesOptions;
  readonly #listeners = new Set<SwitchListener>();
  #durable: Switches = NO_SWITCHES;
  /** Stricter settings of this process that are not durable yet. */
  #ahead: readonly SwitchSetting[] = [];
  #inForce: Switches = NO_SWITCHES;
  #number = 0;
  #stopTimer: StopTimer = () => undefined;
  #isClosed = false;
  #isAway = false;
  #hasRead = false;
  #looking: Promise<void> = Promise.resolve();

  /** Resolves when every setting is known; rejects if the store does: nothing may trade on a guess. */
  static async open(parts: TradingSwitchesOptions): Promise<TradingSwitches> {
    const switches = new TradingSwitches(parts);
    await switches.#look();
    switches.#again(LOOK_EVERY_MS);
    return switches;
  }

  private constructor(parts: TradingSwitchesOptions) {
    this.#parts = parts;
  }

  /** The strictest setting that restricts trading, if any. Cancels are never restricted. */
  strictestFor(under: SwitchedBy): SwitchSetting | undefined {
    return strictestFor(this.#inForce, under);
  }

  /** The current setting of every switch that was ever set. */
  settings(): readonly SwitchSetting[] {
    return [...this.#inForce.values()];
  }

  /** Resolves when the setting is durable; a stricter one takes effect before. Rejects if the store does. */
  async set(setting: SwitchSetting): Promise<void> {
    const isHurry = isStricter(setting.state, stateOf(this.#inForce, setting));
    if (isHurry) this.#hurry(setting);
    try {
      await this.#parts.records.add(setting);
    } catch (error) {
      // A stricter setting stays in force in this process until it can be stored.
      if (isHurry) this.#writeLater(setting);
      throw error;
    }
    this.#ahead = this.#ahead.filter((one) => one !== setting);
    await this.#lookNow();
  }

  /** Calls `listener` on every change, except for those of the initial read. The returned function unsubscribes. */
  onChange(listener: SwitchListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    await this.#looking;
  }

  #hurry(setting: SwitchSetting): void {
    this.#ahead = [...this.#ahead, setting];
    this.#recount();
    this.#tell(setting);
  }

  #writeLater(setting: SwitchSetting): void {
    const { clock, records, observer } = this.#parts;
    clock.at(later(clock.now(), RETRY_MS), () => {
      if (this.#isClosed || !this.#ahead.includes(setting)) return;
      records.add(setting).then(
        () => {
          this.#ahead = this.#ahead.filter((one) => one !== setting);
          void this.#lookNow();
        },
        (error: unknown) => {
          observer.failed({ where: 'switch', error });
          this.#writeLater(setting);
        },
      );
    });
  }

  #again(restMs: number): void {
    if (this.#isClosed) return;
    const { clock } = this.#parts;
    this.#stopTimer = clock.at(later(clock.now(), restMs), () => void this.#lookAgain());
  }

  async #lookAgain(): Promise<void> {
    await this.#lookNow();
    this.#again(this.#isAway ? RETRY_MS : LOOK_EVERY_MS);
  }

  /** Runs one poll after the other. While the store is unavailable, the settings read last stay in force. */
  #lookNow(): Promise<void> {
    this.#looking = this.#looking.then(async () => {
      try {
        await this.#look();
        this.#isAway = false;
      } catch (error) {
        if (!this.#isAway) this.#parts.observer.failed({ where: 'switch', error });
        this.#isAway = true;
      }
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const isFirst = !this.#hasRead;
    const fresh = await this.#parts.records.after(this.#number);
    this.#hasRead = true;
    for (const { number, ...setting } of fresh) {
      const before = stateOf(this.#inForce, setting);
      this.#number = number;
      this.#durable = withSetting(this.#durable, setting);
      this.#recount();
      const isChange = stateOf(this.#inForce, setting) !== before;
      if (!isFirst && isChange) this.#tell(setting);
    }
    if (isFirst) for (const setting of this.#inForce.values()) this.#observe(setting);
  }

  #recount(): void {
    this.#inForce = this.#ahead.reduce(withSetting, this.#durable);
  }

  #tell(setting: SwitchSetting): void {
    const atMs = this.#parts.clock.monotonicMs();
    this.#observe(setting);
    for (const listener of this.#listeners) listener(setting, atMs);
  }

  #observe({ scope, of, state, by, reason }: SwitchSetting): void {
    const who = by.nickname || by.uid;
    this.#parts.observer.switchSet({ scope, of, state, by: who, why: reason });
  }
}

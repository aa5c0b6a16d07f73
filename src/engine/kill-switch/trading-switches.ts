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
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
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
const POLL_EVERY_MS = 250;
const RETRY_MS = 500;

export class TradingSwitches implements Lifetime {
  readonly #parts: TradingSwitchesOptions;
  readonly #listeners = new Set<SwitchListener>();
  #durable: Switches = NO_SWITCHES;
  /** Stricter settings of this process that are not durable yet. */
  #ahead: readonly SwitchSetting[] = [];
  #inForce: Switches = NO_SWITCHES;
  #number = 0;
  #stopTimer: StopTimer = () => undefined;
  readonly #retries = new Set<StopTimer>();
  #isStopped = false;
  #isAway = false;
  #hasRead = false;
  #polling: Promise<void> = Promise.resolve();
  /** Reads and writes of the store. */
  readonly #inFlight = new InFlight();

  /** Started: every setting is known. */
  static async open(parts: TradingSwitchesOptions): Promise<TradingSwitches> {
    const switches = new TradingSwitches(parts);
    await switches.start();
    return switches;
  }

  private constructor(parts: TradingSwitchesOptions) {
    this.#parts = parts;
  }

  /** Resolves when every setting is known; rejects if the store does: nothing may trade on a guess. */
  async start(): Promise<void> {
    await this.#read();
    this.#again(POLL_EVERY_MS);
  }

  drain(): Promise<void> {
    this.stop();
    return this.#inFlight.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer();
    for (const stopRetry of this.#retries) stopRetry();
    this.#retries.clear();
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
  set(setting: SwitchSetting): Promise<void> {
    return this.#inFlight.track(this.#set(setting));
  }

  async #set(setting: SwitchSetting): Promise<void> {
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
    await this.#poll();
  }

  /** Calls `listener` on every change, except for those of the initial read. The returned function unsubscribes. */
  onChange(listener: SwitchListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #hurry(setting: SwitchSetting): void {
    this.#ahead = [...this.#ahead, setting];
    this.#recount();
    this.#notify(setting);
  }

  #writeLater(setting: SwitchSetting): void {
    const { clock } = this.#parts;
    if (this.#isStopped) return;
    const stopRetry = clock.at(later(clock.now(), RETRY_MS), () => {
      this.#retries.delete(stopRetry);
      if (this.#ahead.includes(setting)) void this.#inFlight.track(this.#writeAgain(setting));
    });
    this.#retries.add(stopRetry);
  }

  async #writeAgain(setting: SwitchSetting): Promise<void> {
    const { records, observer } = this.#parts;
    try {
      await records.add(setting);
    } catch (error) {
      observer.observe({ event: 'failed', where: 'switch', error });
      return this.#writeLater(setting);
    }
    this.#ahead = this.#ahead.filter((one) => one !== setting);
    await this.#poll();
  }

  #again(restMs: number): void {
    if (this.#isStopped) return;
    const { clock } = this.#parts;
    this.#stopTimer = clock.at(later(clock.now(), restMs), () => {
      void this.#inFlight.track(this.#pollAgain());
    });
  }

  async #pollAgain(): Promise<void> {
    await this.#poll();
    this.#again(this.#isAway ? RETRY_MS : POLL_EVERY_MS);
  }

  /** Runs one poll after the other. While the store is unavailable, the settings read last stay in force. */
  #poll(): Promise<void> {
    this.#polling = this.#polling.then(async () => {
      try {
        await this.#read();
        this.#isAway = false;
      } catch (error) {
        if (!this.#isAway)
          this.#parts.observer.observe({ event: 'failed', where: 'switch', error });
        this.#isAway = true;
      }
    });
    return this.#polling;
  }

  async #read(): Promise<void> {
    const isFirst = !this.#hasRead;
    const fresh = await this.#parts.records.after(this.#number);
    this.#hasRead = true;
    for (const { number, ...setting } of fresh) {
      const before = stateOf(this.#inForce, setting);
      this.#number = number;
      this.#durable = withSetting(this.#durable, setting);
      this.#recount();
      const isChange = stateOf(this.#inForce, setting) !== before;
      if (!isFirst && isChange) this.#notify(setting);
    }
    if (isFirst) for (const setting of this.#inForce.values()) this.#observe(setting);
  }

  #recount(): void {
    this.#inForce = this.#ahead.reduce(withSetting, this.#durable);
  }

  #notify(setting: SwitchSetting): void {
    const atMs = this.#parts.clock.monotonicMs();
    this.#observe(setting);
    for (const listener of this.#listeners) listener(setting, atMs);
  }

  #observe({ scope, of, state, by, reason }: SwitchSetting): void {
    const who = by.nickname || by.uid;
    this.#parts.observer.observe({ event: 'switch_set', scope, of, state, by: who, why: reason });
  }
}

/** The switches as what they restrict sees them. */
export type SwitchesInForce = Pick<
  TradingSwitches,
  'strictestFor' | 'settings' | 'set' | 'onChange'
>;

/** Where there are no switches: trading is never restricted, and a setting restricts nothing. */
export const NEVER_SWITCHED: SwitchesInForce = {
  strictestFor: () => undefined,
  settings: () => [],
  set: () => Promise.resolve(),
  onChange: () => () => undefined,
};

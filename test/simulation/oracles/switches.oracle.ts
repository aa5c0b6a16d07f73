// The durable settings of the trading switches and their times: what every daemon has to obey.
import {
  NO_SWITCHES,
  type SwitchedBy,
  type Switches,
  type SwitchSetting,
  strictestFor,
  type TradingState,
  withSetting,
} from '../../../src/core/risk/trading-switch.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import type { NumberedSetting, SwitchRecords } from '../../../src/ports/switch-records.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemorySwitchRecords } from '../../doubles/memory/memory-switch-records.ts';
import type { SimulatedDaemon } from '../world/simulated-daemon.ts';
import type { Trouble } from '../world/trouble.ts';

/** A daemon that can read looks this often, and has acted on it by then. */
const KNOWN_AFTER_MS = 1_000;

interface Durable {
  readonly atMs: number;
  readonly setting: SwitchSetting;
}

export interface SwitchesOracleOptions {
  readonly clock: VirtualClock;
  readonly trouble: Trouble;
  /** Nothing keeps a daemon from reading in time. */
  readonly isReadable: boolean;
  /** Absent: in memory. */
  readonly records?: SwitchRecords | undefined;
}

export class SwitchesOracle {
  readonly #parts: SwitchesOracleOptions;
  readonly #records: SwitchRecords;
  readonly #durable: Durable[] = [];
  /** Also those that never became durable: a stricter one counts before, where it was requested. */
  readonly #asked: SwitchSetting[] = [];

  constructor(parts: SwitchesOracleOptions) {
    this.#parts = parts;
    this.#records = parts.records ?? new MemorySwitchRecords();
  }

  noteAsked(setting: SwitchSetting): void {
    this.#asked.push(setting);
  }

  /** The records as a daemon reaches them. */
  records(): SwitchRecords {
    const { clock, trouble } = this.#parts;
    return {
      after: (number): Promise<readonly NumberedSetting[]> =>
        trouble.strikes('ledger_unread')
          ? Promise.reject(new LedgerFailure('no answer to a read of switches', false))
          : this.#records.after(number),
      add: (setting) => {
        if (trouble.strikes('ledger_down')) {
          return Promise.reject(new LedgerFailure('a switch could not be written', false));
        }
        this.#durable.push({ atMs: clock.now(), setting });
        return this.#records.add(setting);
      },
    };
  }

  /** What the daemon cannot but know: durable before it began, or long enough where it can read. */
  strictestKnownTo(daemon: SimulatedDaemon, under: SwitchedBy): TradingState {
    const now = this.#parts.clock.now();
    let switches: Switches = NO_SWITCHES;
    for (const { atMs, setting } of this.#durable) {
      const isOld = this.#parts.isReadable && now - atMs > KNOWN_AFTER_MS;
      const isFresh = atMs >= daemon.bornAtMs && !isOld;
      // One that it may not know yet may also have lifted what it does know.
      if (isFresh) return 'active';
      switches = withSetting(switches, setting);
    }
    return strictestFor(switches, under)?.state ?? 'active';
  }

  /** Whether all orders of an account were to be cancelled at some time. */
  everHalted(account: string): boolean {
    return this.#asked.some(
      ({ scope, of, state }) =>
        state === 'halted' && (scope === 'deployment' || (scope === 'account' && of === account)),
    );
  }
}

// Opens the trading switches of a daemon, stored in the ledger's database.
import { PostgresSwitchRecords } from '../../adapters/postgres/records/postgres-switch-records.ts';
import { TradingSwitches } from '../../engine/kill-switch/trading-switches.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';

export interface OpenSwitchesOptions {
  /** Address of a database whose schema is up to date. */
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly onFault: (error: unknown) => void;
}

export interface OpenedSwitches {
  readonly inForce: TradingSwitches;
  close(): Promise<void>;
}

export async function openSwitches(parts: OpenSwitchesOptions): Promise<OpenedSwitches> {
  const { clock, observer, databaseUrl, onFault } = parts;
  const records = new PostgresSwitchRecords({ connectionString: databaseUrl, onFault });
  try {
    const inForce = await TradingSwitches.open({ records, clock, observer });
    const close = async (): Promise<void> => {
      await inForce.drain();
      await records.close();
    };
    return { inForce, close };
  } catch (error) {
    await records.close();
    throw error;
  }
}

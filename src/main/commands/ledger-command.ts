// Commands that access the ledger's database directly, whether or not a daemon runs.

import { EventsArchived } from '../../ports/archive/archived-reads.ts';
import { printable } from '../../values/printable.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Config } from '../config/config.ts';
import { readConfigLoosely } from './files.ts';

export interface LedgerOptions {
  readonly config: string;
}

/** The sections whose secrets open the ledger and the keys in it; the key of an object store opens its archive. */
const OF_THE_LEDGER: ReadonlySet<string | number> = new Set(['database', 'redis', 'gateway']);

type Use<T> = (connectionString: string) => Promise<T>;

/** Runs `use` on the configured ledger; a database that does not answer ends the command. */
export async function onLedger<T>(config: Config, use: Use<T>): Promise<T> {
  // Loaded only here, so that the other commands start fast.
  const { withLedgerDatabase } = await import('../ledger/ledger-database.ts');
  return await reached(() => withLedgerDatabase(config, use));
}

/** The same for a database that may hold no ledger yet. */
export async function onDatabase<T>(config: Config, use: Use<T>): Promise<T> {
  const { withDatabaseServer } = await import('../ledger/ledger-database.ts');
  return await reached(() => withDatabaseServer(config, use));
}

async function reached<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if (error instanceof EventsArchived) {
      throw new CommandFailure('refused', [printable(error.message)]);
    }
    throw new CommandFailure('unreachable', [`the ledger cannot be used: ${reasonOf(error)}`]);
  }
}

/** Secrets missing from this environment count as absent. */
export function ledgerConfig({ config: path }: LedgerOptions): Config {
  const config = readConfigLoosely(path, () => undefined, {
    runs: (path) => OF_THE_LEDGER.has(path[0] ?? '') || path.at(-1) === 'secretKey',
  });
  return config.keysSecret?.reveal() === '' ? { ...config, keysSecret: undefined } : config;
}

function reasonOf(error: unknown): string {
  const { message, name, code } = error as NodeJS.ErrnoException;
  return message || (code ?? name);
}

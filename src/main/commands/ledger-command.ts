// Commands that access the ledger's database directly, whether or not a daemon runs.

import { CommandFailure } from '../command-failure.ts';
import type { Config } from '../config/config.ts';
import { readConfigLoosely } from './files.ts';

export interface LedgerOptions {
  readonly config: string;
}

/** Runs `use` on the configured ledger; a database that does not answer ends the command. */
export async function onLedger<T>(
  config: Config,
  use: (connectionString: string) => Promise<T>,
): Promise<T> {
  // Loaded only here, so that the other commands start fast.
  const { withLedgerDatabase } = await import('../wiring/ledger-database.ts');
  try {
    return await withLedgerDatabase(config, use);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure('unreachable', [`the ledger cannot be used: ${reasonOf(error)}`]);
  }
}

/** Secrets missing from this environment count as absent. */
export function ledgerConfig({ config: path }: LedgerOptions): Config {
  const config = readConfigLoosely(path, () => undefined);
  return config.keysSecret?.reveal() === '' ? { ...config, keysSecret: undefined } : config;
}

function reasonOf(error: unknown): string {
  const { message, name, code } = error as NodeJS.ErrnoException;
  return message || (code ?? name);
}

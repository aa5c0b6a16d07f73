// Opens the keys the daemon accepts: those of its configuration and those stored in the ledger's database. An engine
// without a gateway reads them too, because a key makes its account a maker of Block RFQs, but not their secrets.
import { PostgresKeyRecords } from '../../adapters/postgres/records/postgres-key-records.ts';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { KeySeal } from '../../gateway/auth/key-seal.ts';
import { KeysInForce } from '../../gateway/auth/keys-in-force.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Config } from '../config/config.ts';
import { givenKeys } from '../config/secrets/given-keys.ts';

export interface OpenKeysOptions {
  readonly config: Config;
  /** Address of a database whose schema is up to date. */
  readonly databaseUrl: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'hide'>;
  readonly report: (error: unknown) => void;
  /** Leaves every secret sealed: the keys cannot be used for signatures. */
  readonly areSecretsSealed?: boolean;
}

/**
 * How often keys are read where they admit nobody: with the read itself, an account becomes or stops being a maker within
 * a second.
 */
const SEALED_POLL_MS = 800;

/** Opens no secret. */
const SEALED: Pick<KeySeal, 'open'> = { open: () => '' };

export interface OpenedKeys extends Pick<KeysInForce, 'all' | 'find' | 'watch' | 'refresh'> {
  /** Adopts the keys of a reloaded configuration. */
  reload(config: Config): void;
  close(): Promise<void>;
}

export async function openKeys(parts: OpenKeysOptions): Promise<OpenedKeys> {
  const { config, databaseUrl, clock, log, report, areSecretsSealed = false } = parts;
  const records = new PostgresKeyRecords({ connectionString: databaseUrl });
  const master = areSecretsSealed ? undefined : config.keysSecret?.reveal();
  if (master !== undefined) log.hide(master);
  try {
    const keys = await KeysInForce.open({
      records,
      seal: areSecretsSealed ? SEALED : master === undefined ? undefined : new KeySeal(master),
      given: givenKeys(config),
      now: () => clock.now(),
      report,
      ...(areSecretsSealed && { pollMs: SEALED_POLL_MS }),
      ...(!areSecretsSealed && { hide: (secret: string) => log.hide(secret) }),
    });
    return {
      find: (keyId) => keys.find(keyId),
      all: () => keys.all(),
      watch: (listener) => keys.watch(listener),
      refresh: () => keys.refresh(),
      reload: (next) => {
        if (!areSecretsSealed) for (const { secret } of next.keys) log.hide(secret.reveal());
        keys.regive(givenKeys(next));
      },
      close: async () => {
        await keys.drain();
        await records.close();
      },
    };
  } catch (error) {
    await records.close();
    throw error;
  }
}

/** The keys as an engine without a gateway reads them. */
export const openSealedKeys = (parts: OpenKeysOptions): Promise<OpenedKeys> =>
  openKeys({ ...parts, areSecretsSealed: true });

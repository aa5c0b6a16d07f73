// The auditor of a daemon, with its seals in the ledger's database.
import { PostgresAuditSeals } from '../adapters/postgres/postgres-audit-seals.ts';
import { chainHash } from '../adapters/system/chain-hash.ts';
import { Auditor, type AuditorParts } from '../engine/auditor.ts';
import type { Engine } from '../engine/engine.ts';
import type { Config } from './config/config.ts';

type Given = 'clock' | 'ledger' | 'venues' | 'observer' | 'settings' | 'switches';

export interface OpenAuditParts extends Pick<AuditorParts, Given> {
  readonly config: Pick<Config, 'engine'>;
  readonly engine: Pick<Engine, 'states' | 'peek' | 'stored'>;
  /** Of a database whose schema is up to date. */
  readonly databaseUrl: string;
  readonly onFault: (error: unknown) => void;
}

export interface OpenedAudit {
  readonly auditor: Auditor;
  close(): Promise<void>;
}

export function openAudit({
  config,
  engine,
  databaseUrl,
  onFault,
  ...given
}: OpenAuditParts): OpenedAudit {
  const seals = new PostgresAuditSeals({ connectionString: databaseUrl, onFault });
  const auditor = new Auditor({
    ...given,
    ...{ seals, hash: chainHash, everyMs: config.engine.auditMs },
    states: () => engine.states(),
    peek: (portfolio) => engine.peek(portfolio),
    stored: (portfolio) => engine.stored(portfolio),
  });
  const close = async (): Promise<void> => {
    await auditor.stop();
    await seals.close();
  };
  return { auditor, close };
}

// Opens the auditor of a daemon: it keeps its records in the ledger's database, and the heads of the chains
// also in a file of the data folder, one for each ledger the folder was used with.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { PostgresLedger } from '../../adapters/postgres/postgres-ledger.ts';
import { PostgresAuditRecords } from '../../adapters/postgres/records/postgres-audit-records.ts';
import { PostgresAuditSeals } from '../../adapters/postgres/records/postgres-audit-seals.ts';
import { chainHash } from '../../adapters/system/chain-hash.ts';
import { ChainWitnessFile } from '../../adapters/system/chain-witness-file.ts';
import type { AssembledEngine } from '../../engine/assemble-engine.ts';
import { Auditor, type AuditorOptions } from '../../engine/audit/auditor.ts';
import { Yielding } from '../../engine/overload/overload-deferral.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Config } from '../config/config.ts';
import { AUDIT_MS } from '../config/engine-settings.ts';

type Given = 'clock' | 'venues' | 'observer' | 'settings' | 'switches' | 'ownership';

export interface OpenAuditOptions extends Pick<AuditorOptions, Given> {
  readonly config: Pick<Config, 'engine'>;
  readonly assembled: Pick<
    AssembledEngine,
    'engine' | 'recordMissed' | 'overload' | 'isUnaccounted'
  >;
  readonly ledger: Pick<PostgresLedger, 'initMetadata' | 'snapshots'>;
  /** Address of a database whose schema is up to date. */
  readonly databaseUrl: string;
  /** The data folder. */
  readonly folder: string;
  readonly onFault: (error: unknown) => void;
}

export interface OpenedAudit {
  readonly auditor: Auditor;
  close(): Promise<void>;
}

export async function openAudit(parts: OpenAuditOptions): Promise<OpenedAudit> {
  const { config, assembled, ledger, databaseUrl, folder, onFault, ...given } = parts;
  const { engine, recordMissed, overload, isUnaccounted } = assembled;
  const witness = new ChainWitnessFile({ path: await headsPath(folder, ledger), onFault });
  const seals = new PostgresAuditSeals({ connectionString: databaseUrl, onFault });
  const records = new PostgresAuditRecords({ connectionString: databaseUrl, onFault });
  const auditor = new Auditor({
    ...given,
    seals,
    witness,
    reads: records,
    baselines: records,
    hash: chainHash,
    everyMs: AUDIT_MS,
    follow: (listener) => engine.turns.follow(listener),
    snapshots: ledger.snapshots,
    peek: (portfolio) => engine.turns.peek(portfolio),
    refresh: (portfolio) => engine.turns.refresh(portfolio),
    replayed: (portfolio) => engine.replayed(portfolio),
    durableTo: (portfolio) => engine.turns.durableTo(portfolio),
    recordMissed,
    isUnaccounted,
    yielding: new Yielding(given.clock, overload),
  });
  const close = async (): Promise<void> => {
    await auditor.drain();
    await seals.close();
    await records.close();
  };
  return { auditor, close };
}

const LEDGER_ID = 'ledger id';

/** The id of a ledger, if a daemon has used it. */
export const ledgerIdOf = (getMetadata: Ledger['getMetadata']): Promise<string | undefined> =>
  getMetadata(LEDGER_ID);

/** The id of a ledger, which gets one when it is first used. */
export const claimLedgerId = (ledger: Pick<Ledger, 'initMetadata'>): Promise<string> =>
  ledger.initMetadata(LEDGER_ID, randomUUID());

/** A ledger is identified by an id assigned when it was first opened: a new one has other chains. */
async function headsPath(folder: string, ledger: Pick<Ledger, 'initMetadata'>): Promise<string> {
  return pathOf(folder, await claimLedgerId(ledger));
}

/** Path of the heads of a ledger, if a daemon has used it. */
export async function knownHeadsPath(
  folder: string,
  getMetadata: Ledger['getMetadata'],
): Promise<string | undefined> {
  const id = await ledgerIdOf(getMetadata);
  return id === undefined ? undefined : pathOf(folder, id);
}

const pathOf = (folder: string, id: string): string => join(folder, 'audit', `${id}.heads`);

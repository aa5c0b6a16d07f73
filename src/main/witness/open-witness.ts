// Opens the witness that the configuration names, for the daemon that makes heads and brings them there.
import { createHash, createPrivateKey } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { PostgresAuditRecords } from '../../adapters/postgres/records/postgres-audit-records.ts';
import { PostgresLedgerHeads } from '../../adapters/postgres/witness/ledger-heads.ts';
import { WebhookWitness } from '../../adapters/witness/webhook-witness.ts';
import { WitnessFile } from '../../adapters/witness/witness-file.ts';
import { Delays } from '../../lifetime/delays.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Config, WitnessConfig } from '../config/config.ts';
import { isWitnessAddress } from '../config/rules/witness-rules.ts';
import { wordsOf } from '../config/secrets/venue-secrets.ts';
import { lineDigest } from './signed-head.ts';
import { type NamedWitness, WitnessLane } from './witness-lane.ts';

export interface OpenWitnessOptions {
  readonly config: Pick<Config, 'ledger' | 'service'>;
  readonly clock: Clock;
  /** The id that the ledger was given when it was first opened. */
  readonly ledgerId: string;
  /** Address of a database whose schema is up to date. */
  readonly databaseUrl: string;
  readonly onFault: (error: unknown) => void;
  /** Receives each head that this daemon has made, and the SHA-256 of its line. */
  readonly onHead: (head: { readonly number: number; readonly digest: string }) => void;
}

export interface OpenedWitness {
  /** Begins to make heads. */
  start(): void;
  /** 0 if there is no witness. */
  newestMs(): number;
  close(): Promise<void>;
}

const NONE: OpenedWitness = {
  start: () => undefined,
  newestMs: () => 0,
  close: () => Promise.resolve(),
};

export function openWitness(options: OpenWitnessOptions): OpenedWitness {
  const { config, clock, ledgerId, databaseUrl, onFault, onHead } = options;
  const { witness } = config.ledger;
  if (witness === undefined) return NONE;
  const connection = { connectionString: databaseUrl, onFault };
  const records = new PostgresAuditRecords(connection);
  const delays = new Delays(clock);
  const lane = new WitnessLane({
    clock,
    onFault,
    everyMinutes: witness.everyMinutes,
    heads: new PostgresLedgerHeads(connection),
    reads: records,
    ledgerId,
    deployment: config.service.deployment,
    key: createPrivateKey(witness.key.reveal()),
    onHead: ({ number, line }) => onHead({ number, digest: lineDigest(line) }),
    witness: namedWitness(witness),
    wait: (ms) => delays.wait(ms),
  });
  const close = async (): Promise<void> => {
    delays.end();
    await lane.close();
    await records.close();
  };
  return { start: () => lane.start(), newestMs: () => lane.newestMs, close };
}

/** What no log may show: also the address of a webhook, which may be all that protects it. */
export const witnessSecrets = ({ ledger }: Pick<Config, 'ledger'>): readonly string[] => {
  const { witness } = ledger;
  if (witness === undefined) return [];
  const { key, place } = witness;
  return [...wordsOf(key.reveal()), ...(isWitnessAddress(place) ? [place] : [])];
};

function namedWitness({ place }: WitnessConfig): NamedWitness {
  if (isWitnessAddress(place)) {
    // The address may be a secret.
    const digest = createHash('sha256').update(place).digest('hex').slice(0, 16);
    return { name: `webhook ${digest}`, witness: new WebhookWitness(place) };
  }
  const path = resolve(place);
  // Each machine has its own.
  return { name: `file ${hostname()} ${path}`, witness: new WitnessFile(path) };
}

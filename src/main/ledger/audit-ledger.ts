// Re-reads every portfolio of a ledger, from its first event to its last, whether or not a daemon runs.
import { PostgresAuditRecords } from '../../adapters/postgres/records/postgres-audit-records.ts';
import { PostgresAuditSeals } from '../../adapters/postgres/records/postgres-audit-seals.ts';
import { chainHash } from '../../adapters/system/chain-hash.ts';
import { ChainWitnessFile } from '../../adapters/system/chain-witness-file.ts';
import type { Finding } from '../../engine/audit/audit-portfolio.ts';
import { AuditWalk } from '../../engine/audit/audit-walk.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { knownHeadsPath } from '../wiring/open-audit.ts';

export interface LedgerAudit {
  readonly portfolios: number;
  readonly events: number;
  /** Number of portfolios whose chain was known before: to the ledger, and to the file in the data folder. */
  readonly sealed: number;
  readonly witnessed: number;
  readonly findings: readonly (Finding & { readonly portfolio: PortfolioId })[];
}

export interface AuditLedgerOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  /** The data folder of the daemon. */
  readonly folder: string;
  readonly getMetadata: (name: string) => Promise<string | undefined>;
}

const PIECE = 500;
const PORTFOLIOS_AT_ONCE = 500;

export async function auditLedger(parts: AuditLedgerOptions): Promise<LedgerAudit> {
  const { connectionString } = parts;
  const records = new PostgresAuditRecords({ connectionString });
  const seals = new PostgresAuditSeals({ connectionString });
  try {
    return await walkAll(records, seals, await headsOf(parts));
  } finally {
    await records.close();
    await seals.close();
  }
}

/** Empty if this data folder has never seen this ledger. */
async function headsOf({ folder, getMetadata }: AuditLedgerOptions): Promise<ChainWitnessFile> {
  const path = await knownHeadsPath(folder, getMetadata);
  return new ChainWitnessFile({ ...(path !== undefined && { path }), onFault: fail });
}

const fail = (error: unknown): never => {
  throw error;
};

async function walkAll(
  records: PostgresAuditRecords,
  seals: PostgresAuditSeals,
  witness: ChainWitnessFile,
): Promise<LedgerAudit> {
  const stored = new Set<PortfolioId>(witness.portfolios());
  for (let after: PortfolioId | undefined; ; ) {
    const some = await records.portfoliosAfter(after, PORTFOLIOS_AT_ONCE);
    for (const id of some) stored.add(id);
    after = some.at(-1);
    if (some.length < PORTFOLIOS_AT_ONCE) break;
  }
  const found: LedgerAudit['findings'][number][] = [];
  let [events, sealed, witnessed] = [0, 0, 0];
  for (const portfolio of stored) {
    const seal = await seals.of(portfolio);
    const head = witness.of(portfolio);
    const known = [seal, head].filter((one) => one !== undefined);
    const walk = new AuditWalk(portfolio, { reads: records, hash: chainHash, seals: known });
    while (!(await walk.step(PIECE, undefined)));
    events += walk.head.version;
    sealed += seal === undefined ? 0 : 1;
    witnessed += head === undefined ? 0 : 1;
    found.push(...walk.findings.map((finding) => ({ ...finding, portfolio })));
  }
  return { portfolios: stored.size, events, sealed, witnessed, findings: found };
}

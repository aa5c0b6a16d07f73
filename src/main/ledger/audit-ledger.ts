// Re-reads every portfolio of a ledger, from its first event to its last, whether or not a daemon runs.
import { ArchiveReader } from '../../adapters/archive-files/archive-reader.ts';
import { PostgresAuditRecords } from '../../adapters/postgres/records/postgres-audit-records.ts';
import { PostgresAuditSeals } from '../../adapters/postgres/records/postgres-audit-seals.ts';
import { chainHash } from '../../adapters/system/chain-hash.ts';
import { ChainWitnessFile } from '../../adapters/system/chain-witness-file.ts';
import type { Finding } from '../../engine/audit/audit-portfolio.ts';
import { AuditWalk } from '../../engine/audit/audit-walk.ts';
import { EventsArchived } from '../../ports/archive/archived-reads.ts';
import type { DayFiles } from '../../ports/archive/day-files.ts';
import type { DayName } from '../../ports/archive/submit-day.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { knownHeadsPath, ledgerIdOf } from '../wiring/open-audit.ts';
import { auditHeads } from '../witness/audit-heads.ts';
import type { HeadSubject, WitnessedHeads } from '../witness/witnessed-heads.ts';
import { auditDays } from './archive/audit-days.ts';

export interface LedgerAudit {
  readonly portfolios: number;
  readonly events: number;
  /** Number of portfolios whose chain was known before: to the ledger, and to the file in the data folder. */
  readonly sealed: number;
  readonly witnessed: number;
  /** Number of portfolios in archived days, read from the archive; and of those that could not be, for none was given. */
  readonly archived: number;
  readonly unread: number;
  /** Number of signed heads outside the database that it was compared with; absent: none were given. */
  readonly heads?: number | undefined;
  /** Of a portfolio, or of an archived day, or of what signed heads cover besides. */
  readonly findings: readonly (Finding & {
    readonly portfolio: PortfolioId | DayName | HeadSubject;
  })[];
}

export interface AuditLedgerOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  /** The data folder of the daemon. */
  readonly folder: string;
  readonly getMetadata: (name: string) => Promise<string | undefined>;
  /** Where archived days are; absent: they are not read. */
  readonly archive?: DayFiles | undefined;
  /** Signed heads of a witness outside the database; absent: not compared. */
  readonly heads?: WitnessedHeads | undefined;
}

const PIECE = 500;
const PORTFOLIOS_AT_ONCE = 500;

export async function auditLedger(parts: AuditLedgerOptions): Promise<LedgerAudit> {
  const { connectionString } = parts;
  const archive = parts.archive === undefined ? undefined : new ArchiveReader(parts.archive);
  const records = new PostgresAuditRecords({ connectionString, archive });
  const seals = new PostgresAuditSeals({ connectionString });
  try {
    // First, for what it reads from an object store is found on this machine afterwards.
    const days =
      parts.archive === undefined ? [] : await auditDays(connectionString, parts.archive);
    const walked = await walkAll(records, seals, {
      known: await headsOf(parts),
      heads: parts.heads,
    });
    const { heads } = parts;
    if (heads === undefined) return { ...walked, findings: [...walked.findings, ...days] };
    const ledgerId = await ledgerIdOf(parts.getMetadata);
    const others = await auditHeads(heads, { connectionString, ledgerId });
    const findings = [...walked.findings, ...days, ...others];
    return { ...walked, heads: heads.count, findings };
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
  {
    known: witness,
    heads,
  }: { readonly known: ChainWitnessFile; readonly heads: WitnessedHeads | undefined },
): Promise<LedgerAudit> {
  const stored = new Set<PortfolioId>([...witness.portfolios(), ...(heads?.portfolios() ?? [])]);
  for (let after: PortfolioId | undefined; ; ) {
    const some = await records.portfoliosAfter(after, PORTFOLIOS_AT_ONCE);
    for (const id of some) stored.add(id);
    after = some.at(-1);
    if (some.length < PORTFOLIOS_AT_ONCE) break;
  }
  const found: LedgerAudit['findings'][number][] = [];
  let [events, sealed, witnessed, archived, unread] = [0, 0, 0, 0, 0];
  for (const portfolio of stored) {
    const seal = await seals.of(portfolio);
    const head = witness.of(portfolio);
    const own = [seal, head].filter((one) => one !== undefined);
    const known = [...own, ...(heads?.sealsOf(portfolio) ?? [])];
    const walk = new AuditWalk(portfolio, {
      reads: records,
      hash: chainHash,
      seals: known,
      lateAfter: heads?.newestOf(portfolio),
    });
    const isArchived = await records.isArchived(portfolio);
    try {
      while (!(await walk.step(PIECE, undefined)));
    } catch (error) {
      if (!(error instanceof EventsArchived)) throw error;
      unread += 1;
      continue;
    }
    archived += isArchived ? 1 : 0;
    events += walk.head.version;
    sealed += seal === undefined ? 0 : 1;
    witnessed += head === undefined ? 0 : 1;
    const added = heads?.addedAfter(portfolio, walk.late) ?? [];
    found.push(...[...walk.findings, ...added].map((finding) => ({ ...finding, portfolio })));
  }
  return {
    portfolios: stored.size,
    events,
    sealed,
    witnessed,
    archived,
    unread,
    findings: found,
  };
}

// Exports the events of a ledger as lines of text for external records: each with its position in its
// portfolio and the chain's hash up to it, so that the copy can be verified against the seals without this
// program.
import { PostgresAuditRecords } from '../../adapters/postgres/records/postgres-audit-records.ts';
import { PostgresAuditSeals } from '../../adapters/postgres/records/postgres-audit-seals.ts';
import { chainHash } from '../../adapters/system/chain-hash.ts';
import { canonical } from '../../engine/audit/audit-walk.ts';
import type { ArchivedReads } from '../../ports/archive/archived-reads.ts';
import type { AuditReads } from '../../ports/audit-reads.ts';
import type { AuditSeals } from '../../ports/audit-seals.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { printableJson } from '../../values/printable.ts';

export interface ExportQuery {
  /** One portfolio; all if absent. */
  readonly portfolio?: PortfolioId | undefined;
  /** From this instant on, by the time of the event. */
  readonly from?: Instant | undefined;
  /** Before this instant. */
  readonly until?: Instant | undefined;
}

export interface ExportReads {
  readonly records: AuditReads;
  readonly seals: Pick<AuditSeals, 'of'>;
  /** Called for a portfolio whose events differ from those that were sealed; they are exported all the same. */
  readonly onBroken: (portfolio: PortfolioId) => void;
}

const PIECE = 500;

/** Opens the ledger, yields its lines and closes it, even if the consumer stops early. */
export async function* exportLedger(
  connectionString: string,
  query: ExportQuery,
  onBroken: ExportReads['onBroken'],
  archive?: ArchivedReads,
): AsyncGenerator<string> {
  const records = new PostgresAuditRecords({ connectionString, archive });
  const seals = new PostgresAuditSeals({ connectionString });
  try {
    yield* linesOf({ records, seals, onBroken }, query);
  } finally {
    await records.close();
    await seals.close();
  }
}

/** Lines of JSON with a line end: portfolios by id, the events of each in their order. */
export async function* linesOf(reads: ExportReads, query: ExportQuery): AsyncGenerator<string> {
  for await (const portfolio of portfoliosOf(reads.records, query)) {
    yield* linesOfOne(reads, portfolio, query);
  }
}

async function* portfoliosOf(
  records: AuditReads,
  { portfolio }: ExportQuery,
): AsyncGenerator<PortfolioId> {
  if (portfolio !== undefined) return yield portfolio;
  for (let after: PortfolioId | undefined; ; ) {
    const some = await records.portfoliosAfter(after, PIECE);
    yield* some;
    after = some.at(-1);
    if (some.length < PIECE) return;
  }
}

/** The chain is walked from its first event, whichever part was requested. */
async function* linesOfOne(
  { records, seals, onBroken }: ExportReads,
  portfolio: PortfolioId,
  { from = Number.NEGATIVE_INFINITY as Instant, until }: ExportQuery,
): AsyncGenerator<string> {
  const seal = await seals.of(portfolio);
  let [version, hash, isSealed] = [0, '', seal === undefined];
  for (;;) {
    const events = await records.eventsAfter(portfolio, version, PIECE);
    for (const event of events) {
      version += 1;
      const text = canonical(event);
      hash = chainHash(hash, text);
      if (version === seal?.version) isSealed = hash === seal.hash;
      const { at } = event;
      if (at < from || (until !== undefined && at >= until)) continue;
      const place = JSON.stringify({ portfolio, version, at: new Date(at).toISOString(), hash });
      // The hash covers the text as stored; the output must not control the terminal that shows it.
      yield `${place.slice(0, -1)},"event":${printableJson(text)}}\n`;
    }
    if (events.length < PIECE) break;
  }
  if (!isSealed) onBroken(portfolio);
}

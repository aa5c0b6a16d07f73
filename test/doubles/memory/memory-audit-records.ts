// The auditor's reads and records, in memory.
import type {
  AuditBaselines,
  AuditReads,
  ChainWitness,
  PositionBaseline,
} from '../../../src/ports/audit-reads.ts';
import type { Seal } from '../../../src/ports/audit-seals.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { AccountId, PortfolioId } from '../../../src/values/ids.ts';

/** Built on the reads of a ledger. */
export const auditReadsOf = ({
  load,
  page,
  row,
}: Pick<Ledger, 'load' | 'page'> & Partial<Pick<Ledger, 'row'>>): AuditReads => ({
  eventsAfter: async (portfolio, version, limit) =>
    (await load(portfolio))?.events.slice(version, version + limit) ?? [],
  ...(row && { versionOf: async (portfolio) => (await row(portfolio))?.version }),
  portfoliosAfter: async (after, limit) => {
    const all = await page({ ...EVERYTHING, limit: Number.MAX_SAFE_INTEGER });
    const ids = all.rows.map(({ portfolio }) => portfolio);
    const behind = ids.filter((id) => Number(id) > Number(after ?? 0));
    return behind.sort((a, b) => Number(a) - Number(b)).slice(0, limit);
  },
});

const EVERYTHING = { orderBy: 'submittedAt', descending: false, offset: 0 } as const;

export class MemoryAuditBaselines implements AuditBaselines {
  readonly #baselines = new Map<AccountId, PositionBaseline>();

  of(account: AccountId): Promise<PositionBaseline | undefined> {
    return Promise.resolve(this.#baselines.get(account));
  }

  put(account: AccountId, baseline: PositionBaseline): Promise<void> {
    this.#baselines.set(account, baseline);
    return Promise.resolve();
  }

  remove(account: AccountId): Promise<void> {
    this.#baselines.delete(account);
    return Promise.resolve();
  }
}

export class MemoryChainWitness implements ChainWitness {
  readonly #heads = new Map<PortfolioId, Seal>();

  of(portfolio: PortfolioId): Seal | undefined {
    return this.#heads.get(portfolio);
  }

  portfolios(): Iterable<PortfolioId> {
    return this.#heads.keys();
  }

  note(portfolio: PortfolioId, seal: Seal): void {
    // Behind the others, as it advanced last.
    this.#heads.delete(portfolio);
    this.#heads.set(portfolio, seal);
  }
}

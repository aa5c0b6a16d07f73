// What the auditor reads and keeps, in memory.
import type {
  AuditBaselines,
  AuditReads,
  ChainWitness,
  PositionBaseline,
} from '../ports/audit-reads.ts';
import type { Seal } from '../ports/audit-seals.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { AccountId, PortfolioId } from '../values/ids.ts';

/** Events as a ledger gives them. */
export const eventsOf = ({ load }: Pick<Ledger, 'load'>): Pick<AuditReads, 'eventsAfter'> => ({
  eventsAfter: async (portfolio, version, limit) =>
    (await load(portfolio))?.events.slice(version, version + limit) ?? [],
});

export class MemoryAuditBaselines implements AuditBaselines {
  readonly #baselines = new Map<AccountId, PositionBaseline>();

  of(account: AccountId): Promise<PositionBaseline | undefined> {
    return Promise.resolve(this.#baselines.get(account));
  }

  put(account: AccountId, baseline: PositionBaseline): Promise<void> {
    this.#baselines.set(account, baseline);
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
    this.#heads.set(portfolio, seal);
  }
}

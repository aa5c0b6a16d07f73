// The auditor's seals in memory.
import type { AuditSeals, Seal } from '../../../src/ports/audit-seals.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';

export class MemoryAuditSeals implements AuditSeals {
  readonly #seals = new Map<PortfolioId, Seal>();

  of(portfolio: PortfolioId): Promise<Seal | undefined> {
    return Promise.resolve(this.#seals.get(portfolio));
  }

  put(portfolio: PortfolioId, { from, to }: Parameters<AuditSeals['put']>[1]): Promise<boolean> {
    const held = this.#seals.get(portfolio);
    const isAsExpected = held?.version === from?.version && held?.hash === from?.hash;
    if (isAsExpected) this.#seals.set(portfolio, to);
    return Promise.resolve(isAsExpected);
  }
}

// Determines the group of an order with the `mmp` flag: that of its portfolio, or the unnamed group.

import type { Ledger } from '../../ports/ledger.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type DeploymentId, parseChildLabel } from '../../values/ids.ts';

export interface MmpGroupsOptions {
  readonly deployment: DeploymentId;
  readonly ledger: Pick<Ledger, 'load'>;
}

const NAMELESS = '';
/** The maximum number of portfolios whose group is cached; the oldest is read again when needed. */
const KNOWN_MAX = 10_000;

export class MmpGroups {
  readonly #parts: MmpGroupsOptions;
  readonly #known = new Map<PortfolioId, string>();

  constructor(parts: MmpGroupsOptions) {
    this.#parts = parts;
  }

  /** Records the group of a portfolio that this process has in memory. */
  know(portfolio: PortfolioId, group: string): void {
    this.#known.set(portfolio, group);
    if (this.#known.size <= KNOWN_MAX) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** Synchronous if the group is cached; for another process's portfolio it is read. Rejects if the ledger does. */
  of(label: string): string | Promise<string> {
    const child = parseChildLabel(label);
    if (child === undefined || child.deployment !== this.#parts.deployment) return NAMELESS;
    return this.#known.get(child.portfolio) ?? this.#readUp(child.portfolio);
  }

  async #readUp(portfolio: PortfolioId): Promise<string> {
    const [submitted] = (await this.#parts.ledger.load(portfolio))?.events ?? [];
    const spec = submitted?.kind === 'submitted' ? submitted.spec : undefined;
    const group = spec?.execution.mmpGroup ?? NAMELESS;
    this.know(portfolio, group);
    return group;
  }
}

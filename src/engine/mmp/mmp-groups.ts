// Which group an order with the flag belongs to: that of its portfolio, or the one without a name.

import type { Ledger } from '../../ports/ledger.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type DeploymentId, parseChildLabel } from '../../values/ids.ts';

export interface MmpGroupsParts {
  readonly deployment: DeploymentId;
  readonly ledger: Pick<Ledger, 'load'>;
}

const NAMELESS = '';
/** Portfolios whose group is remembered; the oldest is read up again. */
const KNOWN_MAX = 10_000;

export class MmpGroups {
  readonly #parts: MmpGroupsParts;
  readonly #known = new Map<PortfolioId, string>();

  constructor(parts: MmpGroupsParts) {
    this.#parts = parts;
  }

  /** Of a portfolio this process has at hand. */
  know(portfolio: PortfolioId, group: string): void {
    this.#known.set(portfolio, group);
    if (this.#known.size <= KNOWN_MAX) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  /** At once where it is known; another process's portfolio is read up. Rejects as the ledger does. */
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

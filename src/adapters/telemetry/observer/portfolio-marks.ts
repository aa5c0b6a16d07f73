// Display data of individual active portfolios: how late their last slice was, and since when they are being
// cancelled. Bounded; removed when the portfolio ends.
import type { PortfolioId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';

const PORTFOLIOS_MAX = 20_000;

export class PortfolioMarks {
  readonly #lateSec = new Map<PortfolioId, number>();
  readonly #cancelling = new Map<PortfolioId, Instant>();

  sliceSent(portfolio: PortfolioId, lateSec: number): void {
    if (this.#lateSec.size < PORTFOLIOS_MAX || this.#lateSec.has(portfolio)) {
      this.#lateSec.set(portfolio, lateSec);
    }
  }

  lateSec(portfolio: PortfolioId): number | undefined {
    return this.#lateSec.get(portfolio);
  }

  /** Since when it has been seen being cancelled; `now` the first time. */
  cancellingSince(portfolio: PortfolioId, now: Instant): Instant {
    const since = this.#cancelling.get(portfolio);
    if (since !== undefined) return since;
    if (this.#cancelling.size < PORTFOLIOS_MAX) this.#cancelling.set(portfolio, now);
    return now;
  }

  forget(portfolio: PortfolioId): void {
    this.#lateSec.delete(portfolio);
    this.#cancelling.delete(portfolio);
  }
}

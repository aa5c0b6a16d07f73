// The record of markets for cost reports in memory, with the same results as the durable one.
import type { LegMoment, MarketSecond } from '../../core/report/cost-rows.ts';
import type { CostRecord, CostRows, SecondsQuery } from '../../ports/costs/cost-record.ts';
import type { PortfolioId } from '../../values/ids.ts';

export class MemoryCostRecord implements CostRecord {
  readonly #seconds = new Map<string, MarketSecond>();
  readonly #moments = new Map<string, LegMoment>();

  add({ seconds = [], moments = [] }: CostRows): void {
    for (const row of seconds) {
      keepFirst(this.#seconds, `${row.venue}/${row.instrument}/${row.second}`, row);
    }
    for (const row of moments) {
      keepFirst(this.#moments, `${row.portfolio}/${row.version}/${row.leg}`, row);
    }
  }

  seconds({ venue, instrument, from, to }: SecondsQuery): Promise<readonly MarketSecond[]> {
    const found = [...this.#seconds.values()].filter(
      (row) =>
        row.venue === venue &&
        row.instrument === instrument &&
        row.second >= from &&
        row.second <= to,
    );
    return Promise.resolve(found.sort((a, b) => a.second - b.second));
  }

  moments(portfolio: PortfolioId): Promise<readonly LegMoment[]> {
    const found = [...this.#moments.values()].filter((row) => row.portfolio === portfolio);
    return Promise.resolve(found.sort((a, b) => a.version - b.version || a.leg - b.leg));
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function keepFirst<T>(rows: Map<string, T>, key: string, row: T): void {
  if (!rows.has(key)) rows.set(key, row);
}

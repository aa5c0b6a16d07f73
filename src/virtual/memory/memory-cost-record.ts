// The record of markets for cost reports in memory, with the same results as the durable one.
import type { LegMoment, MarketInstant, MarketSecond } from '../../core/report/cost-rows.ts';
import type { SeenMarket } from '../../core/report/seen-market.ts';
import type { CostRecord, CostRows, SecondsQuery } from '../../ports/costs/cost-record.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { StoreRequests } from './store-requests.ts';

export class MemoryCostRecord implements CostRecord {
  readonly #seconds = new Map<string, MarketSecond>();
  readonly #moments = new Map<string, LegMoment>();
  readonly #instants = new Map<string, MarketInstant>();
  readonly #requests = new StoreRequests();

  add({ seconds = [], moments = [], instants = [] }: CostRows): void {
    // What a store refuses is lost; nobody waits for it.
    if (this.#requests.refusal() !== undefined) return;
    for (const row of seconds) {
      const key = `${row.venue}/${row.instrument}/${row.second}`;
      keepFirst(this.#seconds, key, { ...row, market: storedMarket(row.market) });
    }
    for (const row of instants) {
      keepFirst(this.#instants, `${row.venue}/${row.instrument}/${row.at}`, row);
    }
    for (const row of moments) {
      const { market, expected } = row;
      keepFirst(this.#moments, `${row.portfolio}/${row.version}/${row.leg}`, {
        ...row,
        market: market && storedMarket(market),
        expected: expected && { ...expected, bps: known(expected.bps) },
      });
    }
  }

  seconds(query: SecondsQuery): Promise<readonly MarketSecond[]> {
    return this.#requests.answer(() => found(this.#seconds, query, ({ second }) => second));
  }

  instants(query: SecondsQuery): Promise<readonly MarketInstant[]> {
    return this.#requests.answer(() => found(this.#instants, query, ({ at }) => at));
  }

  moments(portfolio: PortfolioId): Promise<readonly LegMoment[]> {
    return this.#requests.answer(() =>
      [...this.#moments.values()]
        .filter((row) => row.portfolio === portfolio)
        .sort((a, b) => a.version - b.version || a.leg - b.leg),
    );
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.#requests.close();
  }
}

/** Those of the query, in order of time. */
const found = <T extends Pick<MarketInstant, 'venue' | 'instrument'>>(
  rows: ReadonlyMap<string, T>,
  { venue, instrument, from, to }: SecondsQuery,
  timeOf: (row: T) => Instant,
): readonly T[] =>
  [...rows.values()]
    .filter((row) => row.venue === venue && row.instrument === instrument)
    .filter((row) => timeOf(row) >= from && timeOf(row) <= to)
    .sort((a, b) => timeOf(a) - timeOf(b));

function keepFirst<T>(rows: Map<string, T>, key: string, row: T): void {
  if (!rows.has(key)) rows.set(key, row);
}

/** What is not finite is unknown, each greek by itself. */
function storedMarket(market: SeenMarket): SeenMarket {
  const { greeks, markIv, fundingRate } = market;
  return {
    ...market,
    markIv: known(markIv),
    fundingRate: known(fundingRate),
    greeks: greeks && storedGreeks(greeks),
  };
}

/** `undefined` if none is known. */
function storedGreeks(
  greeks: NonNullable<SeenMarket['greeks']>,
): NonNullable<SeenMarket['greeks']> | undefined {
  const entries = Object.entries(greeks).filter(([, value]) => known(value) !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const known = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) ? value : undefined;

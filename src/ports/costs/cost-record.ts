// Stores the market second by second, at the events of portfolios and at instants around their fills, for reports on costs. Nothing waits for
// it: rows are written later, together, and lost if that fails for long. A report shows what is missing.
import type { LegMoment, MarketInstant, MarketSecond } from '../../core/report/cost-rows.ts';
import type { InstrumentName, PortfolioId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

export interface CostRows {
  readonly seconds?: readonly MarketSecond[];
  readonly moments?: readonly LegMoment[];
  readonly instants?: readonly MarketInstant[];
}

export interface SecondsQuery {
  readonly venue: VenueName;
  readonly instrument: InstrumentName;
  readonly from: Instant;
  /** Inclusive. */
  readonly to: Instant;
}

export interface CostReads {
  /** In order of time. */
  seconds(query: SecondsQuery): Promise<readonly MarketSecond[]>;
  /** Of a query for seconds too: in order of time, both ends included. */
  instants(query: SecondsQuery): Promise<readonly MarketInstant[]>;
  /** In order of version and leg. */
  moments(portfolio: PortfolioId): Promise<readonly LegMoment[]>;
}

export interface CostRecord extends CostReads {
  /** Never waits and never throws. A second, an instant, and a leg at an event, is stored once: the first row is kept. */
  add(rows: CostRows): void;
  /** Resolves once everything added before is stored, or known to be lost. Does not reject. */
  flush(): Promise<void>;
  /** Writes what is left, for a limited time, then closes the store. */
  close(): Promise<void>;
}

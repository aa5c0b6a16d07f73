// Snapshots of states alongside the events, so that a load costs the same whatever the age of the portfolio. They are a
// cache: all of them may be lost at any time.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { StateSnapshot } from '../../core/portfolio/snapshot/state-snapshot.ts';
import type { PortfolioId } from '../../values/ids.ts';

export interface StoredState {
  /** Absent: there is none of this format, or it is ahead of the ledger. */
  readonly snapshot?: StateSnapshot | undefined;
  /** Those after the snapshot; without one all of them. */
  readonly events: readonly PortfolioEvent[];
}

export interface StateSnapshots {
  /**
   * Replaces earlier ones of the same portfolios, and any of another format. Of several of one portfolio the latest counts,
   * whatever its format.
   */
  save(snapshots: readonly StateSnapshot[]): Promise<void>;
  /** The latest snapshot of the given format with the events after it; `undefined` if the portfolio does not exist. */
  load(portfolio: PortfolioId, format: number): Promise<StoredState | undefined>;
  /** The snapshot as it is stored, whatever it says. */
  of(portfolio: PortfolioId): Promise<StateSnapshot | undefined>;
  delete(portfolios: readonly PortfolioId[]): Promise<void>;
}

/** Where nothing is written: no portfolio has a snapshot. */
export const NO_STORED_SNAPSHOTS: Pick<StateSnapshots, 'of' | 'delete'> = {
  of: () => Promise.resolve(undefined),
  delete: () => Promise.resolve(),
};

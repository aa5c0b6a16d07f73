// The interface by which a run uses the production strategy runner: one for each life of a daemon.
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Operations } from '../../../src/engine/interface/operations.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import type { Observer } from '../../../src/ports/observer.ts';
import type { Instant } from '../../../src/values/instant.ts';

/** A strategy of a run. */
export interface FiringPlan {
  readonly name: string;
  /** Once, in whole seconds, or periodically. */
  readonly when: Instant | { readonly cron: string; readonly zone: string };
  /** Fired so much later at most, after downtime. */
  readonly missedWithinMs: number;
  readonly form: PortfolioForm;
}

export interface StrategyOfLife {
  readonly operations: Pick<Operations, 'submit' | 'page'>;
  readonly ledger: Pick<Ledger, 'getMetadata' | 'setMetadata' | 'findByKey'>;
  readonly clock: Clock;
  readonly observer: Observer;
  /** Counts the starts of the daemon. */
  readonly start: number;
  /** The process is dead. */
  readonly isOver: () => boolean;
}

/** Follows the strategies from now on. */
export type FollowStrategies = (life: StrategyOfLife, firings: readonly FiringPlan[]) => void;

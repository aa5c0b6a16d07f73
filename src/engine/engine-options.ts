// The dependencies and settings with which the engine is created.

import type { SubmitLimits } from '../core/portfolio/admission/submit-limits.ts';
import type { Settings } from '../core/terms/settings.ts';
import type { RfqDesk } from '../ports/block-rfq.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Observer } from '../ports/observer.ts';
import type { VenueDirectory } from '../ports/venue.ts';
import type { AccountId } from '../values/ids.ts';
import type { TradingSwitches } from './kill-switch/trading-switches.ts';
import type { MmpGuard } from './mmp/mmp-guard.ts';
import type { WatchedGate } from './risk/watch-gate.ts';

export interface EngineOptions {
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly ledger: Ledger;
  readonly bus: EventBus;
  readonly venues: VenueDirectory;
  /** Started and stopped with the engine; absent: without market maker protection. */
  readonly mmp?: MmpGuard | undefined;
  /** Absent: trading is never switched off. */
  readonly switches?: TradingSwitches | undefined;
  /** Shared with the order methods and monitored from start to stop; absent: nothing is limited. */
  readonly gate?: WatchedGate | undefined;
  /** The gated Block RFQ desk of an account, for the end action `rfq`; absent if there is none. */
  readonly rfqsFor?: ((account: AccountId) => RfqDesk | undefined) | undefined;
  readonly observer: Observer;
  readonly settings: Settings;
  /** The limits in force at the moment: a reload may change them. */
  readonly limits: () => SubmitLimits;
  /** How often the ledger is searched for overdue portfolios that were not woken. */
  readonly sweepMs: number;
  /** How often open orders at the venue are compared with ours. */
  readonly compareMs: number;
  /** The maximum number of finished portfolios kept in memory; default 200. */
  readonly retiredMax?: number | undefined;
  /** Called when an invariant is broken: the process must end, and the next start recovers. */
  readonly onBroken: (error: unknown) => void;
}

// Recovery at start-up: every portfolio that has not ended is resumed from the ledger, every request with an
// unknown outcome is queried, open orders at the venues are compared, and shadows are sent what they may have
// missed. Until then no request that could place an order is sent.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { VenueDirectory } from '../../ports/venue.ts';
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import { InFlight } from '../lifetime/in-flight.ts';
import type { Lifetime } from '../lifetime/lifetime.ts';
import type { ShadowNotifier } from '../mirrors/notify-shadows.ts';
import type { ChildOrderExecutor } from '../orders/child-order-executor.ts';
import { type ExecutionReports, RECENT_MS } from '../orders/execution-reports.ts';
import type { RecoveryBarrier } from './recovery-barrier.ts';

export interface RecoverOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  readonly barrier: RecoveryBarrier;
  readonly engine: Pick<Engine, 'run'>;
  readonly executor: Pick<ChildOrderExecutor, 'query'>;
  readonly reports: Pick<ExecutionReports, 'compare'>;
  readonly shadows: Pick<ShadowNotifier, 'sendHistory'>;
}

/** The number of portfolios loaded concurrently. */
const AT_ONCE = 32;
/** The delay before a venue that did not report its open orders is queried again. */
const RETRY_MS = 1_000;

export class Recovery implements Lifetime {
  readonly #options: RecoverOptions;
  readonly #comparisons = new InFlight();
  readonly #retries = new Map<AccountId, StopTimer>();
  #isStopped = false;

  constructor(options: RecoverOptions) {
    this.#options = options;
  }

  /** Resumes every portfolio; resolves when each is loaded, whatever the venues have replied by then. */
  async start(): Promise<void> {
    const { clock, ledger, observer, barrier } = this.#options;
    const from = clock.monotonicMs();
    const portfolios = await ledger.active();
    let unsettled = 0;
    for (let i = 0; i < portfolios.length; i += AT_ONCE) {
      const batch = portfolios.slice(i, i + AT_ONCE);
      const counts = await Promise.all(batch.map((portfolio) => this.#reloadAndAdvance(portfolio)));
      for (const count of counts) unsettled += count;
    }
    barrier.allRecovered();
    for (const account of barrier.accounts()) void this.#comparisons.track(this.#compare(account));
    const elapsedMs = clock.monotonicMs() - from;
    observer.recovered({ portfolios: portfolios.length, unsettled, elapsedMs });
  }

  drain(): Promise<void> {
    this.stop();
    return this.#comparisons.idle();
  }

  stop(): void {
    this.#isStopped = true;
    for (const stopRetry of this.#retries.values()) stopRetry();
    this.#retries.clear();
  }

  async #reloadAndAdvance(portfolio: PortfolioId): Promise<number> {
    const { clock, engine, barrier, executor, shadows } = this.#options;
    const state = await engine.run(portfolio, { kind: 'advance', now: clock.now() });
    if (state === undefined) return 0;
    for (const label of barrier.register(state)) executor.query(state, label);
    for (const { label, state: was, intendedAt } of state.children.values()) {
      // A young order may be open although it is missing from the list of open orders.
      if (was === 'live' && later(intendedAt, RECENT_MS) >= clock.now()) {
        executor.query(state, label);
      }
    }
    if (state.spec.mirrorOf !== undefined) await shadows.sendHistory(state);
    return state.children.size;
  }

  /** Compares the open orders of an account until the venue has replied. One that does not delays only its own accounts. */
  async #compare(account: AccountId): Promise<void> {
    const { clock, venues, reports, barrier } = this.#options;
    this.#retries.delete(account);
    const venue = venues.forAccount(account);
    let isKnown = false;
    const onKnown = (): void => {
      isKnown = true;
      barrier.known(account);
    };
    if (venue !== undefined) await reports.compare(venue, account, onKnown);
    if (isKnown || this.#isStopped) return;
    const again = (): void => void this.#comparisons.track(this.#compare(account));
    this.#retries.set(account, clock.at(later(clock.now(), RETRY_MS), again));
  }
}

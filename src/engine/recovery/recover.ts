// Recovery at start-up: every portfolio that has not ended is resumed from the ledger, every request with an
// unknown outcome is queried, open orders at the venues are compared, and shadows are sent what they may have
// missed. Until then no request that could place an order is sent.
import type { PortfolioCommand } from '../../core/portfolio/aggregate/portfolio-command.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { AccountId, ChildLabel, PortfolioId } from '../../values/ids.ts';
import { later } from '../../values/instant.ts';
import { RECENT_MS } from '../orders/execution-reports.ts';
import type { RecoveryBarrier } from './recovery-barrier.ts';

export interface RecoverOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observer: Observer;
  readonly run: (
    portfolio: PortfolioId,
    command: PortfolioCommand,
  ) => Promise<PortfolioState | undefined>;
  readonly settle: (state: PortfolioState, label: ChildLabel) => void;
  /**
   * Compares the account's open orders with the portfolios' records; `onKnown` is called only if the venue replied.
   */
  readonly compare: (account: AccountId, onKnown: () => void) => Promise<void>;
  /** Sends a shadow the events that it may have missed. */
  readonly retell: (shadow: PortfolioState) => Promise<void>;
}

/** The number of portfolios loaded concurrently. */
const AT_ONCE = 32;
/** The delay before a venue that did not report its open orders is queried again. */
const ASK_REST_MS = 1_000;

export class Recovery {
  readonly #options: RecoverOptions;
  #isStopped = false;

  constructor(options: RecoverOptions) {
    this.#options = options;
  }

  /** Resumes every portfolio; resolves when each is loaded, whatever the venues have replied by then. */
  async recover(hold: RecoveryBarrier): Promise<void> {
    const { clock, ledger, observer } = this.#options;
    const from = clock.monotonicMs();
    const portfolios = await ledger.active();
    let unsettled = 0;
    for (let i = 0; i < portfolios.length; i += AT_ONCE) {
      const batch = portfolios.slice(i, i + AT_ONCE);
      const counts = await Promise.all(batch.map((portfolio) => this.#takeUp(portfolio, hold)));
      for (const count of counts) unsettled += count;
    }
    hold.allTakenUp();
    for (const account of hold.accounts()) void this.#learn(account, hold);
    const elapsedMs = clock.monotonicMs() - from;
    observer.recovered({ portfolios: portfolios.length, unsettled, elapsedMs });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #takeUp(portfolio: PortfolioId, hold: RecoveryBarrier): Promise<number> {
    const { clock, run, settle, retell } = this.#options;
    const state = await run(portfolio, { kind: 'advance', now: clock.now() });
    if (state === undefined) return 0;
    for (const label of hold.takenUp(state)) settle(state, label);
    for (const { label, state: was, intendedAt } of state.children.values()) {
      // A young order may be open although it is missing from the list of open orders.
      if (was === 'live' && later(intendedAt, RECENT_MS) >= clock.now()) settle(state, label);
    }
    if (state.spec.mirrorOf !== undefined) await retell(state);
    return state.children.size;
  }

  /** A venue that does not reply delays only its own accounts. */
  async #learn(account: AccountId, hold: RecoveryBarrier): Promise<void> {
    const { clock, compare } = this.#options;
    let isKnown = false;
    const onKnown = (): void => {
      isKnown = true;
      hold.known(account);
    };
    for (;;) {
      await compare(account, onKnown);
      if (isKnown || this.#isStopped) return;
      await new Promise<void>((done) => clock.at(later(clock.now(), ASK_REST_MS), done));
    }
  }
}

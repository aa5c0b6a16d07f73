// Blocks requests after a start. Nothing is sent for an account until every portfolio has been resumed and the
// venue has reported the account's open orders; nothing new is sent for a portfolio until the outcome of each
// request from before the restart is known. Cancels are never blocked.
import type { ChildOrder } from '../../core/order/child-order.ts';
import { shardOf } from '../../core/ownership/shards.ts';
import type { RecoveryBlocks } from '../../core/portfolio/aggregate/decision-inputs.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { AccountId, ChildLabel, PortfolioId } from '../../values/ids.ts';
import type { EngineComponent } from '../engine-component.ts';
import type { CommittedTurn } from '../turns/committed-turn.ts';

type ReleaseListener = (portfolio: PortfolioId) => void;

/** What must be resolved: the outcome of the order itself, or of the edit with this number. */
type Question = 'order' | number;

export class RecoveryBarrier implements EngineComponent {
  readonly #listeners: ReleaseListener[] = [];
  readonly #accounts = new Set<AccountId>();
  readonly #questions = new Map<PortfolioId, Map<ChildLabel, Question>>();
  /** Portfolios that would have sent something, by account. */
  readonly #waiting = new Map<PortfolioId, AccountId>();
  /** Every shard, from the start until its portfolios are resumed. */
  #isRecovering = false;
  /** Shards owned since, and how often each is being taken up: one that was lost meanwhile is taken up twice at once. */
  readonly #shards = new Map<number, number>();

  /** Blocks every request that could place an order. */
  start(): Promise<void> {
    this.#isRecovering = true;
    return Promise.resolve();
  }

  /** Calls `listener` with each portfolio that is no longer blocked, to do what it could not do before. */
  onRelease(listener: ReleaseListener): void {
    this.#listeners.push(listener);
  }

  /** True while nothing is blocked: after the start, until shards of another process are taken up. */
  get isOver(): boolean {
    const isResuming = this.#isRecovering || this.#shards.size > 0;
    return !isResuming && this.#accounts.size === 0 && this.#questions.size === 0;
  }

  /** Accounts whose open orders the venue has not reported yet. */
  accounts(): readonly AccountId[] {
    return [...this.#accounts];
  }

  /** Why nothing may be sent for the account, or `undefined`. */
  objectionTo(account: AccountId): string | undefined {
    if (this.#isResuming(account)) return 'its portfolios are still being resumed from the ledger';
    if (!this.#accounts.has(account)) return undefined;
    return `since the start the venue has not told yet which orders of account ${account} are open`;
  }

  /** Registers a portfolio found at the start and returns the labels whose outcome must be queried. */
  register(state: PortfolioState): readonly ChildLabel[] {
    if (state.spec.mirrorOf !== undefined) return [];
    this.#accounts.add(state.spec.accountId);
    const open = new Map<ChildLabel, Question>();
    for (const child of state.children.values()) {
      const question = questionOf(child);
      if (question !== undefined) open.set(child.label, question);
    }
    if (open.size > 0) this.#questions.set(state.id, open);
    return [...open.keys()];
  }

  /** Registers the account of a portfolio that has not begun: the venue is asked what is open of it all the same. */
  registerAccount(account: AccountId): void {
    this.#accounts.add(account);
  }

  /** Called when every portfolio of the start has been resumed. */
  allRecovered(): void {
    this.#isRecovering = false;
    this.#releaseWaiting();
  }

  /** Blocks requests for the accounts of shards that this process has begun to own. */
  takingUp(shards: readonly number[]): void {
    for (const shard of shards) this.#shards.set(shard, (this.#shards.get(shard) ?? 0) + 1);
  }

  /** Ends one {@link takingUp}: every portfolio of these shards has been resumed, or another process owns them. */
  tookUp(shards: readonly number[]): void {
    for (const shard of shards) {
      const left = (this.#shards.get(shard) ?? 1) - 1;
      if (left > 0) this.#shards.set(shard, left);
      else this.#shards.delete(shard);
    }
    this.#releaseWaiting();
  }

  /** Another process owns the shards now: it has to find out what is open in them. */
  gaveUp(shards: readonly number[]): void {
    for (const account of this.#accounts) {
      if (shards.includes(shardOf(account))) this.#accounts.delete(account);
    }
  }

  released(portfolio: PortfolioId): void {
    this.#questions.delete(portfolio);
    this.#waiting.delete(portfolio);
  }

  /** Called when the venue has reported the account's open orders. */
  known(account: AccountId): void {
    this.#accounts.delete(account);
    this.#releaseWaiting();
  }

  /** A durable state may answer an open question. */
  committed({ state }: Pick<CommittedTurn, 'state'>): void {
    if (this.#resolvedBy(state)) this.#releaseWaiting();
  }

  /** What is blocked for the portfolio; `undefined` if nothing is. */
  blocksOf(state: PortfolioState): RecoveryBlocks | undefined {
    this.#resolvedBy(state);
    const { accountId } = state.spec;
    const isAccountBlocked = this.#isResuming(accountId) || this.#accounts.has(accountId);
    const isPortfolioBlocked = this.#questions.has(state.id);
    if (!isAccountBlocked && !isPortfolioBlocked) return undefined;
    return { isAccountBlocked, isPortfolioBlocked };
  }

  /** Called when a decision left something unsent because of this: the portfolio is advanced when it may be sent. */
  deferred({ id, spec }: PortfolioState): void {
    this.#waiting.set(id, spec.accountId);
  }

  /** Returns true if this state answers the last open question about the portfolio. */
  #resolvedBy({ id, children }: PortfolioState): boolean {
    const open = this.#questions.get(id);
    if (open === undefined) return false;
    for (const [label, question] of open) {
      const child = children.get(label);
      const asked = child && questionOf(child);
      // A later edit is not a question from before the restart.
      if (asked !== question) open.delete(label);
    }
    return open.size === 0 && this.#questions.delete(id);
  }

  #isResuming(account: AccountId): boolean {
    return this.#isRecovering || this.#shards.has(shardOf(account));
  }

  #releaseWaiting(): void {
    for (const [portfolio, account] of this.#waiting) {
      if (
        this.#isResuming(account) ||
        this.#accounts.has(account) ||
        this.#questions.has(portfolio)
      )
        continue;
      this.#waiting.delete(portfolio);
      for (const listener of this.#listeners) listener(portfolio);
    }
  }
}

/** What the venue must be queried about a child; `undefined` if its outcome is known. */
function questionOf({ state, edit }: ChildOrder): Question | undefined {
  if (state === 'sending' || state === 'unknown') return 'order';
  return state === 'live' ? edit?.number : undefined;
}

// What may not be sent yet after a start. Nothing of an account is, before every portfolio has been taken up and the
// venue has said which of the account's orders are open; nothing new of a portfolio, before the outcome of each
// request of the life before is known. Cancels always leave.
import type { ChildOrder } from '../../core/order/child-order.ts';
import type { HoldLookup } from '../../core/portfolio/aggregate/draft.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { AccountId, ChildLabel, PortfolioId } from '../../values/ids.ts';

export interface RecoveryBarrierOptions {
  /** Has the portfolio do what it could not do before. */
  readonly advance: (portfolio: PortfolioId) => void;
  /** No account is held any more. */
  readonly onAccountsKnown: () => void;
}

/** The order itself, or the edit with this number. */
type Question = 'order' | number;

export class RecoveryBarrier {
  readonly #parts: RecoveryBarrierOptions;
  readonly #accounts = new Set<AccountId>();
  readonly #questions = new Map<PortfolioId, Map<ChildLabel, Question>>();
  /** Those that would have sent something, by account. */
  readonly #waiting = new Map<PortfolioId, AccountId>();
  #isTakingUp = true;

  constructor(parts: RecoveryBarrierOptions) {
    this.#parts = parts;
  }

  /** Nothing is held any more, and nothing will be. */
  get isOver(): boolean {
    return !this.#isTakingUp && this.#accounts.size === 0 && this.#questions.size === 0;
  }

  /** Accounts of which the venue has not told yet what is open. */
  accounts(): readonly AccountId[] {
    return [...this.#accounts];
  }

  /** Why nothing of the account may leave, if so. */
  objectionTo(account: AccountId): string | undefined {
    if (this.#isTakingUp) return 'the portfolios of before the start are still being taken up';
    if (!this.#accounts.has(account)) return undefined;
    return `since the start the venue has not told yet which orders of account ${account} are open`;
  }

  /** A portfolio as it was found at the start; the labels whose fate has to be asked for. */
  takenUp(state: PortfolioState): readonly ChildLabel[] {
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

  /** Every portfolio has been taken up. */
  allTakenUp(): void {
    this.#isTakingUp = false;
    this.#letGo();
  }

  /** The venue has told what of the account is open. */
  known(account: AccountId): void {
    this.#accounts.delete(account);
    this.#letGo();
  }

  /** What has become durable may answer a question. */
  seen(state: PortfolioState): void {
    if (this.#looked(state)) this.#letGo();
  }

  /** What stands against sending something of the portfolio; `undefined` for nothing. */
  over(state: PortfolioState): HoldLookup | undefined {
    this.#looked(state);
    const { accountId } = state.spec;
    const isAccountHeld = this.#isTakingUp || this.#accounts.has(accountId);
    if (!isAccountHeld && !this.#questions.has(state.id)) return undefined;
    return (what) => {
      if (what === 'edit' && !isAccountHeld) return false;
      this.#waiting.set(state.id, accountId);
      return true;
    };
  }

  /** True when the last question about the portfolio has been answered. */
  #looked({ id, children }: PortfolioState): boolean {
    const open = this.#questions.get(id);
    if (open === undefined) return false;
    for (const [label, question] of open) {
      const child = children.get(label);
      const asked = child && questionOf(child);
      // An edit that came later is no question of the life before.
      if (asked !== question) open.delete(label);
    }
    return open.size === 0 && this.#questions.delete(id);
  }

  #letGo(): void {
    if (this.#isTakingUp) return;
    for (const [portfolio, account] of this.#waiting) {
      if (this.#accounts.has(account) || this.#questions.has(portfolio)) continue;
      this.#waiting.delete(portfolio);
      this.#parts.advance(portfolio);
    }
    if (this.#accounts.size === 0) this.#parts.onAccountsKnown();
  }
}

/** What the venue has to be asked about a child; `undefined` where its answer is known. */
function questionOf({ state, edit }: ChildOrder): Question | undefined {
  if (state === 'sending' || state === 'unknown') return 'order';
  return state === 'live' ? edit?.number : undefined;
}

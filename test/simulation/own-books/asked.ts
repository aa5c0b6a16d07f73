// The requests of the people of a run: submitted forms, amendments, pauses and cancels.
// The referee's own books start from these, not from what the engine says was requested.
import type { AmendLimitsForm } from '../../../src/core/portfolio/admission/admit-limits.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Quantity } from '../../../src/values/amounts.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';

export interface AmendWish {
  readonly durationSec: number | undefined;
  readonly limits: AmendLimitsForm | undefined;
  /** How often it was amended when the wish was made. */
  readonly amendmentsSeen: number | undefined;
  readonly legs: readonly {
    readonly leg: number;
    readonly quantity: Quantity;
    readonly filledSeen: Quantity;
  }[];
}

/** What was asked of one portfolio, or of all on its account. */
export type Demand = 'pause' | 'resume' | 'cancel';

export class Asked {
  readonly #forms = new Map<string, PortfolioForm>();
  readonly #amends = new Map<PortfolioId, AmendWish[]>();
  readonly #demands = new Set<string>();

  /** A client is about to submit; its note names the form. */
  submit(form: PortfolioForm): void {
    this.#forms.set(form.customizedNote, form);
  }

  form(note: string): PortfolioForm | undefined {
    return this.#forms.get(note);
  }

  amend(id: PortfolioId, wish: AmendWish): void {
    const wishes = this.#amends.get(id);
    if (wishes === undefined) this.#amends.set(id, [wish]);
    else wishes.push(wish);
  }

  amends(id: PortfolioId): readonly AmendWish[] {
    return this.#amends.get(id) ?? [];
  }

  demand(id: PortfolioId, demand: Demand): void {
    this.#demands.add(`${demand} ${id}`);
  }

  cancelAll(account: string): void {
    this.#demands.add(`cancel_all ${account}`);
  }

  isDemanded(id: PortfolioId, demand: Demand): boolean {
    return this.#demands.has(`${demand} ${id}`);
  }

  isCancelAllDemanded(account: string): boolean {
    return this.#demands.has(`cancel_all ${account}`);
  }
}

// The child orders of this process whose outcome is unknown, and those for which it has been so for too long.
import type { Happening } from '../../core/notify/happening.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { StateChange } from '../../ports/observer.ts';
import type { AccountId, ChildLabel, PortfolioId } from '../../values/ids.ts';
import { type Instant, isoText, later } from '../../values/instant.ts';

interface Unknown {
  readonly portfolio: PortfolioId;
  readonly account: AccountId;
  /** When the order was intended. */
  readonly since: Instant;
}

export class UnknownOutcomes {
  readonly #afterMs: number;
  readonly #unknown = new Map<ChildLabel, Unknown>();
  readonly #reported = new Set<ChildLabel>();

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  readonly changed = ({ before, after }: StateChange): void => {
    for (const label of unknownOf(before)) this.#unknown.delete(label);
    if (after !== undefined) {
      const { id: portfolio, spec } = after;
      for (const label of unknownOf(after)) {
        const since = after.children.get(label)?.intendedAt;
        if (since === undefined) continue;
        this.#unknown.set(label, { portfolio, account: spec.accountId, since });
      }
    }
    for (const label of unknownOf(before))
      if (!this.#unknown.has(label)) this.#reported.delete(label);
  };

  /** Those that have become too old since the last check. */
  check(now: Instant): readonly Omit<Happening, 'at'>[] {
    const found: Omit<Happening, 'at'>[] = [];
    for (const [label, { portfolio, account, since }] of this.#unknown) {
      if (this.#reported.has(label) || now < later(since, this.#afterMs)) continue;
      this.#reported.add(label);
      found.push({
        kind: 'unknown_outcome',
        key: `unknown/${label}`,
        title: `the outcome of an order of portfolio ${portfolio} stays unknown`,
        detail: `account ${account}; label ${label}, sent about ${isoText(since)}; it is counted as if it were filled, and the venue is asked again`,
        account,
        portfolio,
      });
    }
    return found;
  }
}

const unknownOf = (state: PortfolioState | undefined): readonly ChildLabel[] =>
  state === undefined
    ? []
    : [...state.children.values()]
        .filter(({ state: reached }) => reached === 'unknown')
        .map(({ label }) => label);

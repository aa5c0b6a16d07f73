// An Observer for virtual time: tracks which portfolios are still active, and keeps the first failure, because
// there must be none in a world without faults.
import { isTerminal } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Observer } from '../ports/observer.ts';
import type { PortfolioId } from '../values/ids.ts';

export interface WorldObserver extends Observer {
  readonly atWork: ReadonlySet<PortfolioId>;
  /** Throws the first failure, if any. */
  readonly check: () => void;
}

export function worldObserver(): WorldObserver {
  const atWork = new Set<PortfolioId>();
  let first: { readonly where: string; readonly error: unknown } | undefined;
  return {
    atWork,
    check: () => {
      if (first === undefined) return;
      throw new Error(`${first.where} failed in virtual time`, { cause: first.error });
    },
    observe: (seen) => {
      if (seen.event === 'turn_committed') {
        if (isTerminal(seen.state.status)) atWork.delete(seen.portfolio);
        else atWork.add(seen.portfolio);
      } else if (seen.event === 'failed') first ??= seen;
    },
  };
}

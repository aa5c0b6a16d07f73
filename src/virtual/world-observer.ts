// An Observer for virtual time: tracks which portfolios are still active, and keeps the first failure, because
// there must be none in a world without faults.
import { isTerminal } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Observer } from '../ports/observer.ts';
import type { PortfolioId } from '../values/ids.ts';

const nothing = (): void => undefined;

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
    turnCommitted: ({ portfolio, state }) => {
      if (isTerminal(state.status)) atWork.delete(portfolio);
      else atWork.add(portfolio);
    },
    turnConflicted: nothing,
    sliceSent: nothing,
    venueAnswered: nothing,
    deskAnswered: nothing,
    sweeperRescued: nothing,
    shardsMoved: nothing,
    overloadChanged: nothing,
    diskSpaceChanged: nothing,
    recovered: nothing,
    foreignOrder: nothing,
    positionLiquidated: nothing,
    strategyFired: nothing,
    strategyFailed: nothing,
    strategiesLoaded: nothing,
    controlRefused: nothing,
    controlOverridden: nothing,
    switchSet: nothing,
    ordersSwept: nothing,
    mmpTraded: nothing,
    mmpSet: nothing,
    mmpSwept: nothing,
    rfqAnswered: nothing,
    rfqEnded: nothing,
    legsMeasured: nothing,
    partEnded: nothing,
    auditRan: nothing,
    tradeHandedOver: nothing,
    ledgerBehind: nothing,
    auditBreached: nothing,
    failed: ({ where, error }) => {
      first ??= { where, error };
    },
  };
}

// An Observer that keeps what tests check and drops the rest.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { Observer } from '../../../src/ports/observer.ts';

const nothing = (): void => undefined;

export interface Witness extends Observer {
  readonly events: PortfolioEvent[];
  readonly failures: { readonly where: string; readonly error: unknown }[];
  /** How late each slice was sent to the venue, in milliseconds. */
  readonly lateMs: number[];
  readonly rescues: number[];
  readonly foreign: string[];
}

export function witness(): Witness {
  const events: PortfolioEvent[] = [];
  const failures: { where: string; error: unknown }[] = [];
  const lateMs: number[] = [];
  const rescues: number[] = [];
  const foreign: string[] = [];
  return {
    events,
    failures,
    lateMs,
    rescues,
    foreign,
    turnCommitted: (turn) => events.push(...turn.events),
    turnConflicted: nothing,
    sliceSent: (sent) => lateMs.push(sent.lateMs),
    venueAnswered: nothing,
    deskAnswered: nothing,
    sweeperRescued: ({ portfolios }) => rescues.push(portfolios.length),
    shardsMoved: nothing,
    overloadChanged: nothing,
    diskSpaceChanged: nothing,
    recovered: nothing,
    foreignOrder: ({ label }) => foreign.push(label),
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
    failed: ({ where, error }) => failures.push({ where, error }),
  };
}

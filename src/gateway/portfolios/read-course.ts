// Reads the course of a portfolio for charts, in the ledger and in the record of markets, without the engine. Courses that were
// requested lately are kept, and only what happened since is read: readers look every few seconds.
import { setImmediate as nextLoop } from 'node:timers/promises';
import { CourseBuilder } from '../../core/report/course/course-builder.ts';
import type { MarketPoint, PortfolioCourse } from '../../core/report/course/course-shapes.ts';
import { marketPoints } from '../../core/report/course/market-points.ts';
import type { AuditReads } from '../../ports/audit-reads.ts';
import type { CostReads } from '../../ports/costs/cost-record.ts';
import {
  type AccountId,
  accountId,
  type InstrumentName,
  type PortfolioId,
  venueName,
} from '../../values/ids.ts';
import { earliest, type Instant, later, latest, SECOND_MS } from '../../values/instant.ts';
import { LatestMap } from '../../values/latest-map.ts';
import type { AccountDirectory } from './portfolio-record.ts';

export interface CourseQuery {
  readonly portfolio: PortfolioId;
  /** Called before more than the first event is read. */
  readonly isOwn: (account: AccountId) => boolean;
  /** Only fills and closed children after this version; 0: all. */
  readonly after: number;
  /** Only markets after this instant; absent: from the start on. */
  readonly marketAfter?: Instant | undefined;
}

/**
 * Resolves with `undefined` for an unknown portfolio, and for one of an account that `isOwn` does not accept; rejects with the
 * ledger's error while it is unavailable.
 */
export type ReadCourse = (query: CourseQuery) => Promise<PortfolioCourse | undefined>;

export interface CourseSources {
  readonly ledger: Pick<AuditReads, 'eventsAfter'>;
  readonly costs: Pick<CostReads, 'seconds'>;
  readonly accounts: AccountDirectory;
  readonly now: () => Instant;
}

const KEPT = 32;
const EVENTS_A_STEP = 500;
const MARGIN_MS = 15 * SECOND_MS;

export function coursesFrom(sources: CourseSources): ReadCourse {
  const kept = new LatestMap<PortfolioId, Promise<CourseBuilder>>(KEPT);
  return async (query) => {
    const { portfolio } = query;
    // Unexamined: the reader that began it got the error; this one reads again.
    const known = await kept.get(portfolio)?.catch(() => undefined);
    const account = await accountOf(sources.ledger, portfolio, known);
    if (account === undefined || !query.isOwn(account)) return undefined;
    // One reader at a time brings a course up to date. Unexamined: one that failed has told its reader, and is read again.
    const before = kept.get(portfolio)?.catch(() => undefined);
    const reading = caughtUp(sources.ledger, portfolio, before);
    kept.set(portfolio, reading);
    const teller = await reading;
    const now = sources.now();
    const market = await marketsOf(sources, teller, { ...query, now });
    return teller.course({ now, after: query.after, market });
  };
}

async function accountOf(
  ledger: CourseSources['ledger'],
  portfolio: PortfolioId,
  known: CourseBuilder | undefined,
): Promise<AccountId | undefined> {
  if (known?.state !== undefined) return accountId(known.state.spec.accountId);
  const [first] = await ledger.eventsAfter(portfolio, 0, 1);
  return first?.kind === 'submitted' ? accountId(first.spec.accountId) : undefined;
}

async function caughtUp(
  ledger: CourseSources['ledger'],
  portfolio: PortfolioId,
  before: Promise<CourseBuilder | undefined> | undefined,
): Promise<CourseBuilder> {
  const teller = (await before) ?? new CourseBuilder(portfolio);
  for (;;) {
    const events = await ledger.eventsAfter(portfolio, teller.version, EVENTS_A_STEP);
    for (const event of events) teller.add(event);
    if (events.length < EVENTS_A_STEP) return teller;
    await nextLoop();
  }
}

/** The market from the start to the end of the portfolio, or until now. */
async function marketsOf(
  { costs, accounts }: CourseSources,
  { state }: CourseBuilder,
  { now, marketAfter }: CourseQuery & { readonly now: Instant },
): Promise<ReadonlyMap<InstrumentName, readonly MarketPoint[]>> {
  const found = new Map<InstrumentName, readonly MarketPoint[]>();
  if (state === undefined) return found;
  const { startAt, legs, accountId: account } = state.spec;
  const isOver = state.status === 'filled' || state.status === 'cancelled';
  const to = isOver ? state.updatedAt : now;
  const venue = venueName(accounts.describe(account).exchange);
  const from = latest(later(startAt, -MARGIN_MS), later(marketAfter ?? startAt, 1 - MARGIN_MS));
  for (const { instrument } of legs) {
    if (found.has(instrument)) continue;
    const seconds = await costs.seconds({ venue, instrument, from: earliest(from, to), to });
    const points = marketPoints(seconds, { from: later(startAt, -MARGIN_MS), to });
    found.set(
      instrument,
      points.filter(({ at }) => at > (marketAfter ?? 0)),
    );
  }
  return found;
}

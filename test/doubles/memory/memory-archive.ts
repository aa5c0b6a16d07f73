// An archive of ended days in memory, with the same results as its files.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { LegMoment, MarketInstant, MarketSecond } from '../../../src/core/report/cost-rows.ts';
import {
  type ArchivedReads,
  type DayArchive,
  EventsArchived,
} from '../../../src/ports/archive/archived-reads.ts';
import type { DayName } from '../../../src/ports/archive/submit-day.ts';
import type { SecondsQuery } from '../../../src/ports/costs/cost-record.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';

/** What one day of an archive holds, in the order in which it is read. */
export interface ArchivedContent {
  readonly day: DayName;
  readonly events: ReadonlyMap<PortfolioId, readonly PortfolioEvent[]>;
  readonly moments: readonly LegMoment[];
  readonly seconds: readonly MarketSecond[];
  /** Absent: archived by a version that kept none. */
  readonly instants?: readonly MarketInstant[];
}

export class MemoryArchive implements ArchivedReads {
  readonly #days: ReadonlyMap<DayName, ArchivedContent>;

  constructor(days: readonly ArchivedContent[]) {
    this.#days = new Map(days.map((content) => [content.day, content]));
  }

  async eventsAfter(
    of: DayArchive,
    portfolio: PortfolioId,
    {
      version,
      limit = Number.POSITIVE_INFINITY,
    }: { readonly version: number; readonly limit?: number | undefined },
  ): Promise<readonly PortfolioEvent[]> {
    const { events } = await this.#contentOf(of);
    return events.get(portfolio)?.slice(version, version + limit) ?? [];
  }

  async moments(of: DayArchive, portfolio: PortfolioId): Promise<readonly LegMoment[]> {
    const { moments } = await this.#contentOf(of);
    return moments.filter((row) => row.portfolio === portfolio);
  }

  async seconds(
    of: DayArchive,
    { venue, instrument, from, to }: SecondsQuery,
  ): Promise<readonly MarketSecond[]> {
    const { seconds } = await this.#contentOf(of);
    return seconds.filter(
      (row) =>
        row.venue === venue &&
        row.instrument === instrument &&
        row.second >= from &&
        row.second <= to,
    );
  }

  async instants(
    of: DayArchive,
    { venue, instrument, from, to }: SecondsQuery,
  ): Promise<readonly MarketInstant[]> {
    const { instants = [] } = await this.#contentOf(of);
    return instants.filter(
      (row) =>
        row.venue === venue && row.instrument === instrument && row.at >= from && row.at <= to,
    );
  }

  /** Rejects with EventsArchived for a day that is not here. */
  #contentOf({ day }: DayArchive): Promise<ArchivedContent> {
    const content = this.#days.get(day);
    if (content !== undefined) return Promise.resolve(content);
    return Promise.reject(
      new EventsArchived(`the archive of ${day} cannot be read: the day is not in it`),
    );
  }
}

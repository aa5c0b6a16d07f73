// An archive of ended days in memory, with the same results as its files.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { LegMoment, MarketSecond } from '../../core/report/cost-rows.ts';
import { type ArchivedReads, EventsArchived } from '../../ports/archive/archived-reads.ts';
import { type DayName, dayBounds, dayOf, submitDay } from '../../ports/archive/submit-day.ts';
import type { SecondsQuery } from '../../ports/costs/cost-record.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { DAY_MS, instant } from '../../values/instant.ts';

/** What one day of an archive holds, in the order in which it is read. */
export interface ArchivedContent {
  readonly day: DayName;
  readonly events: ReadonlyMap<PortfolioId, readonly PortfolioEvent[]>;
  readonly moments: readonly LegMoment[];
  readonly seconds: readonly MarketSecond[];
}

export class MemoryArchive implements ArchivedReads {
  readonly #days: ReadonlyMap<DayName, ArchivedContent>;

  constructor(days: readonly ArchivedContent[]) {
    this.#days = new Map(days.map((content) => [content.day, content]));
  }

  async eventsAfter(
    portfolio: PortfolioId,
    version: number,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<readonly PortfolioEvent[]> {
    const { events } = await this.#contentOf(submitDay(portfolio));
    return events.get(portfolio)?.slice(version, version + limit) ?? [];
  }

  async moments(portfolio: PortfolioId): Promise<readonly LegMoment[]> {
    const { moments } = await this.#contentOf(submitDay(portfolio));
    return moments.filter((row) => row.portfolio === portfolio);
  }

  async seconds({ venue, instrument, from, to }: SecondsQuery): Promise<readonly MarketSecond[]> {
    const found: MarketSecond[] = [];
    for (let day = dayBounds(dayOf(from)).from; day <= to; day = instant(day + DAY_MS)) {
      const { seconds } = await this.#contentOf(dayOf(day));
      for (const row of seconds) {
        const isAsked = row.venue === venue && row.instrument === instrument;
        if (isAsked && row.second >= from && row.second <= to) found.push(row);
      }
    }
    return found;
  }

  /** Rejects with EventsArchived for a day that is not here. */
  #contentOf(day: DayName): Promise<ArchivedContent> {
    const content = this.#days.get(day);
    if (content !== undefined) return Promise.resolve(content);
    return Promise.reject(
      new EventsArchived(`the archive of ${day} cannot be read: the day is not in it`),
    );
  }
}

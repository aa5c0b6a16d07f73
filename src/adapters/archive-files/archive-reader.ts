// Reads archived days from their files, wherever those are kept. A read opens the file it needs and, by the bounds that a
// file states, only the groups of rows that can hold what is sought.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { LegMoment, MarketInstant, MarketSecond } from '../../core/report/cost-rows.ts';
import {
  type InstantColumns,
  instantIn,
  type MomentColumns,
  momentIn,
  type SecondColumns,
  secondIn,
} from '../../core/report/stored-market.ts';
import type { ArchiveTable, ArchiveValue } from '../../ports/archive/archive-tables.ts';
import {
  type ArchivedReads,
  type DayArchive,
  EventsArchived,
} from '../../ports/archive/archived-reads.ts';
import type { DayFiles } from '../../ports/archive/day-files.ts';
import type { SecondsQuery } from '../../ports/costs/cost-record.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { ParquetFileReader } from './archive-parquet.ts';

type Found = Readonly<Record<string, ArchiveValue>>;

interface Sought {
  readonly column: string;
  readonly least: bigint | string;
  readonly greatest: bigint | string;
}

export class ArchiveReader implements ArchivedReads {
  readonly #files: Pick<DayFiles, 'fetchTable'>;
  /** The group read last: portfolios are mostly read in their order. */
  #latest: { readonly key: string; readonly rows: readonly Found[] } | undefined;

  constructor(files: Pick<DayFiles, 'fetchTable'>) {
    this.#files = files;
  }

  async eventsAfter(
    of: DayArchive,
    portfolio: PortfolioId,
    {
      version,
      limit = Number.POSITIVE_INFINITY,
    }: { readonly version: number; readonly limit?: number | undefined },
  ): Promise<readonly PortfolioEvent[]> {
    const events: PortfolioEvent[] = [];
    for await (const row of this.#rows(of, 'turns', exactly('portfolio', BigInt(portfolio)))) {
      const last = Number(row['version']);
      const size = Number(row['size']);
      if (last <= version) continue;
      const own = eventsIn(portfolio, String(row['events']));
      events.push(...own.slice(Math.max(0, version - (last - size))));
      if (events.length >= limit) break;
    }
    return events.slice(0, limit);
  }

  async moments(of: DayArchive, portfolio: PortfolioId): Promise<readonly LegMoment[]> {
    const found: LegMoment[] = [];
    for await (const row of this.#rows(of, 'moments', exactly('portfolio', BigInt(portfolio)))) {
      found.push(momentIn(textual(row) as unknown as MomentColumns));
    }
    return found;
  }

  async seconds(
    of: DayArchive,
    { venue, instrument, from, to }: SecondsQuery,
  ): Promise<readonly MarketSecond[]> {
    const found: MarketSecond[] = [];
    for await (const row of this.#rows(of, 'market', exactly('instrument', instrument))) {
      const second = Number(row['second']);
      if (row['venue'] !== venue || second < from || second > to) continue;
      found.push(...secondIn(textual(row) as unknown as SecondColumns));
    }
    return found;
  }

  async instants(
    of: DayArchive,
    { venue, instrument, from, to }: SecondsQuery,
  ): Promise<readonly MarketInstant[]> {
    const found: MarketInstant[] = [];
    for await (const row of this.#rows(of, 'instants', exactly('instrument', instrument))) {
      const at = Number(row['at']);
      if (row['venue'] !== venue || at < from || at > to) continue;
      found.push(instantIn(textual(row) as unknown as InstantColumns));
    }
    return found;
  }

  /** The rows of a day whose column is within bounds. @throws EventsArchived if the file cannot be read. */
  async *#rows(of: DayArchive, table: ArchiveTable, sought: Sought): AsyncGenerator<Found> {
    try {
      const opened = await this.#open(of, table);
      if (opened === undefined) return;
      const { path, file } = opened;
      try {
        for (let group = 0; group < file.groups; group += 1) {
          if (!mayHold(file.bounds(group, sought.column), sought)) continue;
          for (const row of await this.#group(path, file, group)) {
            const value = row[sought.column];
            if (isWithin(value, sought)) yield row;
          }
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new EventsArchived(`the archive of ${of.day} cannot be read: ${why}`, error);
    }
  }

  /**
   * `undefined` if the day has no such table. A copy on this machine may give way to others between its fetch and its opening.
   */
  async #open(
    of: DayArchive,
    table: ArchiveTable,
  ): Promise<{ readonly path: string; readonly file: ParquetFileReader } | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const path = await this.#files.fetchTable(of, table);
      if (path === undefined) return undefined;
      try {
        return { path, file: await ParquetFileReader.open(path) };
      } catch (error) {
        if (!isFirst || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  async #group(path: string, file: ParquetFileReader, group: number): Promise<readonly Found[]> {
    const key = `${path} ${file.identity} ${group}`;
    if (this.#latest?.key === key) return this.#latest.rows;
    const rows = await file.read(group);
    this.#latest = { key, rows };
    return rows;
  }
}

/** A file that was changed may give any text. */
function eventsIn(portfolio: PortfolioId, text: string): readonly PortfolioEvent[] {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new EventsArchived(`the archived events of portfolio ${portfolio} are damaged`);
  }
}

const exactly = (column: string, value: bigint | string): Sought => ({
  column,
  least: value,
  greatest: value,
});

const isWithin = (value: ArchiveValue | undefined, { least, greatest }: Sought): boolean =>
  value !== undefined && value !== null && value >= least && value <= greatest;

/** Bounds of texts may be shortened: only those of numbers are used. */
const mayHold = (
  bounds: readonly [ArchiveValue, ArchiveValue] | undefined,
  { least, greatest }: Sought,
): boolean => {
  const [from, to] = bounds ?? [];
  if (typeof from !== 'bigint' || typeof to !== 'bigint') return true;
  return from <= BigInt(greatest) && to >= BigInt(least);
};

/** Rows as the database gives them: 64-bit numbers as text. */
const textual = (row: Found): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? String(value) : (value ?? null),
    ]),
  );

// The one place that reads the events of a portfolio: one row per turn, before them one row per event as earlier versions
// wrote them. Statements have no name: the server plans each for its portfolio, and so opens one partition, not all.
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import { type ArchivedReads, EventsArchived } from '../../../ports/archive/archived-reads.ts';
import { submitDay } from '../../../ports/archive/submit-day.ts';
import type { PortfolioId } from '../../../values/ids.ts';
import type { ReadPool } from '../read-pool.ts';
import type { EventShapes, StoredEvent } from './event-shapes.ts';

export interface EventsQuery {
  readonly portfolio: PortfolioId;
  /** Only events after this version; default: all. */
  readonly after?: number | undefined;
  /** At most this many events; default: all. */
  readonly limit?: number | undefined;
}

export interface EventsRead {
  /** Up to the first gap: what comes after it cannot be placed. */
  readonly events: readonly PortfolioEvent[];
  /** False if there is a gap. */
  readonly isWhole: boolean;
}

/** The rows with events of portfolio $1 after the version that the SQL expression gives. */
export const rowsAfter = (version: string): string => `
SELECT version, 1 AS size, data AS events FROM event_row WHERE portfolio = $1 AND version > ${version}
UNION ALL
SELECT version, size, events FROM turn WHERE portfolio = $1 AND version > ${version}`;

/** A row has one event at least, so as many rows as events are enough. */
const EVENTS = `${rowsAfter('$2')} ORDER BY version LIMIT $3`;

export interface EventsRow {
  /** Of its last event. */
  readonly version: number;
  readonly size: number;
  readonly events: PortfolioEvent | readonly StoredEvent[];
}

export interface EventsReader {
  readonly pool: Pick<ReadPool, 'read'>;
  readonly shapes: EventShapes;
  /** Where the events of archived days are; absent: they cannot be read. */
  readonly archive?: Pick<ArchivedReads, 'eventsAfter'> | undefined;
}

const ARCHIVED = 'SELECT digest FROM archived_day WHERE day = $1';

/** @throws EventsArchived if the first of them are in the archive and it cannot be read. */
export async function readEvents(
  reader: EventsReader,
  { portfolio, after = 0, limit }: EventsQuery,
): Promise<EventsRead> {
  const { pool, shapes } = reader;
  const values = [portfolio, after, limit];
  const rows = await pool.read<EventsRow & Record<string, unknown>>({ text: EVENTS, values });
  const [first] = rows;
  const isThere = first !== undefined && first.version - first.size <= after;
  const early = isThere ? [] : await archivedEvents(reader, { portfolio, after, limit });
  const { events, isWhole } = await eventsIn(shapes, rows, after + early.length);
  return { events: [...early, ...events].slice(0, limit), isWhole };
}

/** What comes after an archived portfolio has ended is in the database. */
async function archivedEvents(
  { pool, archive }: EventsReader,
  { portfolio, after, limit }: EventsQuery & { readonly after: number },
): Promise<readonly PortfolioEvent[]> {
  const day = submitDay(portfolio);
  const statement = { name: 'is archived', text: ARCHIVED, values: [day] };
  const [found] = await pool.read<{ digest: string }>(statement);
  if (found === undefined) return [];
  if (archive !== undefined) {
    return await archive.eventsAfter({ day, ...found }, portfolio, { version: after, limit });
  }
  throw new EventsArchived(
    `the events of portfolio ${portfolio} are in the archive of ${day}; ledger.archive names no folder to read them from, and ledger.archiveBucket no bucket`,
  );
}

/** The events after the version, from rows in order of their versions. */
export async function eventsIn(
  shapes: EventShapes,
  rows: readonly EventsRow[],
  after: number,
): Promise<EventsRead> {
  const events: PortfolioEvent[] = [];
  let isWhole = true;
  for (const { version, size, events: data } of rows) {
    const stored = isTurn(data) ? data : [data];
    const own = await shapes.eventsOf(stored);
    const known = after + events.length - (version - size);
    // Only the first row may begin before the version requested.
    const isInPlace = events.length === 0 ? known >= 0 : known === 0;
    isWhole = isInPlace && stored.length === size && own.length === size;
    if (!isWhole) break;
    for (const event of own.slice(known)) events.push(event);
  }
  return { events, isWhole };
}

const isTurn = (data: EventsRow['events']): data is readonly StoredEvent[] => Array.isArray(data);

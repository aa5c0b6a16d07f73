// The one place that reads the events of a portfolio: one row per turn, before them one row per event as earlier versions
// wrote them. Statements have no name: the server plans each for its portfolio, and so opens one partition, not all.
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
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
}

export async function readEvents(
  { pool, shapes }: EventsReader,
  { portfolio, after = 0, limit }: EventsQuery,
): Promise<EventsRead> {
  const values = [portfolio, after, limit];
  const rows = await pool.read<EventsRow & Record<string, unknown>>({ text: EVENTS, values });
  const { events, isWhole } = await eventsIn(shapes, rows, after);
  return { events: events.slice(0, limit), isWhole };
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
    // Only the first row may begin before the version asked for.
    const isInPlace = events.length === 0 ? known >= 0 : known === 0;
    isWhole = isInPlace && stored.length === size && own.length === size;
    if (!isWhole) break;
    for (const event of own.slice(known)) events.push(event);
  }
  return { events, isWhole };
}

const isTurn = (data: EventsRow['events']): data is readonly StoredEvent[] => Array.isArray(data);

// Reads what the ledger holds of one day of submit, as it is at one instant: its portfolios, their turns with whole events,
// their fills, and the market that was recorded on that day. It takes no transaction number, so readers of news go on.
import { Client } from 'pg';
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import {
  ARCHIVE_TABLES,
  type ArchiveColumn,
  type ArchiveRow,
  type ArchiveTable,
} from '../../../ports/archive/archive-tables.ts';
import { type DayName, dayBounds, IDS_PER_MS } from '../../../ports/archive/submit-day.ts';
import type { Seal } from '../../../ports/audit-seals.ts';
import { type PortfolioId, portfolioId } from '../../../values/ids.ts';
import { EventShapes } from '../events/event-shapes.ts';
import { type EventsRow, eventsIn } from '../events/stored-events.ts';

export interface PortfolioOfDay {
  readonly portfolio: PortfolioId;
  /** The number of its events. */
  readonly version: number;
  readonly isAtWork: boolean;
  /** How far the auditor has sealed it; absent: not yet. */
  readonly seal?: Seal | undefined;
}

export interface TurnOfDay {
  readonly portfolio: PortfolioId;
  /** After the turn. */
  readonly version: number;
  readonly size: number;
  readonly batch: bigint;
  /** Up to the first that cannot be read. */
  readonly events: readonly PortfolioEvent[];
}

const ROWS_AT_ONCE = 1_000;
const MARKET_COLUMNS = `bid, bid_size, ask, ask_size, last, mark, index, underlying, mark_iv, delta, gamma, vega, theta, funding_rate, age_ms`;

const PORTFOLIOS = `
SELECT p.id::text AS id, p.version, p.status IN (1, 4) AS is_at_work, s.version AS sealed, s.hash
FROM portfolio p LEFT JOIN audit_seal s ON s.portfolio = p.id
WHERE p.id >= $1 AND p.id < $2 ORDER BY p.id`;

/** `$1` and `$2` are bounds of ids, or of times for the market. A cursor takes no parameters: they are numbers of ours. */
const ROWS: Readonly<Record<ArchiveTable, string>> = {
  turns: `SELECT * FROM (
    SELECT portfolio, version, 1 AS size, batch, data AS events FROM event_row
    WHERE portfolio >= $1 AND portfolio < $2
    UNION ALL
    SELECT portfolio, version, size, batch, events FROM turn WHERE portfolio >= $1 AND portfolio < $2
  ) AS one ORDER BY portfolio, version`,
  fills: `SELECT venue, currency, trade_id, portfolio, at, label, quantity, price, fee FROM fill
    WHERE portfolio >= $1 AND portfolio < $2 ORDER BY portfolio, at, venue, currency, trade_id, label`,
  moments: `SELECT portfolio, version, leg, at, ${MARKET_COLUMNS}, expected_bps, expected_fee, expected_fee_currency
    FROM leg_moment WHERE portfolio >= $1 AND portfolio < $2 ORDER BY portfolio, version, leg`,
  market: `SELECT venue, instrument, second, at, ${MARKET_COLUMNS}, volume FROM market_second
    WHERE second >= $1 AND second < $2 ORDER BY instrument, venue, second`,
  instants: `SELECT venue, instrument, at, bid, ask, counted_since, volume, value FROM market_instant
    WHERE at >= $1 AND at < $2 ORDER BY instrument, venue, at`,
};

type Columns = Readonly<Record<string, string | number | null>>;

export class DaySource {
  readonly #client: Client;
  readonly #day: DayName;

  private constructor(client: Client, day: DayName) {
    this.#client = client;
    this.#day = day;
  }

  /** @throws Error if the database does not answer. */
  static async open(connectionString: string, day: DayName): Promise<DaySource> {
    const client = new Client({ connectionString, application_name: 'twapd archive' });
    // The query under way reports a lost connection.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      return new DaySource(client, day);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** In order of id. */
  async portfolios(): Promise<readonly PortfolioOfDay[]> {
    const { rows } = await this.#client.query(PORTFOLIOS, [...idsOf(this.#day)]);
    return rows.map(({ id, version, is_at_work: isAtWork, sealed, hash }) => ({
      portfolio: portfolioId(id),
      version,
      isAtWork,
      seal: hash === null ? undefined : { version: sealed, hash },
    }));
  }

  /** In order of portfolio and version. */
  async *turns(): AsyncGenerator<readonly TurnOfDay[]> {
    const { rows } = await this.#client.query('SELECT number, names FROM event_shape');
    const shapes = new EventShapes(
      { read: async () => rows, write: async () => [] },
      { onFault: () => undefined },
    );
    for await (const some of this.#fetched('turns')) {
      const turns: TurnOfDay[] = [];
      for (const row of some as unknown as readonly (EventsRow & {
        portfolio: string;
        batch: string;
      })[]) {
        const { version, size, batch } = row;
        const { events } = await eventsIn(shapes, [row], version - size);
        turns.push({
          portfolio: portfolioId(row.portfolio),
          version,
          size,
          batch: BigInt(batch),
          events,
        });
      }
      yield turns;
    }
  }

  /** In the order of the archive. */
  async *rows(table: Exclude<ArchiveTable, 'turns'>): AsyncGenerator<readonly ArchiveRow[]> {
    const columns = ARCHIVE_TABLES[table];
    for await (const some of this.#fetched(table)) yield some.map((row) => valuesOf(row, columns));
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async *#fetched(table: ArchiveTable): AsyncGenerator<readonly Columns[]> {
    const bounds = boundsOf(table, this.#day);
    const text = ROWS[table]
      .replaceAll('$1', String(bounds[0]))
      .replaceAll('$2', String(bounds[1]));
    await this.#client.query(`DECLARE archived NO SCROLL CURSOR FOR ${text}`);
    for (;;) {
      const { rows } = await this.#client.query<Columns>(`FETCH ${ROWS_AT_ONCE} FROM archived`);
      if (rows.length === 0) break;
      yield rows;
    }
    await this.#client.query('CLOSE archived');
  }
}

/** The ids of a day: from the first, below the second. */
export const idsOf = (day: DayName): readonly [from: number, below: number] => {
  const { from, to } = dayBounds(day);
  return [from * IDS_PER_MS, to * IDS_PER_MS];
};

export const timesOf = (day: DayName): readonly [from: number, below: number] => {
  const { from, to } = dayBounds(day);
  return [from, to];
};

/** Markets belong to a day by their own time, everything else by the submit of its portfolio. */
export const boundsOf = (table: ArchiveTable, day: DayName): readonly [number, number] =>
  table === 'market' || table === 'instants' ? timesOf(day) : idsOf(day);

const valuesOf = (row: Columns, columns: readonly ArchiveColumn[]): ArchiveRow =>
  columns.map(({ name, type }) => {
    const value = row[name] ?? null;
    return type === 'int64' && value !== null ? BigInt(value) : value;
  });

// Brings an archived day back into the database, in one transaction: its partitions are filled aside and then attached,
// after those of earlier versions that stand in its way have got the name and the bounds of their own day.
import type { Client } from 'pg';
import {
  ARCHIVE_TABLES,
  type ArchiveColumn,
  type ArchiveRow,
  type ArchiveTable,
} from '../../../ports/archive/archive-tables.ts';
import type { DayName } from '../../../ports/archive/submit-day.ts';
import { DAY_TABLES } from '../events/day-partitions.ts';
import { mendStatement } from '../events/mend-partitions.ts';
import { boundsOf } from './day-source.ts';

type Bounds = readonly [from: number, below: number];

const SQL_TYPES = { int64: 'int8', int32: 'int4', double: 'float8', text: 'text' } as const;
/** Columns whose type in the database is another than in the archive. */
const CASTS: Readonly<Record<string, string>> = { events: 'json' };
const NUMERIC =
  /^(?:bid|bid_size|ask|ask_size|last|mark|index|underlying|volume|value|expected_fee)$/;

export interface ReturnedDay {
  readonly day: DayName;
  readonly rowsOf: (table: ArchiveTable) => AsyncIterable<readonly ArchiveRow[]>;
}

const PARTITIONED = [
  ['turns', 'turn', 'portfolio'],
  ['moments', 'leg_moment', 'portfolio'],
  ['market', 'market_second', 'second'],
  ['instants', 'market_instant', 'at'],
] as const;

/** Rows of the day that were written since stay. A failure leaves everything as it was. */
export async function returnDay(client: Client, { day, rowsOf }: ReturnedDay): Promise<void> {
  await client.query('BEGIN');
  try {
    for (const one of DAY_TABLES) await client.query(mendStatement(one));
    const aside = new Set<string>();
    for (const [file, table] of PARTITIONED) {
      if (await createAside(client, table, day)) aside.add(table);
      for await (const rows of rowsOf(file))
        await add(client, partitionOf(table, day), [file, rows]);
    }
    for await (const rows of rowsOf('fills')) await add(client, 'fill', ['fills', rows]);
    for (const [file, table, column] of PARTITIONED) {
      if (!aside.has(table)) continue;
      await attach(client, { table, column, day, bounds: boundsOf(file, day) });
    }
    await client.query('DELETE FROM archived_day WHERE day = $1', [day]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

const partitionOf = (table: string, day: DayName): string => `${table}_${day.replaceAll('-', '')}`;

/** False if the day has its partition, which then takes the rows. */
async function createAside(client: Client, table: string, day: DayName): Promise<boolean> {
  const name = partitionOf(table, day);
  const { rows } = await client.query('SELECT to_regclass($1) IS NULL AS is_missing', [name]);
  if (rows[0]?.is_missing !== true) return false;
  await client.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
  return true;
}

interface Attached {
  readonly table: string;
  readonly column: string;
  readonly day: DayName;
  readonly bounds: Bounds;
}

/** What came after the archive is in the partition of what has none, and joins its day. */
async function attach(client: Client, { table, column, day, bounds }: Attached): Promise<void> {
  const [from, below] = bounds;
  const name = partitionOf(table, day);
  await client.query(`LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`);
  await client.query(
    `WITH late AS (DELETE FROM ${table}_other WHERE ${column} >= $1 AND ${column} < $2 RETURNING *)
    INSERT INTO ${name} SELECT * FROM late ON CONFLICT DO NOTHING`,
    [from, below],
  );
  await client.query(
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${below})`,
  );
}

async function add(
  client: Client,
  table: string,
  [file, rows]: readonly [ArchiveTable, readonly ArchiveRow[]],
): Promise<void> {
  const columns = ARCHIVE_TABLES[file].filter((one) => !isOfArchive(file, one));
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const given = columns.map(({ name, type }) => `"${name}" ${SQL_TYPES[type]}`).join(', ');
  const values = columns.map((column) => `"${column.name}"${castOf(column)}`).join(', ');
  const records = rows.map((row) =>
    Object.fromEntries(ARCHIVE_TABLES[file].map(({ name }, index) => [name, plain(row[index])])),
  );
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM json_to_recordset($1) AS one (${given}) ON CONFLICT DO NOTHING`,
    [JSON.stringify(records)],
  );
}

/** The time and the chain of a turn are in its events. */
const isOfArchive = (file: ArchiveTable, { name }: ArchiveColumn): boolean =>
  file === 'turns' && (name === 'at' || name === 'hash');

const castOf = ({ name }: ArchiveColumn): string => {
  const type = CASTS[name] ?? (NUMERIC.test(name) ? 'numeric' : undefined);
  return type === undefined ? '' : `::${type}`;
};

const plain = (value: ArchiveRow[number] | undefined): string | number | null =>
  typeof value === 'bigint' ? String(value) : (value ?? null);

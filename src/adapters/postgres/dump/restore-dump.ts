// Writes what a dump holds into an empty ledger of the same schema, in one transaction: an interrupted restore leaves nothing.
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Client, escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { DumpedTable } from './dumped-tables.ts';
import type { DumpContent } from './ledger-dump.ts';

/** The database is not one into which a backup can be restored. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

export interface RestoredContent extends DumpContent {
  readonly tables: readonly (DumpedTable & { readonly rows: number })[];
}

export interface RestoreParts {
  readonly connectionString: string;
  readonly content: RestoredContent;
  /** The rows of a table, as they were dumped. */
  readonly rowsOf: (table: DumpedTable) => Readable;
  /** What is written alongside the rows, in the same transaction. */
  readonly finish: (client: Client) => Promise<void>;
  readonly onTable: (name: string) => void;
}

const HOLDS_DATA = `SELECT EXISTS (SELECT 1 FROM portfolio) OR EXISTS (SELECT 1 FROM mark)
  OR EXISTS (SELECT 1 FROM api_key) OR EXISTS (SELECT 1 FROM action) AS is_used`;

/** @throws {@link RestoreRefused} if the ledger is not empty, or a table has another number of rows than was dumped. */
export async function restoreDump(parts: RestoreParts): Promise<void> {
  const { connectionString, content } = parts;
  const client = new Client({ connectionString, application_name: 'twapd restore' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    const used = await client.query<{ is_used: boolean }>(HOLDS_DATA);
    if (used.rows[0]?.is_used !== false) {
      throw new RestoreRefused('the database holds a ledger already; accepted: an empty database');
    }
    const names = content.tables.map(({ name }) => escapeIdentifier(name)).join(', ');
    // Migrations put first rows into some tables.
    await client.query(`TRUNCATE ${names}`);
    for (const { of, name, bound } of content.partitions) {
      await client.query(
        `CREATE TABLE IF NOT EXISTS ${escapeIdentifier(name)} PARTITION OF ${escapeIdentifier(of)} ${bound}`,
      );
    }
    for (const table of content.tables) {
      parts.onTable(table.name);
      await copyIn(client, table, parts.rowsOf(table));
    }
    for (const { table, column, last } of content.sequences) {
      await client.query(
        'SELECT setval(pg_get_serial_sequence(quote_ident($1), $2), greatest($3::bigint, 1), $3::bigint > 0)',
        [table, column, last],
      );
    }
    await parts.finish(client);
    await client.query('COMMIT');
  } finally {
    // Ends the transaction too, if it was not committed.
    await client.end();
  }
}

async function copyIn(
  client: Client,
  { name, columns, rows }: RestoredContent['tables'][number],
  text: Readable,
): Promise<void> {
  const list = columns.map((column) => escapeIdentifier(column)).join(', ');
  const into = client.query(copyFrom(`COPY ${escapeIdentifier(name)} (${list}) FROM STDIN`));
  await pipeline(text, into);
  if (into.rowCount !== rows) {
    throw new RestoreRefused(
      `table ${name} of the backup has ${into.rowCount} rows; its manifest says ${rows}`,
    );
  }
}

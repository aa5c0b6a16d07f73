// Reads a whole ledger as it was at one instant, table by table, while daemons go on writing.
import type { Readable } from 'node:stream';
import { Client, escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { holdToRead } from '../archive/archive-lock.ts';
import type { AppliedMigration } from '../migrations.ts';
import {
  type DumpedPartition,
  type DumpedSequence,
  type DumpedTable,
  dumpedPartitions,
  dumpedSequences,
  dumpedTables,
} from './dumped-tables.ts';

export interface DumpContent {
  readonly schema: readonly AppliedMigration[];
  readonly tables: readonly DumpedTable[];
  readonly partitions: readonly DumpedPartition[];
  readonly sequences: readonly DumpedSequence[];
}

export class LedgerDump {
  readonly content: DumpContent;
  readonly #client: Client;

  private constructor(client: Client, content: DumpContent) {
    this.#client = client;
    this.content = content;
  }

  /** @throws Error if the database does not answer or holds no ledger. */
  static async open(connectionString: string): Promise<LedgerDump> {
    const client = new Client({ connectionString, application_name: 'twapd backup' });
    // The query under way reports a lost connection.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await holdToRead(client);
      // The snapshot is taken by the first query; it takes no transaction number, so that readers of the turn log go on.
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const schema = await client.query<AppliedMigration>(
        'SELECT number, name, checksum FROM schema_migration ORDER BY number',
      );
      const tables = await dumpedTables(client);
      const partitions = await dumpedPartitions(client);
      // Numbers are drawn outside transactions: what is read here is at least what the snapshot has seen.
      const sequences = await dumpedSequences(client);
      return new LedgerDump(client, { schema: schema.rows, tables, partitions, sequences });
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /** The value of a mark of the ledger. */
  async mark(name: string): Promise<string | undefined> {
    const found = await this.#client.query('SELECT value FROM mark WHERE name = $1', [name]);
    return found.rows[0]?.value;
  }

  /** The rows of a table in PostgreSQL's text format, one a line. One table at a time. */
  rowsOf({ name, columns }: DumpedTable): Readable {
    const list = columns.map((column) => escapeIdentifier(column)).join(', ');
    // COPY of a partitioned table itself is known to PostgreSQL 18 and later only.
    return this.#client.query(
      copyTo(`COPY (SELECT ${list} FROM ${escapeIdentifier(name)}) TO STDOUT`),
    );
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}

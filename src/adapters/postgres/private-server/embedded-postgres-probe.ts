// Queries the server on a socket for the cluster it serves: the only proof of which server it is.

import { Client } from 'pg';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';

const ANSWER_WITHIN_MS = 3_000;
const DATABASE = 'twapd';

/** The address of a database on the socket. */
export function connectionString(socketFolder: string, database: string): string {
  return `postgresql://twapd@/${database}?host=${encodeURIComponent(socketFolder)}`;
}

/** The served cluster's folder; undefined if nothing answers, or if the server is starting or stopping. */
export async function probePostgres(socketFolder: string): Promise<string | undefined> {
  if (socketFolder === '') return undefined;
  return await withClient(socketFolder, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory;
  }).catch((error: unknown) => {
    throwProgrammingError(error);
    return undefined;
  });
}

/** Creates the daemon's database if it is missing. One caller at a time; the lock ends with the session. */
export async function ensureDatabase(socketFolder: string): Promise<void> {
  await withClient(socketFolder, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [DATABASE]);
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${DATABASE}`);
    await reserveLog(client);
  });
}

/** As many as `min_wal_size` keeps. */
const LOG_FILES_RESERVED = 16;

/**
 * Creates log files and fills them with zeros for reuse: a commit that has to enlarge its file also waits
 * for the file system's own journal.
 */
async function reserveLog(client: Client): Promise<void> {
  for (let file = 0; file < LOG_FILES_RESERVED; file += 1) {
    // A file without any records would not be switched.
    await client.query("SELECT pg_logical_emit_message(true, 'twapd', 'reserve')");
    await client.query('SELECT pg_switch_wal()');
  }
  await client.query('CHECKPOINT');
}

async function withClient<T>(
  socketFolder: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: connectionString(socketFolder, 'postgres'),
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: 10 * ANSWER_WITHIN_MS,
  });
  // A broken connection also fails the query in flight.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

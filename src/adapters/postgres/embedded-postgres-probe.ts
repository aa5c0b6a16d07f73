// Asks whatever listens on a socket which cluster it serves: the only proof of which server it is.
import { Client } from 'pg';
import { connectionString } from './embedded-postgres-socket.ts';

const ANSWER_WITHIN_MS = 3_000;
const DATABASE = 'twapd';

/** The served cluster's folder; undefined when nothing answers, or it is just coming up or going down. */
export async function askPostgres(socketFolder: string): Promise<string | undefined> {
  if (socketFolder === '') return undefined;
  return await withClient(socketFolder, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory;
  }).catch(() => undefined);
}

/** Makes the daemon's database unless it is there. One caller at a time looks and makes; the lock ends with the session. */
export async function ensureDatabase(socketFolder: string): Promise<void> {
  await withClient(socketFolder, async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [DATABASE]);
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  });
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
  // A connection that breaks also fails the query under way.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

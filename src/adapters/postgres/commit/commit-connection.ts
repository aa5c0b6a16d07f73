// A dedicated connection for commits, opened on demand and reopened after a loss.
import { Client } from 'pg';

/*
 * The plan is fixed once (planning costs more than running it) and uses only index probes, so that it suits
 * empty and full tables alike. Durability and isolation do not depend on server defaults.
 */
const SESSION = `
SET plan_cache_mode = force_generic_plan; SET jit = off; SET random_page_cost = 1;
SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
SET default_transaction_isolation = 'read committed';
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'`;

export interface CommitConnectionOptions {
  readonly connectionString: string;
  /** The server aborts a statement after this; a server that does not answer is abandoned after twice that. */
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Called for faults that are handled: a race, a lost connection. */
  readonly onFault: (error: unknown) => void;
}

export class CommitConnection {
  readonly #options: CommitConnectionOptions;
  #client: Client | undefined;

  constructor(options: CommitConnectionOptions) {
    this.#options = options;
  }

  /** Returns the connected client; rejects if the database cannot be reached. */
  async client(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const client = this.#create();
    try {
      await client.connect();
      await client.query(SESSION);
    } catch (error) {
      this.#discard(client);
      throw error;
    }
    this.#client = client;
    return client;
  }

  /** Drops the connection: the next use opens a new one. */
  drop(): void {
    if (this.#client !== undefined) this.#discard(this.#client);
    this.#client = undefined;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #create(): Client {
    const { connectionString, statementTimeoutMs, connectTimeoutMs } = this.#options;
    const client = new Client({
      connectionString,
      application_name: 'twapd commit',
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs * 2,
      connectionTimeoutMillis: connectTimeoutMs,
    });
    client.on('error', (error) => {
      this.#options.onFault(error);
      if (this.#client === client) this.#client = undefined;
    });
    return client;
  }

  #discard(client: Client): void {
    client.end().catch(this.#options.onFault);
  }
}

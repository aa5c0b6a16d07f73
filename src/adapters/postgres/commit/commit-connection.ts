// A connection of its own for commits, made when it is needed and made again when it is lost.
import { Client } from 'pg';

/*
 * The plan is fixed once (planning costs more than running it) and made of index probes only, so that
 * it is right for empty and for full tables. Durability and isolation do not follow a server default.
 */
const SESSION = `
SET plan_cache_mode = force_generic_plan; SET jit = off; SET random_page_cost = 1;
SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
SET default_transaction_isolation = 'read committed';
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'`;

export interface CommitConnectionOptions {
  readonly connectionString: string;
  /** The server gives up a statement after this; a server that does not answer is left after twice that. */
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Told of what is being dealt with: a race, a lost connection. */
  readonly onFault: (error: unknown) => void;
}

export class CommitConnection {
  readonly #options: CommitConnectionOptions;
  #client: Client | undefined;

  constructor(options: CommitConnectionOptions) {
    this.#options = options;
  }

  /** The connected client; rejects when the database cannot be reached. */
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

  /** Forgets the connection: the next use makes a new one. */
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

// Another client of the database server: it uses up transaction numbers, as every other database of a cluster does,
// so that the ledger passes the points at which they gain a digit within minutes.
import { join } from 'node:path';
import { Client } from 'pg';

const AT_ONCE = 20;

export class Neighbour {
  readonly #socket: string;
  #client: Client | undefined;
  used = 0;

  constructor(folder: string) {
    this.#socket = join(folder, 'data', 'postgres', 'socket');
  }

  /** Uses up some transaction numbers; does nothing while the server is down. */
  async act(): Promise<void> {
    try {
      this.#client ??= await this.#connected();
      for (let count = 0; count < AT_ONCE; count += 1) {
        await this.#client.query('SELECT pg_current_xact_id()');
        this.used += 1;
      }
    } catch (error) {
      await this.close();
      if (!isAway(error)) throw error;
    }
  }

  /** Uses up all transaction numbers below this one, while the server is known to be up. */
  async useUpTo(transaction: number): Promise<void> {
    this.#client ??= await this.#connected();
    // A transaction has a number only if it requests one, and the block has as many transactions as it commits.
    const statement = `DO $$ BEGIN
      WHILE pg_current_xact_id()::text::bigint < ${transaction} LOOP COMMIT; END LOOP;
    END $$`;
    await this.#client.query(statement);
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #connected(): Promise<Client> {
    const client = new Client({ host: this.#socket, user: 'twapd', database: 'twapd' });
    // An error of the connection is reported by the next query too.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
}

/** The daemon was stopped together with its server, which is absent, closing, starting, or ended during a query. */
function isAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03'].includes(code) ||
    /Connection terminated|not queryable|closed the connection/.test(message)
  );
}

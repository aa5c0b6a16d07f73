// Connections for everything except commits, so that a slow page never delays a turn.
import { Pool, type QueryResultRow } from 'pg';
import { LedgerFailure } from '../../ports/ledger.ts';
import { faultText, queryFault } from './query-fault.ts';

export interface ReadPoolOptions {
  readonly connectionString: string;
  readonly maxConnections: number;
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Server settings of each connection, in the form `-c name=value`. */
  readonly settings?: string;
  readonly onFault: (error: unknown) => void;
}

export interface PoolStatement {
  /** Name of the prepared statement, if it is to be prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

export class ReadPool {
  readonly #pool: Pool;
  readonly #onFault: (error: unknown) => void;
  #closing: Promise<void> | undefined;

  constructor(options: ReadPoolOptions) {
    this.#onFault = options.onFault;
    this.#pool = new Pool({
      connectionString: options.connectionString,
      application_name: 'twapd read',
      keepAlive: true,
      ...(options.settings === undefined ? {} : { options: options.settings }),
      max: options.maxConnections,
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs * 2,
      connectionTimeoutMillis: options.connectTimeoutMs,
    });
    this.#pool.on('error', this.#onFault);
  }

  /** For idempotent statements: retries once if the connection turns out to be dead. */
  async read<Row extends QueryResultRow>(statement: PoolStatement): Promise<readonly Row[]> {
    try {
      return await this.#query<Row>(statement);
    } catch (error) {
      if (error instanceof LedgerFailure) throw error;
      this.#onFault(error);
      if (queryFault(error) !== 'lost') throw new LedgerFailure(faultText(error), false, error);
    }
    try {
      return await this.#query<Row>(statement);
    } catch (error) {
      if (error instanceof LedgerFailure) throw error;
      throw new LedgerFailure(`the ledger cannot be read: ${faultText(error)}`, false, error);
    }
  }

  /** For statements that must not run twice. */
  async write<Row extends QueryResultRow>(statement: PoolStatement): Promise<readonly Row[]> {
    try {
      return await this.#query<Row>(statement);
    } catch (error) {
      if (error instanceof LedgerFailure) throw error;
      const maybe = queryFault(error) === 'lost';
      throw new LedgerFailure(`the ledger cannot write: ${faultText(error)}`, maybe, error);
    }
  }

  /** Busy connections, idle connections, and statements that wait for one. */
  get load(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Completes the statements in flight; later ones are refused. */
  close(): Promise<void> {
    this.#closing ??= this.#pool.end();
    return this.#closing;
  }

  async #query<Row extends QueryResultRow>(statement: PoolStatement): Promise<readonly Row[]> {
    if (this.#closing !== undefined) throw new LedgerFailure('the ledger is closed', false);
    const { name, text, values = [] } = statement;
    const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
    return (await this.#pool.query<Row>(query)).rows;
  }
}

// Keeps what moves days of the ledger and what reads all of it apart: a partition that is dropped is gone for readers with
// an older snapshot too.
import type { Client } from 'pg';

/** Arbitrary, as long as every version of the program uses the same number. */
const LOCK = 7_492_013_552;

/** Held until the connection ends. False: another process moves days, or reads the whole ledger. */
export async function holdToMove(client: Client): Promise<boolean> {
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS held', [LOCK]);
  return rows[0]?.held === true;
}

/** Waits until no process moves days, and keeps others from it until the connection ends. */
export async function holdToRead(client: Client): Promise<void> {
  await client.query('SELECT pg_advisory_lock_shared($1)', [LOCK]);
}

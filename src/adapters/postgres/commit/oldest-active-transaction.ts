// Returns a number below which every transaction of this database has ended. Transactions of other databases
// of the server do not count, however long they last: they do not write our tables.
import { must } from '../../../values/assert.ts';
import type { ReadPool } from '../read-pool.ts';

/**
 * `next` is older than `busy`: a transaction below it that is not among the busy ones has ended, and any
 * later statement sees what it wrote. If other roles are connected whose transactions are hidden from ours,
 * only the server's own snapshot counts.
 */
const LOOK = `
SELECT pg_snapshot_xmax(now)::text AS next, pg_snapshot_xmin(now)::text AS oldest,
  array(SELECT backend_xid::text FROM pg_stat_activity
    WHERE datname = current_database() AND backend_xid IS NOT NULL) AS busy,
  EXISTS (SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND NOT pg_has_role(usesysid, 'USAGE')
    AND NOT pg_has_role('pg_read_all_stats', 'USAGE')) AS "isBlind"
FROM pg_current_snapshot() AS now`;

interface Reading {
  readonly next: string;
  readonly oldest: string;
  readonly busy: readonly string[];
  readonly isBlind: boolean;
}

/** For use by a later statement. */
export async function oldestActiveTransaction(pool: ReadPool): Promise<bigint> {
  const [row] = await pool.read<Reading & Record<string, unknown>>({ name: 'quiet', text: LOOK });
  const reading = must(row, 'one row');
  if (reading.isBlind) return BigInt(reading.oldest);
  const next = BigInt(reading.next);
  let lowest = next;
  for (const short of reading.busy) {
    const busy = longOf(BigInt(short), next);
    if (busy < lowest) lowest = busy;
  }
  return lowest;
}

/** Activity shows the lower 32 bits; no transaction is 2^31 away from the next. */
const longOf = (short: bigint, next: bigint): bigint => next - BigInt.asIntN(32, next - short);

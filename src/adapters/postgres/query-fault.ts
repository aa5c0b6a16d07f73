// What a failed statement means for the transaction it was in.
import { DatabaseError } from 'pg';

/**
 * `raced`    rolled back because of another transaction: run it again
 * `refused`  rolled back because of what was in it: running it again fails again
 * `failed`   rolled back because of the server's condition: disk, limits, read-only, time-out
 * `lost`     the connection is gone, and with it the knowledge whether it was committed
 */
export type QueryFault = 'raced' | 'refused' | 'failed' | 'lost';

/** serialization_failure, deadlock_detected, and an id or key another transaction has just created. */
const RACED = new Set(['40001', '40P01', '23505']);

/** data_exception, integrity_constraint_violation, program_limit_exceeded. */
const REFUSED = /^(22|23|54)/;

export function queryFault(error: unknown): QueryFault {
  if (!(error instanceof DatabaseError) || error.code === undefined) return 'lost';
  if (error.severity === 'FATAL' || error.severity === 'PANIC') return 'lost';
  if (RACED.has(error.code)) return 'raced';
  return REFUSED.test(error.code) ? 'refused' : 'failed';
}

export const faultText = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

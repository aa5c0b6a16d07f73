// Classifies what a failed statement means for its transaction.
import { DatabaseError } from 'pg';

/**
 * `raced`    rolled back because of another transaction: retry it
 * `refused`  rolled back because of its content: a retry fails again
 * `failed`   rolled back because of the server's condition: disk, limits, read-only, time-out
 * `lost`     the connection is lost, and it is unknown whether it was committed
 */
export type QueryFault = 'raced' | 'refused' | 'failed' | 'lost';

const UNIQUE_VIOLATION = '23505';

/** serialization_failure, deadlock_detected, and an id or key that another transaction has just created. */
const RACED = new Set(['40001', '40P01', UNIQUE_VIOLATION]);

/** data_exception, integrity_constraint_violation, program_limit_exceeded. */
const REFUSED = /^(22|23|54)/;

export function queryFault(error: unknown): QueryFault {
  if (!(error instanceof DatabaseError) || error.code === undefined) return 'lost';
  if (error.severity === 'FATAL' || error.severity === 'PANIC') return 'lost';
  if (RACED.has(error.code)) return 'raced';
  return REFUSED.test(error.code) ? 'refused' : 'failed';
}

/** What was to be inserted is there already, or another transaction is just inserting it. */
export const isThereAlready = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === UNIQUE_VIOLATION;

export const faultText = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

// Classifies what a failed statement means for its transaction.
import { DatabaseError } from 'pg';
import { unresolvedText } from '../../values/errors/unreachable.ts';

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

export function faultText(error: unknown): string {
  const text = plainText(error);
  const advice = isDiskFull(error) ? DISK_FULL : poolerAdvice(text);
  return advice === undefined ? text : `${text}; ${advice}`;
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '53100';

/** PostgreSQL names a file within its data folder, and not the folder. */
const DISK_FULL =
  'the disk of PostgreSQL is full: that of its data folder, which is postgres/ in TWAPD_DATA_DIR without DATABASE_URL; free some, or enlarge it';

/** Of an error about several others, such as one connection to each address of a host, their texts too. */
function plainText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = unresolvedText(error) ?? (error.message || error.name);
  if (!(error instanceof AggregateError)) return own;
  return `${own}: ${error.errors.map(plainText).join('; ')}`;
}

/** What PgBouncer says of a parameter of a connection that it does not know. */
const UNSUPPORTED = /unsupported startup parameter(?: in options)?: (?<name>\w+)/;
/** Of a connection that another client was given between two statements. */
const PREPARED = /prepared statement "[^"]*" (?:does not exist|already exists)/;

/** What to set where a pooler stands before the database, and does not keep one connection for one client. */
function poolerAdvice(text: string): string | undefined {
  const direct = 'DATABASE_URL leads to PgBouncer; accepted: the address of PostgreSQL itself, or';
  const name = UNSUPPORTED.exec(text)?.groups?.['name'];
  if (name !== undefined) {
    return `${direct} pool_mode = session and ignore_startup_parameters = ${name} in pgbouncer.ini`;
  }
  return PREPARED.test(text) ? `${direct} pool_mode = session in pgbouncer.ini` : undefined;
}

// What an operator reads when a pooler stands between the daemon and PostgreSQL: the setting, and what to do.
import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { faultText } from '../../../src/adapters/postgres/query-fault.ts';

test.each([
  [
    'unsupported startup parameter: statement_timeout',
    'ignore_startup_parameters = statement_timeout',
  ],
  [
    'unsupported startup parameter in options: lock_timeout',
    'ignore_startup_parameters = lock_timeout',
  ],
  ['prepared statement "commit" does not exist', 'pool_mode = session'],
  ['prepared statement "commit" already exists', 'pool_mode = session'],
])('a refusal of PgBouncer names the setting: %s', (message, setting) => {
  const text = faultText(new Error(message));
  expect(text).toContain(message);
  expect(text).toContain('DATABASE_URL leads to PgBouncer');
  expect(text).toContain('accepted: the address of PostgreSQL itself');
  expect(text).toContain(setting);
});

test('a full disk of PostgreSQL is named with its folder and what to do', () => {
  const full = new DatabaseError(
    'could not extend file "base/5/16384": No space left on device',
    90,
    'error',
  );
  full.code = '53100';
  expect(faultText(full)).toBe(
    'could not extend file "base/5/16384": No space left on device; the disk of PostgreSQL is full: that of its data folder, ' +
      'which is postgres/ in TWAPD_DATA_DIR without DATABASE_URL; free some, or enlarge it',
  );
});

test('another fault of the database is shown as it is', () => {
  expect(faultText(new Error('could not extend file: No space left on device'))).toBe(
    'could not extend file: No space left on device',
  );
});

// PT-24: records are append-only. None of our statements changes or deletes a row of a record table.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Events and fills of portfolios, protection events, the audit trail of requests, switch settings. */
const RECORDS = ['turn', 'fill', 'mmp_event', 'action', 'switch_setting'];
/** Events of earlier versions, and the view of all events: nothing is added any more. */
const OLD = ['event_row', 'event'];
const CHANGE = new RegExp(
  String.raw`\b(?:UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|DROP\s+TABLE(?:\s+IF\s+EXISTS)?)\s+(?:ONLY\s+)?(?:${[...RECORDS, ...OLD].join('|')})\b|\b(?:INSERT\s+INTO|MERGE\s+INTO)\s+(?:${RECORDS.join('|')})\b[^;]{0,400}\bDO\s+UPDATE\b`,
);

const SRC = new URL('../../src/', import.meta.url).pathname;
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:ts|mjs|sql)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

/** Drops a day after its files in the archive were read back and compared: decision 24. */
const MOVING = 'adapters/postgres/archive/release-day.ts';

test('no statement changes or removes a record, except of a day that was moved to the archive', () => {
  expect(sources.filter(({ text }) => CHANGE.test(text)).map(({ path }) => path)).toEqual([MOVING]);
});

test('every record table has a statement that inserts into it', () => {
  for (const table of RECORDS) {
    const added = new RegExp(String.raw`\bINSERT INTO ${table}\b`);
    expect(sources.some(({ text }) => added.test(text))).toBe(true);
  }
});

test.each([
  'DELETE FROM turn WHERE portfolio = $1',
  'DELETE FROM event_row WHERE portfolio = $1',
  'UPDATE fill SET price = 0',
  'truncate table action'.toUpperCase().replace('ACTION', 'action'),
  'DROP TABLE IF EXISTS switch_setting',
  'INSERT INTO mmp_event (account) VALUES ($1) ON CONFLICT (account) DO UPDATE SET data = excluded.data',
])('the check would find: %s', (statement) => {
  expect(CHANGE.test(statement)).toBe(true);
});

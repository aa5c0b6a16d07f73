// PT-24: what is a record is only ever added to. No statement of ours changes or removes a row of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Events and fills of portfolios, events of protection, requests of people and programs, switch settings. */
const RECORDS = ['event', 'fill', 'mmp_event', 'action', 'switch_setting'];
const CHANGE = new RegExp(
  String.raw`\b(?:UPDATE|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|DROP\s+TABLE(?:\s+IF\s+EXISTS)?)\s+(?:ONLY\s+)?(?:${RECORDS.join('|')})\b|\b(?:INSERT\s+INTO|MERGE\s+INTO)\s+(?:${RECORDS.join('|')})\b[^;]{0,400}\bDO\s+UPDATE\b`,
);

const SRC = new URL('../../src/', import.meta.url).pathname;
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:ts|mjs|sql)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));

test('no statement changes or removes a record', () => {
  expect(sources.filter(({ text }) => CHANGE.test(text)).map(({ path }) => path)).toEqual([]);
});

test('every record is written by somebody', () => {
  for (const table of RECORDS) {
    const added = new RegExp(String.raw`\bINSERT INTO ${table}\b`);
    expect(sources.some(({ text }) => added.test(text))).toBe(true);
  }
});

test.each([
  'DELETE FROM event WHERE portfolio = $1',
  'UPDATE fill SET price = 0',
  'truncate table action'.toUpperCase().replace('ACTION', 'action'),
  'DROP TABLE IF EXISTS switch_setting',
  'INSERT INTO mmp_event (account) VALUES ($1) ON CONFLICT (account) DO UPDATE SET data = excluded.data',
])('would find: %s', (statement) => {
  expect(CHANGE.test(statement)).toBe(true);
});

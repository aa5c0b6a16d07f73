// No SQL of ours sorts or groups by the text of a number: paging a feed would end at 999.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textSorts } from './support/sql-order.ts';

const FOLDERS = ['src', 'bench', 'monitoring', 'test'];
/** Files that contain the examples. */
const OWN = ['test/sql-order.test.ts', 'test/support/sql-order.ts'];

const inSource = (sql: string): string => `const ONE = \`${sql}\`;`;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|sql|json|ya?ml)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
).filter((path) => !OWN.includes(path));

test('no SQL of the sources, benchmarks, dashboards and tests sorts by a number as text', () => {
  const withSql = files.filter((path) => /\bORDER BY\b/.test(readFileSync(path, 'utf8')));
  expect(withSql.length).toBeGreaterThan(10);
  const found = files.flatMap((path) =>
    textSorts(readFileSync(path, 'utf8')).map((one) => `${path}: ${one.clause} (${one.column})`),
  );
  expect(found).toEqual([]);
});

test.each([
  'SELECT position::text FROM turn_log WHERE position < $1::xid8 ORDER BY position DESC LIMIT 1',
  'SELECT position::text, portfolios::text[] FROM turn_log WHERE position >= $1::xid8\nORDER BY position LIMIT $2',
  'SELECT id::text FROM portfolio WHERE id > $1 ORDER BY id LIMIT $2',
  'SELECT p.id::text FROM portfolio p ORDER BY id',
  'SELECT account, at::text AS "when" FROM t ORDER BY account, "when"',
  'SELECT cast(id AS text) FROM t ORDER BY id',
  'SELECT DISTINCT ON (id) id::text FROM t',
  'SELECT count(*), (at / 1000)::text AS second FROM t GROUP BY second',
])('the check finds a sort by text: %s', (sql) => {
  expect(textSorts(inSource(sql))).toHaveLength(1);
});

test.each([
  'SELECT position::text FROM turn_log ORDER BY turn_log.position',
  'SELECT p.id::text AS name FROM portfolio p ORDER BY p.id DESC LIMIT 500',
  'SELECT id FROM portfolio WHERE account = ANY ($1::text[]) ORDER BY id',
  'SELECT * FROM unnest($1::text[]) AS t (key) ORDER BY key',
  'SELECT at::text, positions FROM audit_baseline WHERE account = $1',
])('the check accepts a correct sort: %s', (sql) => {
  expect(textSorts(inSource(sql))).toEqual([]);
});

// The page of Deribit's wire shows what the tests ran, not what somebody remembered.
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from 'vitest';
import { withTables } from './matrix.ts';

const PAGE = new URL('../../docs/deribit-wire.md', import.meta.url);

test('the tables of docs/deribit-wire.md are those that the tests made', () => {
  const page = readFileSync(PAGE, 'utf8');
  if (process.env['TWAPD_UPDATE_RAN'] === '1') writeFileSync(PAGE, withTables(page));
  expect(readFileSync(PAGE, 'utf8')).toBe(withTables(page));
});

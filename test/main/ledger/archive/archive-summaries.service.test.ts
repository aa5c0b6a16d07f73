// Portfolios of archived days in lists: they are shown as before, and take little of the database.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { archiveDays, restoreDay } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import { must } from '../../../../src/values/assert.ts';
import { DAY, EndedLedger, NEXT } from './ended-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-'));
let on: EndedLedger;
let count = 0;

beforeEach(async () => {
  count += 1;
  on = await EndedLedger.open(join(folder, String(count)));
  return () => on.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How many summaries lie in packs. */
async function packed(): Promise<number> {
  const { rows } = await on.client.query(
    `SELECT count(*)::int AS packed FROM summary WHERE json_typeof(record) = 'array'`,
  );
  return rows[0].packed;
}

/** Each portfolio as `info` reads it. */
const shown = () =>
  on.withLedger(undefined, (ledger) => Promise.all(on.ended.map((id) => ledger.row(id))));

test('lists and single portfolios show what they showed before their day was archived', async () => {
  const before = [await on.listed(), await shown()];
  expect(before[1]).not.toContain(undefined);
  await archiveDays(on.options(), NEXT);
  expect(await packed()).toBe(on.ended.length);
  expect([await on.listed(), await shown()]).toEqual(before);
  await restoreDay(on.options(), DAY);
  expect([await on.listed(), await shown()]).toEqual(before);
  expect(await archiveDays(on.options(), NEXT)).toMatchObject([{ kind: 'archived' }]);
  expect([await on.listed(), await shown()]).toEqual(before);
});

test('the index of a large ledger shows them too', async () => {
  const before = await on.listed();
  await archiveDays(on.options(), NEXT);
  const query = { orderBy: 'submittedAt', descending: true, offset: 0, limit: 1_000 } as const;
  await on.withLedger(
    undefined,
    async (ledger) => {
      await expect.poll(() => ledger.isPageIndexReady(), { timeout: 60_000 }).toBe(true);
      expect((await ledger.page(query)).rows).toEqual(before);
    },
    { pageIndexAbove: 0 },
  );
});

test('a summary that is written after the archive is the one that is shown, and is packed with its day if that comes back', async () => {
  await archiveDays(on.options(), NEXT);
  const id = must(on.ended[0], 'a portfolio');
  const note = 'after the archive';
  await on.client.query(
    `UPDATE summary SET record = jsonb_set(summary_record(record)::jsonb, '{note}', to_jsonb($2::text))::json WHERE portfolio = $1`,
    [id, note],
  );
  const noted = async () => (await shown()).map((row) => row?.record.note);
  const after = await noted();
  expect(after[0]).toBe(note);
  await restoreDay(on.options(), DAY);
  await archiveDays(on.options(), NEXT);
  expect(await packed()).toBe(on.ended.length);
  expect(await noted()).toEqual(after);
});

test('days that an earlier version archived are packed by the next archive', async () => {
  const before = await on.listed();
  await archiveDays(on.options(), NEXT);
  await on.client.query('UPDATE summary SET record = summary_record(record)');
  await on.client.query('UPDATE archived_day SET is_packed = false');
  expect(await packed()).toBe(0);
  expect(await archiveDays(on.options(), NEXT)).toEqual([]);
  expect(await packed()).toBe(on.ended.length);
  expect(await on.listed()).toEqual(before);
});

test('a role that may read summaries may read those in packs', async () => {
  const { rows } = await on.client.query(
    `SELECT count(*)::int AS missing FROM information_schema.role_table_grants AS held
    WHERE table_name = 'summary' AND privilege_type = 'SELECT' AND NOT EXISTS (
      SELECT FROM information_schema.role_table_grants AS other WHERE other.table_name = 'summary_pack'
        AND other.privilege_type = 'SELECT' AND other.grantee = held.grantee)`,
  );
  expect(rows).toEqual([{ missing: 0 }]);
});

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PostgresActionLog } from '../../../src/adapters/postgres/records/postgres-action-log.ts';
import { FileActionLog } from '../../../src/adapters/system/file-action-log.ts';
import { actionAt } from '../../conformance/action-log.ts';
import { addressOf, createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { type Ran, twapd } from '../cli-world.ts';
import { warmCli } from '../warm-cli.ts';

const DAY = Date.UTC(2026, 10, 20);

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  const log = new PostgresActionLog({ connectionString: database.connectionString });
  await log.record(actionAt(DAY, { label: 'first', orderId: '71' }));
  await log.record(actionAt(DAY + 60_000, { keyId: 'other', label: 'second' }));
  await log.record(actionAt(DAY + 120_000, { outcome: 'refused 10009', label: undefined }));
  await log.close();
});
afterAll(async () => {
  await database.drop();
});

const inLedger = () => ({ env: { DATABASE_URL: addressOf(database) } });
const actions = (...words: string[]): Promise<Ran> =>
  warmCli.run(['actions', ...words], inLedger());

test('actions lists who did what, newest first', async () => {
  const { code, out } = await twapd(['actions'], inLedger());
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(
    /^2026-11-20 00:02:00 +desk +7001 Desk ünö +192\.0\.2\.1 +10001 .*refused 10009$/,
  );
  expect(lines[3]).toMatch(/private\/buy +BTC-PERPETUAL +first +71 +done$/);
});

test('actions filters by key, account, time and count', async () => {
  const labels = async (...words: string[]): Promise<unknown[]> => {
    const { out } = await actions('--json', ...words);
    return (JSON.parse(out) as { label?: string }[]).map(({ label }) => label);
  };
  expect(await labels('--key', 'other')).toEqual(['second']);
  expect(await labels('--since', '2026-11-20T00:01:00Z', '-n', '1')).toEqual([undefined]);
  expect(await labels('--account', '10002')).toEqual([]);
  expect((await actions('--account', '10002')).out).toBe('no actions\n');
});

test('actions are printed as CSV, with times in the zone of --tz', async () => {
  const { out } = await actions('--csv', '--tz', 'Asia/Kolkata', '--since', '2026-11-20T05:31');
  const rows: Record<string, string>[] = parse(out, { columns: true });
  expect(rows.map(({ at, key, label }) => [at, key, label])).toEqual([
    ['2026-11-20T05:32:00.000+05:30', 'desk', ''],
    ['2026-11-20T05:31:00.000+05:30', 'other', 'second'],
  ]);
  const table = await actions('--tz', 'Asia/Kolkata');
  expect(table.out).toContain('at (Asia/Kolkata)');
  expect(table.out).toContain('2026-11-20 05:30:00');
});

test('actions --exchange reads the data folder of a stand-alone exchange, running or not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-actions-'));
  const env = { TWAPD_EXCHANGE_DATA_DIR: folder };
  const none = await warmCli.run(['actions', '--exchange'], { env });
  expect([none.code, none.out]).toEqual([0, 'no actions\n']);
  const onFault = (error: unknown): never => {
    throw error;
  };
  const log = await FileActionLog.open({ folder: join(folder, 'actions'), onFault });
  await log.record(actionAt(DAY, { label: 'first' }));
  await log.record(actionAt(DAY + 1, { label: 'second', keyId: 'other' }));
  appendFileSync(join(folder, 'actions/000001.jsonl'), '{"at":\n');
  await log.close();
  const { code, out, err } = await twapd(['actions', '--exchange', '--key', 'desk'], { env });
  expect(code).toBe(0);
  expect(err).toContain('000001.jsonl:3 cannot be read and is left out');
  expect(out.trimEnd().split('\n').slice(1)).toEqual([
    expect.stringMatching(/first +1[\d]* +done$/),
  ]);
  rmSync(folder, { recursive: true });
});

test.each([
  [['--since', 'yesterday'], 'ISO 8601'],
  [['--limit', '0'], 'accepted: 1 to 100000'],
])('actions %j is rejected as wrong usage', async (words, message) => {
  const { code, err } = await actions(...words);
  expect([code, err.includes(message)]).toEqual([2, true]);
});

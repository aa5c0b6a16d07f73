// What reads an archived day reads what it read before: the chain is recomputed here from the Parquet files.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { PostgresCostRecord } from '../../../../src/adapters/postgres/records/postgres-cost-record.ts';
import { reportsFrom } from '../../../../src/gateway/portfolios/read-report.ts';
import { archiveDays } from '../../../../src/main/ledger/archive/archive-ledger.ts';
import {
  type ArchivedReads,
  EventsArchived,
} from '../../../../src/ports/archive/archived-reads.ts';
import { must } from '../../../../src/values/assert.ts';
import { instrumentName, venueName } from '../../../../src/values/ids.ts';
import { instant } from '../../../../src/values/instant.ts';
import { addressOf } from '../../../support/daemon/services.ts';
import { twapd } from '../../cli-world.ts';
import { DAY, EndedLedger, MIDNIGHT, NEXT, PARTITION } from './ended-ledger.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-'));
let on: EndedLedger;
let count = 0;

beforeEach(async () => {
  count += 1;
  on = await EndedLedger.open(join(folder, String(count)));
  return () => on.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As the chain is defined, written once more. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((name) => [name, sorted((value as Record<string, unknown>)[name])]),
        )
      : value;

const parquet = async (path: string) => {
  const bytes = readFileSync(path);
  return await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
};

test('an archived portfolio is read from the archive as it was, event by event, and has left the database', async () => {
  const before = await on.withLedger(undefined, (ledger) =>
    Promise.all(on.ended.map((id) => ledger.load(id))),
  );
  expect(before.every((one) => one !== undefined && one.events.length > 2)).toBe(true);
  const outcomes = await archiveDays(on.options(), NEXT);
  expect(outcomes).toMatchObject([{ day: DAY, kind: 'archived' }]);
  expect(await on.held()).toBe(0);
  const left = await on.client.query(
    `SELECT (SELECT count(*)::int FROM fill) AS fills, (SELECT count(*)::int FROM leg_moment) AS moments,
      (SELECT count(*)::int FROM market_second) AS seconds,
      (SELECT count(*)::int FROM market_instant) AS instants, to_regclass('turn_${PARTITION}')::text AS partition`,
  );
  expect(left.rows).toEqual([{ fills: 0, moments: 0, seconds: 0, instants: 0, partition: null }]);
  await on.withLedger(on.reader(), async (ledger) => {
    expect(await Promise.all(on.ended.map((id) => ledger.load(id)))).toEqual(before);
    const [one] = before;
    const { portfolio, events } = must(one, 'a portfolio');
    expect(await ledger.eventsAfter(portfolio, 2, 3)).toEqual(events.slice(2, 5));
    expect(await ledger.eventsAfter(portfolio, events.length, 3)).toEqual([]);
    const row = must(await ledger.row(portfolio), 'its row stays');
    expect(row).toMatchObject({ version: events.length, portfolio });
  });
});

test('the files of a day hold the chain of hashes of each portfolio, which another program can recompute', async () => {
  await archiveDays(on.options(), NEXT);
  const hashes = new Map<bigint, string>();
  const versions = new Map<bigint, number>();
  const turns = await parquet(join(on.archive, DAY, 'turns.parquet'));
  for (const { portfolio, version, size, events, hash } of turns) {
    for (const event of JSON.parse(events)) {
      const chained = createHash('sha256').update(
        `${hashes.get(portfolio) ?? ''}\n${JSON.stringify(sorted(event))}`,
      );
      hashes.set(portfolio, chained.digest('hex'));
    }
    expect(version).toBe((versions.get(portfolio) ?? 0) + size);
    versions.set(portfolio, version);
    expect(hashes.get(portfolio)).toBe(hash);
  }
  let head = '';
  for (const [portfolio, hash] of hashes) {
    const text = `${head}\n${portfolio} ${versions.get(portfolio)} ${hash}`;
    head = createHash('sha256').update(text).digest('hex');
  }
  const manifest = JSON.parse(readFileSync(join(on.archive, DAY, 'manifest.json'), 'utf8'));
  const schema = readdirSync('src/adapters/postgres/migrations', { recursive: true })
    .map((file) => Number.parseInt(basename(String(file)), 10))
    .reduce((latest, number) => Math.max(latest, number || 0));
  expect(manifest).toMatchObject({ head, portfolios: on.ended.length, schema });
  const [turnTable] = manifest.tables;
  const digest = createHash('sha256').update(readFileSync(join(on.archive, DAY, 'turns.parquet')));
  expect(turnTable).toMatchObject({
    name: 'turns',
    rows: turns.length,
    sha256: digest.digest('hex'),
  });
});

test('markets of an archived day are read from the archive, with every digit', async () => {
  const query = {
    venue: venueName('paper'),
    instrument: instrumentName('BTC_USDC'),
    from: instant(MIDNIGHT + 5_000),
    to: instant(MIDNIGHT + 2_000_000),
  };
  const read = async (from?: ArchivedReads) => {
    const costs = new PostgresCostRecord({
      connectionString: on.connectionString,
      archive: from,
    });
    try {
      const [id] = on.ended;
      const moments = await costs.moments(must(id, 'a portfolio'));
      return [await costs.seconds(query), moments, await costs.instants(query)];
    } finally {
      await costs.close();
    }
  };
  const before = await read();
  expect(before.map((rows) => rows.length)).toEqual([1_996, 1, 6]);
  await archiveDays(on.options(), NEXT);
  await expect(read()).rejects.toThrow(`the markets of ${DAY} are in its archive`);
  expect(JSON.stringify(await read(on.reader()))).toBe(JSON.stringify(before));
});

test('without the archive the events of an archived portfolio are refused with words, not reported as none', async () => {
  await archiveDays(on.options(), NEXT);
  await on.withLedger(undefined, async (ledger) => {
    const [id] = on.ended;
    await expect(ledger.load(must(id, 'a portfolio'))).rejects.toThrow(EventsArchived);
    await expect(ledger.load(must(id, 'a portfolio'))).rejects.toThrow(
      `are in the archive of ${DAY}; ledger.archive names no folder`,
    );
  });
});

/** A second of the perpetual each, with mark and rate, while the portfolios were at work. */
const FUNDED = `
INSERT INTO market_second (venue, instrument, second, at, bid, bid_size, ask, ask_size, mark, index, funding_rate, age_ms)
  SELECT 'paper', 'BTC-PERPETUAL', second, second + 7, 100000, 10, 100001, 10, 100000.25, 100010, 0.0001 + n / 7e6, 3
  FROM (SELECT n, (SELECT min(submitted_at) / 1000 FROM portfolio) * 1000 + 1000 * n AS second
    FROM generate_series(0, 3600) AS n) AS one
  WHERE second <= (SELECT max(updated_at) FROM portfolio) + 60000 AND second < ${MIDNIGHT} + 86400000;`;

test('the report of an archived portfolio is the same as before, with its funding', async () => {
  await on.client.query(FUNDED);
  const reports = (archive?: ArchivedReads) =>
    on.withLedger(archive, async (ledger) => {
      const costs = new PostgresCostRecord({ connectionString: on.connectionString, archive });
      const describe = () => ({ exchange: 'paper', accountName: 'Desk' }) as never;
      const read = reportsFrom({
        ledger,
        costs,
        mmp: ledger.mmpRecords,
        accounts: { describe },
        now: () => instant(MIDNIGHT + 86_400_000),
      });
      try {
        return JSON.stringify(await Promise.all(on.ended.map((id) => read(id))));
      } finally {
        await costs.close();
      }
    });
  const before = await reports();
  expect(before).toContain('"shortfall');
  expect(before).toContain('"funding":{');
  await archiveDays(on.options(), NEXT);
  await expect(reports()).rejects.toThrow(EventsArchived);
  expect(await reports(on.reader())).toBe(before);
});

test('archive and archive restore move a day from the command line, and audit reads it there', async () => {
  const config = join(folder, `config-${count}.yaml`);
  const paper = readFileSync('config/paper.yaml', 'utf8');
  writeFileSync(config, `${paper}\nledger:\n  retention: 2\n  archive: ${on.archive}\n`);
  const run = (...words: readonly string[]) =>
    twapd([...words, '-c', config], { env: { DATABASE_URL: addressOf(on.database) } });
  const tooNew = await run('archive', '--before', '2199-01-01');
  expect([tooNew.code, tooNew.err]).toEqual([1, expect.stringContaining('keeps 2 days')]);
  const moved = await run('archive', '--before', NEXT, '--json');
  expect([moved.code, JSON.parse(moved.out)]).toEqual([
    0,
    [expect.objectContaining({ day: DAY, kind: 'archived', portfolios: on.ended.length })],
  ]);
  const audit = await run('audit', '--json', '--url', 'http://127.0.0.1:9');
  expect(JSON.parse(audit.out).ledger).toMatchObject({ archived: on.ended.length, findings: [] });
  const lines = await run('export');
  expect(lines.out.trim().split('\n').length).toBeGreaterThan(100);
  const back = await run('archive', 'restore', DAY);
  expect([back.code, back.err, back.out]).toEqual([
    0,
    '',
    expect.stringContaining('in the database again'),
  ]);
  expect(await on.held()).toBe(lines.out.trim().split('\n').length);
});

describe('an audit of a ledger with archived days', () => {
  beforeEach(async () => {
    await archiveDays(on.options(), NEXT);
  });

  test('an audit reads archived days in the archive and finds nothing wrong', async () => {
    expect(await on.audited(on.files)).toMatchObject({
      archived: on.ended.length,
      unread: 0,
      findings: [],
    });
  });

  test('an audit without the archive says how many portfolios it could not read', async () => {
    expect(await on.audited(undefined)).toMatchObject({ unread: on.ended.length, findings: [] });
  });

  test.each([
    'turns.parquet',
    'fills.parquet',
    'market.parquet',
    'instants.parquet',
    'manifest.json',
  ])('a changed byte in %s is a finding of its day', async (file) => {
    const path = join(on.archive, DAY, file);
    const bytes = readFileSync(path);
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const { findings } = await on.audited(on.files);
    expect(findings.map(({ portfolio }) => portfolio)).toContain(DAY);
  });

  test('a row of an archived day that was changed in the database is a finding', async () => {
    await on.client.query(`UPDATE archived_day SET head = repeat('0', 64)`);
    expect((await on.audited(on.files)).findings).toMatchObject([
      { portfolio: DAY, detail: 'the row of the archived day is not the one that was written' },
    ]);
  });

  test('a row of an archived day that was deleted in the database is a finding of each portfolio', async () => {
    await on.client.query('DELETE FROM archived_day');
    await on.client.query(
      `INSERT INTO audit_seal SELECT id, version, repeat('0', 64) FROM portfolio ON CONFLICT DO NOTHING`,
    );
    expect((await on.audited(on.files)).findings.length).toBeGreaterThanOrEqual(on.ended.length);
  });
});

// The files are written here from the columns that an archive states, in groups of two rows.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ParquetFileWriter } from '../../../src/adapters/archive-files/archive-parquet.ts';
import { ArchiveReader } from '../../../src/adapters/archive-files/archive-reader.ts';
import { BucketFiles } from '../../../src/adapters/archive-files/bucket-files.ts';
import { FolderFiles } from '../../../src/adapters/archive-files/folder-files.ts';
import { S3Store } from '../../../src/adapters/object-store/s3-store.ts';
import type { SeenMarket } from '../../../src/core/report/seen-market.ts';
import {
  ARCHIVE_TABLES,
  type ArchiveTable,
  type ArchiveValue,
} from '../../../src/ports/archive/archive-tables.ts';
import type { DayArchive } from '../../../src/ports/archive/archived-reads.ts';
import type { DayFiles } from '../../../src/ports/archive/day-files.ts';
import type { DayName } from '../../../src/ports/archive/submit-day.ts';
import type { ObjectStore } from '../../../src/ports/objects/object-store.ts';
import { text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import {
  archivedReadsConformance,
  type OpenedArchive,
} from '../../conformance/archive/archived-reads.ts';
import { type DayFilesStage, dayFilesConformance } from '../../conformance/archive/day-files.ts';
import type { ArchivedContent } from '../../doubles/memory/memory-archive.ts';
import { S3_ACCESS, type S3Server, s3Server } from '../../support/objects/s3-server.ts';
import { FolderStore } from '../object-store/folder-store.ts';

type Cells = Readonly<Record<string, ArchiveValue | undefined>>;

const GROUP = 2;
/** Events of a turn. */
const TURN = 3;
const folder = mkdtempSync(join(tmpdir(), 'twapd-archive-folder-'));
const closers: (() => Promise<void>)[] = [];
let count = 0;
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** Two days, each with an event of one portfolio. */
const EXAMPLE: readonly ArchivedContent[] = [0, 1].map((n) => ({
  day: `2026-11-2${n + 4}` as DayName,
  events: new Map([[idOf(n), [{ kind: 'paused', at: 1, by: 'the desk' } as never]]]),
  moments: [],
  seconds: [],
  instants: [],
}));

function idOf(n: number) {
  return portfolioId(String(Date.UTC(2026, 10, 24 + n) * 1_000 + 7));
}

const amountText = (amount: Parameters<typeof text>[0] | undefined): string | undefined =>
  amount && text(amount);

const marketCells = (market: SeenMarket | undefined): Cells => ({
  bid: amountText(market?.bid?.price),
  bid_size: amountText(market?.bid?.quantity),
  ask: amountText(market?.ask?.price),
  ask_size: amountText(market?.ask?.quantity),
  last: amountText(market?.last),
  mark: amountText(market?.mark),
  index: amountText(market?.index),
  underlying: amountText(market?.underlying),
  mark_iv: market?.markIv,
  ...market?.greeks,
  funding_rate: market?.fundingRate,
  age_ms: market?.ageMs,
});

function turnCells({ events }: ArchivedContent): readonly Cells[] {
  return [...events].flatMap(([portfolio, own]) =>
    Array.from({ length: Math.ceil(own.length / TURN) }, (_, n): Cells => {
      const some = own.slice(n * TURN, (n + 1) * TURN);
      return {
        portfolio: BigInt(portfolio),
        version: n * TURN + some.length,
        size: some.length,
        batch: 1n,
        at: 1n,
        events: JSON.stringify(some),
        hash: '',
      };
    }),
  );
}

const momentCells = ({ moments }: ArchivedContent): readonly Cells[] =>
  moments.map(({ portfolio, version, leg, at, market, expected }) => ({
    portfolio: BigInt(portfolio),
    version,
    leg,
    at: BigInt(at),
    ...marketCells(market),
    expected_bps: expected?.bps,
    expected_fee: amountText(expected?.fee),
    expected_fee_currency: expected?.feeCurrency,
  }));

const secondCells = ({ seconds }: ArchivedContent): readonly Cells[] =>
  seconds.map(({ venue, instrument, second, at, market, volume }) => ({
    venue,
    instrument,
    second: BigInt(second),
    at: BigInt(at),
    ...marketCells(market),
    volume: amountText(volume),
  }));

const instantCells = ({ instants = [] }: ArchivedContent): readonly Cells[] =>
  instants.map(({ venue, instrument, at, bid, ask, count: counted }) => ({
    venue,
    instrument,
    at: BigInt(at),
    bid: amountText(bid),
    ask: amountText(ask),
    counted_since: counted && BigInt(counted.since),
    volume: amountText(counted?.volume),
    value: amountText(counted?.value),
  }));

async function write(path: string, table: ArchiveTable, rows: readonly Cells[]): Promise<void> {
  const columns = ARCHIVE_TABLES[table];
  const file = await ParquetFileWriter.create(join(path, `${table}.parquet`), columns);
  const values = rows.map((row) => columns.map(({ name }) => row[name] ?? null));
  for (let from = 0; from < values.length; from += GROUP) {
    await file.write(values.slice(from, from + GROUP));
  }
  await file.finish();
}

/** Files of the days, each in the folder that `stage` says. */
async function written(
  days: readonly ArchivedContent[],
  files: DayFiles,
): Promise<ReadonlyMap<DayName, string>> {
  const digests = new Map<DayName, string>();
  for (const content of days) {
    const path = files.stage(content.day);
    mkdirSync(path, { recursive: true });
    await write(path, 'turns', turnCells(content));
    await write(path, 'fills', []);
    await write(path, 'moments', momentCells(content));
    await write(path, 'market', secondCells(content));
    if (content.instants !== undefined) await write(path, 'instants', instantCells(content));
    digests.set(content.day, manifestIn(path, content));
  }
  return digests;
}

const sha256 = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');

/** Writes what a manifest has to say, and returns its digest. */
function manifestIn(path: string, { day, events, instants }: ArchivedContent): string {
  const first = ['turns', 'fills', 'moments', 'market'];
  const tables = [...first, ...(instants === undefined ? [] : ['instants'])].map((name) => {
    const bytes = readFileSync(join(path, `${name}.parquet`));
    return {
      name,
      rows: 0,
      bytes: bytes.length,
      sha256: sha256(bytes),
      rowsSha256: sha256(''),
    };
  });
  const text = JSON.stringify({
    format: 'twapd-archive/1',
    day,
    writtenAt: '2026-11-27T10:00:00Z',
    version: '1.0.0',
    deployment: 'test',
    schema: 1,
    portfolios: events.size,
    events: 0,
    head: '',
    tables,
  });
  writeFileSync(join(path, 'manifest.json'), text);
  return sha256(text);
}

async function opened(
  days: readonly ArchivedContent[],
  files: DayFiles,
): Promise<OpenedArchive & { readonly files: DayFiles }> {
  const digests = await written(days, files);
  for (const [day, digest] of digests) {
    await files.keep({ day, digest });
    await files.keep({ day, digest });
    await files.leaveStage(day);
  }
  const digestOf = (day: DayName): string => digests.get(day) ?? sha256(day);
  return { files, archive: new ArchiveReader(files), digestOf };
}

const next = (): string => {
  count += 1;
  return join(folder, String(count));
};

const bucket = (store: ObjectStore, copiesBytesMax = 1e9): BucketFiles =>
  new BucketFiles({ store, name: 'the store', folder: next(), copiesBytesMax });

async function s3(): Promise<{ readonly store: S3Store; readonly server: S3Server }> {
  const server = await s3Server();
  closers.push(server.close);
  const { endpoint } = server;
  const place = { endpoint, bucket: 'heads', prefix: 'archive/', now: () => new Date() };
  return { server, store: new S3Store({ ...S3_ACCESS, ...place, partBytes: 2_048 }) };
}

async function dayIn(files: DayFiles): Promise<DayFilesStage> {
  const content = must(EXAMPLE[0], 'a day');
  const digest = must((await written([content], files)).get(content.day), 'it is written');
  return { files, of: { day: content.day, digest } };
}

describe('FolderFiles', () => dayFilesConformance(() => dayIn(new FolderFiles(next()))));
describe('BucketFiles', () => dayFilesConformance(() => dayIn(bucket(new FolderStore(next())))));

describe('an archive in a folder', () => {
  archivedReadsConformance((days) => opened(days, new FolderFiles(next())));
});

describe('an archive in a folder of objects', () => {
  archivedReadsConformance((days) => opened(days, bucket(new FolderStore(next()))));
});

describe('an archive in a store that speaks S3', () => {
  archivedReadsConformance(async (days) => opened(days, bucket((await s3()).store)));
});

describe('an archive in an object store', () => {
  const of = (n: number, { digestOf }: OpenedArchive): DayArchive => {
    const { day } = must(EXAMPLE[n], 'a day');
    return { day, digest: digestOf(day) };
  };

  test('a day is stored once, by day and digest, however often it is kept, and its staged files go', async () => {
    const { store, server } = await s3();
    const archive = await opened(EXAMPLE, bucket(store));
    const tables = ['fills', 'instants', 'market', 'moments', 'turns'];
    const names = [...tables.map((name) => `${name}.parquet`), 'manifest.json'].sort();
    const { day, digest } = of(0, archive);
    const keys = names.map((name) => `archive/${day}/${digest}/${name}`);
    expect([...server.objects.keys()].filter((key) => key.includes(day)).sort()).toEqual(keys);
    expect([...server.uploads]).toEqual([]);
    expect(existsSync(archive.files.stage(day))).toBe(false);
  });

  test('a day is read from the store once, and afterwards from the copy on this machine', async () => {
    const { store, server } = await s3();
    const archive = await opened(EXAMPLE, bucket(store));
    const before = server.requests.length;
    await archive.files.fetch(of(0, archive));
    const once = server.requests.length;
    expect(once - before).toBe(6);
    await archive.files.fetch(of(0, archive));
    await archive.files.fetchTable(of(0, archive), 'turns');
    expect(server.requests.length).toBe(once);
    await archive.files.fetch(of(0, archive), { isAfresh: true });
    expect(server.requests.length).toBe(2 * once - before);
  });

  test('a copy that was changed on this machine is not used', async () => {
    const { store } = await s3();
    const archive = await opened(EXAMPLE, bucket(store));
    const path = must(await archive.files.fetchTable(of(0, archive), 'turns'), 'a path');
    const content = readFileSync(path);
    writeFileSync(path, Buffer.alloc(content.length));
    expect(await archive.files.fetchTable(of(0, archive), 'turns')).toBe(path);
    expect(readFileSync(path)).toEqual(content);
  });

  test('an object that is missing or was changed is refused with its name', async () => {
    const { store, server } = await s3();
    const archive = await opened(EXAMPLE, bucket(store));
    const { day, digest } = of(0, archive);
    const key = `archive/${day}/${digest}/turns.parquet`;
    const content = must(server.objects.get(key), 'the object');
    server.objects.set(key, Buffer.alloc(content.length));
    const read = () =>
      archive.archive.eventsAfter(of(0, archive), idOf(0), { version: 0 }).catch(String);
    expect(await read()).toContain(`${day}/${digest}/turns.parquet is not what was archived`);
    server.objects.delete(key);
    expect(await read()).toContain(`the store has no ${day}/${digest}/turns.parquet`);
    server.objects.set(key, content);
    server.refuse(/turns/, 2);
    expect(await read()).toHaveLength(1);
    server.refuse(/turns/, 100);
    server.objects.set(key, content);
    await expect(archive.files.fetch(of(0, archive), { isAfresh: true })).rejects.toThrow(
      'answers 503 SlowDown',
    );
  });

  test('copies beyond the bound give way, oldest first, but never those of the day that is read', async () => {
    const { store, server } = await s3();
    const archive = await opened(EXAMPLE, bucket(store, 1));
    const first = await archive.files.fetch(of(0, archive));
    expect(readdirSync(first)).toHaveLength(6);
    const second = await archive.files.fetch(of(1, archive));
    expect(readdirSync(second)).toHaveLength(6);
    expect(readdirSync(first)).toEqual([]);
    const before = server.requests.length;
    await archive.files.fetch(of(0, archive));
    expect(server.requests.length).toBe(before + 6);
  });
});

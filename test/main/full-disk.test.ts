// Files of the program on a disk that is full from any of their writes on: the error names the folder, what was there before stays,
// nothing half-written is left behind or taken as whole, and the same call succeeds once there is space.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeWhole } from '../../src/adapters/files/whole-file.ts';
import type { DaySource } from '../../src/adapters/postgres/archive/day-source.ts';
import { withStartLock } from '../../src/adapters/redis/redis-server-lock.ts';
import { readServer, writeServer } from '../../src/adapters/redis/redis-server-record.ts';
import { toTarget } from '../../src/main/commands/export/output-target.ts';
import { writeParquet } from '../../src/main/commands/export/parquet-file.ts';
import { reportFile } from '../../src/main/commands/report/report-file.ts';
import { CellFolder } from '../../src/main/commands/sweep/cell-folder.ts';
import { CELL_FORMAT } from '../../src/main/commands/sweep/sweep-cells.ts';
import { writeInstallation } from '../../src/main/installation/new-installation.ts';
import { writeDay } from '../../src/main/ledger/archive/write-day.ts';
import { unpackFile, writeCompressed } from '../../src/main/ledger/backup/backup-files.ts';
import { identityOf } from '../../src/main/wiring/bind-venue.ts';
import { recordingStart } from '../../src/main/wiring/recorded/recording-start.ts';
import { ARCHIVE_TABLE_NAMES } from '../../src/ports/archive/archive-tables.ts';
import type { DayName } from '../../src/ports/archive/submit-day.ts';
import { instant } from '../../src/values/instant.ts';
import { fullAtEachWrite } from '../support/full-disk.ts';

const NOW = instant(1_790_000_000_000);
const SERVER = { pid: 1, identity: 'a', runId: 'b', socket: '/s' };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-full-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The files below the folder with their content. */
function content(): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(folder, path), readFileSync(path, 'utf8')];
    }),
  );
}

interface Case {
  readonly what: string;
  readonly act: () => unknown;
  /** What is there afterwards. */
  readonly writes: () => unknown;
}

const out = (): string => join(folder, 'out');
const cell = { format: CELL_FORMAT, key: 'a' } as unknown as Parameters<CellFolder['write']>[0];
const lines = (): Readable => Readable.from(['first\n', 'second\n', 'third\n']);

const CASES: readonly Case[] = [
  {
    what: 'a file written as a whole',
    act: () => writeWhole(out(), 'text'),
    writes: () => expect(content()).toEqual({ out: 'text' }),
  },
  {
    what: 'a new file that must not exist',
    act: () => writeWhole(out(), 'text', { isNew: true }),
    writes: () => expect(content()).toEqual({ out: 'text' }),
  },
  {
    what: 'the identity of an exchange',
    act: () => identityOf(folder),
    writes: () => expect(content()).toEqual({ identity: `${identityOf(folder)}\n` }),
  },
  {
    what: 'the start of a recording that is traded on',
    act: () => recordingStart(folder, 'a', NOW),
    writes: () => expect(recordingStart(folder, 'a', instant(0))).toBe(NOW),
  },
  {
    what: 'a report',
    act: () => reportFile('--report', join(folder, 'out.json'))({ id: '1' } as never),
    writes: () => expect(JSON.parse(content()['out.json'] ?? '')).toEqual({ id: '1' }),
  },
  {
    what: 'a cell of a sweep',
    act: () => new CellFolder(folder).write(cell),
    writes: () => expect(new CellFolder(folder).read('a')).toEqual(cell),
  },
  {
    what: 'lines of an export',
    act: () => toTarget(lines(), { option: '--out', name: out() }),
    writes: () => expect(content()).toEqual({ out: 'first\nsecond\nthird\n' }),
  },
  {
    what: 'an export in Parquet',
    act: () =>
      writeParquet(
        { option: '--out', name: out() },
        { name: 'some', columns: { a: 'amount' }, rows: [{ a: '1' }] },
      ),
    writes: () => expect(content()['out']).toMatch(/^PAR1.*PAR1$/s),
  },
  {
    what: 'the record of a private Redis',
    act: () => writeServer({ ...SERVER, dataDir: folder }),
    writes: async () =>
      expect(await readServer(folder, { warn: expect.fail })).toEqual({
        ...SERVER,
        dataDir: folder,
      }),
  },
  {
    what: 'the lock of a start of Redis',
    act: () => withStartLock(folder, () => Promise.resolve()),
    writes: () => expect(content()).toEqual({}),
  },
];

test.each(CASES)('$what is whole or absent on a disk that fills up', async ({ act, writes }) => {
  const failures = await fullAtEachWrite(folder, act, (error) => {
    expect(String((error as Error).message)).toContain(folder);
    expect(String((error as Error).message)).toContain('ENOSPC');
    expect(content()).toEqual({});
  });
  expect(failures.length).toBeGreaterThan(0);
  await writes();
});

test('what a file had before stays on a disk that fills up', async () => {
  writeFileSync(out(), 'before');
  await fullAtEachWrite(
    folder,
    () => writeWhole(out(), 'after'),
    () => expect(content()).toEqual({ out: 'before' }),
  );
  expect(content()).toEqual({ out: 'after' });
});

test('a file that must be new is not replaced, and nothing is left beside it', () => {
  writeFileSync(out(), 'before');
  expect(() => writeWhole(out(), 'after', { isNew: true })).toThrow('EEXIST');
  expect(content()).toEqual({ out: 'before' });
});

test('an identity that an earlier version could not write is made at the next start', () => {
  writeFileSync(join(folder, 'identity'), '');
  const identity = identityOf(folder);
  expect(identity).toMatch(/^[0-9a-f-]{36}$/);
  expect(identityOf(folder)).toBe(identity);
});

test('a table of a backup fails with its folder on a disk that fills up', async () => {
  const path = join(folder, 'table.gz');
  await fullAtEachWrite(
    folder,
    () => writeCompressed(lines(), path),
    (error) => {
      expect(String(error)).toContain(`${path} cannot be written: ENOSPC`);
      rmSync(path, { force: true });
    },
  );
});

test('a restored journal is whole or absent on a disk that fills up', async () => {
  const packed = join(mkdtempSync(join(tmpdir(), 'twapd-packed-')), 'journal.gz');
  await writeCompressed(lines(), packed);
  const path = join(folder, 'journal.jsonl');
  const failures = await fullAtEachWrite(
    folder,
    () => unpackFile(packed, path),
    (error) => {
      expect(String(error)).toContain(`${path} cannot be written: ENOSPC`);
      expect(content()).toEqual({});
    },
  );
  expect(failures).not.toEqual([]);
  expect(content()).toEqual({ 'journal.jsonl': 'first\nsecond\nthird\n' });
  rmSync(dirname(packed), { recursive: true });
});

test('an archived day is whole or absent on a disk that fills up, and the day before it stays', async () => {
  const path = join(folder, '2026-11-28');
  const source = {
    portfolios: () => Promise.resolve([]),
    turns: () => Readable.from([]),
    rows: () => Readable.from([]),
  } as unknown as DaySource;
  const day = { source, day: '2026-11-28' as DayName, path, deployment: 'd', schema: 1 };
  const write = (second: number) => () =>
    writeDay({ ...day, now: () => new Date(Date.UTC(2026, 10, 29, 0, 0, second)) });
  const first = await write(1)();
  const before = content();
  const failures = await fullAtEachWrite(folder, write(1), (error) => {
    expect(String(error)).toContain(path);
    expect(content()).toEqual(before);
  });
  expect(failures.length).toBeGreaterThan(ARCHIVE_TABLE_NAMES.length);
  expect((await write(2)()).digest).toBe(first.digest);
});

test('each file of a new installation is whole or absent on a disk that fills up', async () => {
  const expected = join(folder, 'expected');
  mkdirSync(expected);
  const names = writeInstallation(expected).map((path) => relative(expected, path));
  rmSync(expected, { recursive: true });
  const at = join(folder, 'installed');
  mkdirSync(at);
  await fullAtEachWrite(
    at,
    () => writeInstallation(at),
    (error) => {
      expect(String(error)).toContain(at);
      for (const [path, text] of Object.entries(content())) {
        expect(names).toContain(relative('installed', path));
        expect(text).not.toBe('');
      }
      rmSync(at, { recursive: true });
      mkdirSync(at);
    },
  );
  expect(Object.keys(content()).length).toBe(names.length);
});

// Files of the daemon on a disk that becomes full at any of their writes, and is freed again: what was confirmed is read
// back, and nothing that is written afterwards is lost with the line that was cut.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ParquetFileReader,
  ParquetFileWriter,
} from '../../../src/adapters/archive-files/archive-parquet.ts';
import { FileCopies } from '../../../src/adapters/archive-files/file-copies.ts';
import { BlockFile, BlockFileWriter } from '../../../src/adapters/recorded-market/block-file.ts';
import { ChainWitnessFile } from '../../../src/adapters/system/chain-witness-file.ts';
import { ClaimFiles } from '../../../src/adapters/system/claim-files.ts';
import { FileActionLog } from '../../../src/adapters/system/file-action-log.ts';
import { WitnessFile } from '../../../src/adapters/witness/witness-file.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { actionAt } from '../../conformance/action-log.ts';
import { FullDisk, fullAtEachWrite } from '../../support/full-disk.ts';
import { until } from '../until.ts';

const filesIn = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const NOW = instant(1_790_000_000_000);
const WRITES = 6;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'full-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `act` for 1 to `WRITES` with the disk full at the given write only. */
async function fullOnce(writesLeft: number, act: (n: number) => Promise<void> | void) {
  const disk = new FullDisk(folder, { writesLeft });
  try {
    for (let n = 1; n <= WRITES; n += 1) {
      await act(n);
      if (disk.writes > writesLeft) disk.free();
    }
  } finally {
    disk.restore();
  }
}

describe('on a disk that is full at one write', () => {
  test.each([1, 2, 3, 4, 5])(
    'heads of chains written later are not lost with write %i',
    async (full) => {
      const path = join(folder, 'heads');
      const faults: unknown[] = [];
      const file = new ChainWitnessFile({ path, onFault: (error) => faults.push(error) });
      const hashOf = (n: number): string => n.toString(16).repeat(64);
      await fullOnce(full, (n) => {
        const before = faults.length;
        file.note(portfolioId(String(n)), { version: n, hash: hashOf(n) });
        if (faults.length > before) expect(faults.at(-1)).toMatchObject({ code: 'ENOSPC' });
      });
      expect(faults).toHaveLength(1);
      const read = new ChainWitnessFile({ path, onFault: (error) => faults.push(error) });
      // The first write is the folder's, the second that of portfolio 1.
      const expected = [1, 2, 3, 4, 5, 6].filter((n) => n !== full);
      expect([...read.portfolios()].map(Number)).toEqual(expected);
    },
  );

  test.each([1, 2, 3, 4, 5])(
    'a claim that was granted is held, and one that was not is free: write %i',
    async (full) => {
      const open = (): ClaimFiles => new ClaimFiles({ folder, now: () => NOW });
      const files = open();
      const granted = new Set<number>();
      const until = later(NOW, 20_000);
      await fullOnce(full, async (n) => {
        try {
          if (await files.claimOnce(`key ${n}`, until)) granted.add(n);
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      });
      files.close();
      expect(granted.size).toBe(WRITES - 1);
      const again = open();
      for (let n = 1; n <= WRITES; n += 1) {
        expect(await again.claimOnce(`key ${n}`, until)).toBe(!granted.has(n));
      }
      again.close();
      expect(readdirSync(folder)).toHaveLength(1);
    },
  );

  test.each([1, 2, 3, 4, 5])(
    'actions are all found again, and the fault names the file: write %i',
    async (full) => {
      const faults: unknown[] = [];
      const actions = join(folder, 'actions');
      const options = { folder: actions, gatherMs: 0, retryMs: 1 };
      const onFault = (error: unknown): unknown => faults.push(error);
      const disk = new FullDisk(folder, { writesLeft: full });
      const log = await FileActionLog.open({ ...options, onFault });
      for (let n = 1; n <= WRITES; n += 1) {
        await log.record(actionAt(NOW + n));
        if (disk.writes > full) disk.free();
      }
      disk.restore();
      // What could not be written at once is written before the log is closed.
      await until(async () => (await log.find({ limit: 10 })).length === WRITES);
      await log.close();
      expect(faults.map(String)).toEqual([expect.stringContaining(`${actions}/`)]);
      const again = await FileActionLog.open({
        ...options,
        onFault: (error) => faults.push(error),
      });
      const found = await again.find({ limit: 10 });
      expect(found.map(({ at }) => at - NOW).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
      await again.close();
    },
  );

  test.each([1, 2, 3, 4, 5])(
    'heads that a witness took are kept, and no others: write %i',
    async (full) => {
      const path = join(folder, 'heads');
      const file = new WitnessFile(path);
      const kept: string[] = [];
      await fullOnce(full, async () => {
        const line = `head ${kept.length + 1}`;
        try {
          const answer = await file.append({ number: kept.length + 1, line });
          if (answer.kind === 'kept') kept.push(line);
        } catch (error) {
          expect(String(error)).toContain(`${path} cannot be written: ENOSPC`);
        }
      });
      expect(kept).toHaveLength(WRITES - 1);
      const found: string[] = [];
      for await (const line of new WitnessFile(path).lines()) found.push(line);
      expect(found).toEqual(kept);
    },
  );
});

test('a copy of an archived file is whole or absent on a disk that fills up', async () => {
  const copies = new FileCopies({ folder: join(folder, 'copies'), bytesMax: 1_000_000 });
  const text = Buffer.from('what was archived');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const read = () => Promise.resolve(Readable.from([text]) as AsyncIterable<Uint8Array>);
  const failures = await fullAtEachWrite(
    folder,
    () => copies.copy('day/table', { sha256, isAfresh: false }, read),
    (error) => {
      expect(String(error)).toContain(join(folder, 'copies'));
      expect(filesIn(folder)).toEqual([]);
    },
  );
  expect(failures).not.toEqual([]);
  expect(readFileSync(copies.pathOf('day/table'), 'utf8')).toBe('what was archived');
});

test('a table of the archive that could not be written is no table, and its error names the disk', async () => {
  const path = join(folder, 'table.parquet');
  const write = async (): Promise<void> => {
    const file = await ParquetFileWriter.create(path, [{ name: 'a', type: 'text' }]);
    try {
      await file.write([['first']]);
      await file.write([['second']]);
      await file.finish();
    } catch (error) {
      await file.close();
      throw error;
    }
  };
  const failures = await fullAtEachWrite(folder, write, async (error) => {
    expect(error).toMatchObject({ code: 'ENOSPC' });
    if (existsSync(path)) await expect(ParquetFileReader.open(path)).rejects.toThrow();
    rmSync(path, { force: true });
  });
  expect(failures).not.toEqual([]);
  expect((await ParquetFileReader.open(path)).groups).toBe(2);
});

test('a cache of a recording is whole or absent on a disk that fills up', async () => {
  const path = join(folder, 'rows');
  const failures = await fullAtEachWrite(
    folder,
    () => {
      const writer = new BlockFileWriter(path);
      try {
        writer.end({ recording: 'a' });
      } catch (error) {
        writer.abandon();
        throw error;
      }
    },
    (error) => {
      expect(String(error)).toContain(`${path} cannot be written: ENOSPC`);
      expect(filesIn(folder)).toEqual([]);
    },
  );
  expect(failures).not.toEqual([]);
  expect(new BlockFile(path).about).toEqual({ recording: 'a' });
});

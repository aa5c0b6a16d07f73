import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  NOTE_FILE,
  RecordingFolder,
} from '../../../src/adapters/recording-files/recording-folder.ts';
import { RecordingUnwritable } from '../../../src/ports/recording/recording-store.ts';
import { recordingStoreConformance } from '../../conformance/recording-store.ts';
import { smallDisk } from '../../support/daemon/full-disk.ts';
import { fullAtEachWrite } from '../../support/full-disk.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-record-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

recordingStoreConformance(async () => {
  const folder = newFolder();
  return {
    store: await RecordingFolder.open(folder),
    reopened: () => RecordingFolder.open(folder),
    // Not even root can write a note where a folder is in the way.
    breakDown: () => mkdirSync(join(folder, `${NOTE_FILE}.new`)),
  };
});

const A = 'x_trades_2026-11-23_A.csv.gz';
const textOf = (path: string): string => gunzipSync(readFileSync(path)).toString();
const commit = (store: RecordingFolder, text: string, file = A): Promise<void> =>
  store.commit({ texts: new Map([[file, text]]), note: { text } });

describe('a folder of recordings', () => {
  test('a file can be read after every commit as one compressed file', async () => {
    const folder = newFolder();
    const store = await RecordingFolder.open(folder);
    for (const text of ['1\n', '2\n', '3\n']) {
      await commit(store, text);
      expect(textOf(join(folder, A)).endsWith(text)).toBe(true);
    }
    expect(textOf(join(folder, A))).toBe('1\n2\n3\n');
  });

  test.each([
    ['a torn member', gzipSync('torn\n').subarray(0, 15)],
    ['a whole member', gzipSync('whole\n')],
  ])('%s after the last commit is cut off when the folder is opened', async (_, bytes) => {
    const folder = newFolder();
    await commit(await RecordingFolder.open(folder), '1\n');
    appendFileSync(join(folder, A), bytes);
    const store = await RecordingFolder.open(folder);
    expect(textOf(join(folder, A))).toBe('1\n');
    await commit(store, '2\n');
    expect(textOf(join(folder, A))).toBe('1\n2\n');
  });

  test('a file that a killed process had only begun is gone when the folder is opened', async () => {
    const folder = newFolder();
    await commit(await RecordingFolder.open(folder), '1\n');
    const note = JSON.parse(readFileSync(join(folder, NOTE_FILE), 'utf8'));
    const begun = 'x_trades_2026-11-23_B.csv.gz';
    note.files[begun] = 0;
    writeFileSync(join(folder, NOTE_FILE), JSON.stringify(note));
    writeFileSync(join(folder, begun), gzipSync('torn').subarray(0, 12));
    const store = await RecordingFolder.open(folder);
    expect(existsSync(join(folder, begun))).toBe(false);
    await commit(store, '1\n', begun);
    expect(textOf(join(folder, begun))).toBe('1\n');
  });

  test('a folder with recordings of others is refused and left as it is', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, A), gzipSync('theirs\n'));
    await expect(RecordingFolder.open(folder)).rejects.toThrow(
      `${folder} has ${A}, which was not recorded here; accepted: an empty folder`,
    );
    expect(textOf(join(folder, A))).toBe('theirs\n');
  });

  test('a file of others that appears later is not appended to', async () => {
    const folder = newFolder();
    const store = await RecordingFolder.open(folder);
    await commit(store, '1\n');
    const other = 'x_quotes_2026-11-23_A.csv.gz';
    writeFileSync(join(folder, other), gzipSync('theirs\n'));
    await expect(commit(store, '1\n', other)).rejects.toThrow(RecordingUnwritable);
    await RecordingFolder.open(folder);
    expect(textOf(join(folder, A))).toBe('1\n');
    expect(textOf(join(folder, other))).toBe('theirs\n');
  });

  test('a file that lost its end is refused with its name', async () => {
    const folder = newFolder();
    await commit(await RecordingFolder.open(folder), '1\n');
    const path = join(folder, A);
    truncateSync(path, statSync(path).size - 1);
    await expect(RecordingFolder.open(folder)).rejects.toThrow(/A\.csv\.gz has \d+ bytes of the/);
  });

  test.each(['{', 'null', '{"recording":{}}', '{"recording":{},"files":{"../out.csv":1}}'])(
    'a note that reads %s is refused',
    async (text) => {
      const folder = newFolder();
      writeFileSync(join(folder, NOTE_FILE), text);
      await expect(RecordingFolder.open(folder)).rejects.toThrow('is damaged');
    },
  );

  test('a recording on a disk that is full from any write on ends with its folder, and keeps what was committed', async () => {
    const folder = newFolder();
    await commit(await RecordingFolder.open(folder), '1\n');
    const failures = await fullAtEachWrite(
      folder,
      async () => commit(await RecordingFolder.open(folder), '2\n'),
      (error) => {
        expect(error).toBeInstanceOf(RecordingUnwritable);
        expect(String(error)).toContain(`${folder} cannot be written: ENOSPC`);
        expect(textOf(join(folder, A))).toBe('1\n');
      },
    );
    expect(failures).not.toEqual([]);
    expect(textOf(join(folder, A))).toBe('1\n2\n');
  });

  test('a full disk ends the recording with its reason, and what was committed can be read', async () => {
    const disk = smallDisk(4);
    if (disk === undefined) return;
    try {
      const folder = join(disk.folder, 'recording');
      const store = await RecordingFolder.open(folder);
      await commit(store, '1\n');
      disk.fill();
      const noise = Array.from({ length: 40_000 }, (_, at) => `${Math.sin(at)}\n`).join('');
      await expect(commit(store, noise)).rejects.toThrow(/cannot be written: .*ENOSPC/);
      expect(textOf(join(folder, A))).toBe('1\n');
      disk.free();
      const again = await RecordingFolder.open(folder);
      await commit(again, '2\n');
      expect(textOf(join(folder, A))).toBe('1\n2\n');
    } finally {
      disk.remove();
    }
  });
});

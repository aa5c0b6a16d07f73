// The lock of the data folder: one process at a time, and what the one before was called if it died.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMMAND, DataDirLocked, DataDirRefused, lockDataDir } from '../../../src/main/data-dir.ts';
import { FullDisk } from '../../support/full-disk.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'twapd-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lockFile = (): string => join(folder, 'daemon.lock');

/** Writes the lock as a process that has ended since would have left it. */
function lockOfDead(change: object = {}): void {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(lockFile(), JSON.stringify({ pid, identity: 'gone', member: 'dead', ...change }));
}

test('a folder that is in use is refused with the process that uses it', () => {
  const held = lockDataDir(folder);
  expect(() => lockDataDir(folder)).toThrow(DataDirLocked);
  expect(() => lockDataDir(folder)).toThrow(`pid ${process.pid}`);
  held.release();
  lockDataDir(folder).release();
});

test('a refused process learns what kind of process holds the folder', () => {
  const held = lockDataDir(folder, COMMAND);
  const refusal = (): unknown => {
    try {
      return lockDataDir(folder);
    } catch (error) {
      return error;
    }
  };
  expect(refusal()).toMatchObject({
    holder: { name: 'command', pid: process.pid },
    message: expect.stringContaining('in use by the command with pid'),
  });
  held.release();
  expect(readdirSync(folder)).toEqual([]);
});

test('a process has a name of its own in every life, and none before it if that one ended in order', () => {
  const first = lockDataDir(folder);
  first.release();
  const second = lockDataDir(folder);
  expect(second.member).not.toBe(first.member);
  expect(second.former).toBeUndefined();
});

test('a process that takes the lock of a dead one over knows what that one was called', () => {
  lockOfDead();
  const { member, former } = lockDataDir(folder);
  expect(former).toBe('dead');
  expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toMatchObject({ pid: process.pid, member });
});

test.each([
  ['without a name, as earlier versions wrote it', { member: undefined }],
  ['with a name that is not text', { member: 7 }],
])('the lock of a dead process %s is taken over', (_what, change) => {
  lockOfDead(change);
  expect(lockDataDir(folder).former).toBeUndefined();
});

test('a lock that was cut short while it was written is taken over', () => {
  writeFileSync(lockFile(), '{"pid":');
  expect(lockDataDir(folder).former).toBeUndefined();
});

test('a folder that cannot be created is refused, naming the variable and the folder', () => {
  writeFileSync(join(folder, 'file'), '');
  const below = join(folder, 'file', 'data');
  expect(() => lockDataDir(below)).toThrow(DataDirRefused);
  expect(() => lockDataDir(below)).toThrow(`TWAPD_DATA_DIR: ${below} cannot be created (ENOTDIR`);
});

test.runIf(process.platform === 'linux')('a folder below /proc is refused at once', () => {
  expect(() => lockDataDir('/proc/nope/data')).toThrow(
    'TWAPD_DATA_DIR: /proc/nope cannot be created',
  );
});

test('a folder is created with all the folders above it', () => {
  const path = join(folder, 'a', 'b', 'c');
  lockDataDir(path).release();
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['c']);
});

test.each(['ENOSPC', 'EROFS'] as const)(
  'a folder that cannot be written to is refused with its name and that of the variable: %s',
  (code) => {
    const disk = new FullDisk(folder, { writesLeft: 0, code });
    try {
      expect(() => lockDataDir(folder)).toThrow(DataDirRefused);
      expect(() => lockDataDir(folder)).toThrow(
        `TWAPD_DATA_DIR: ${folder} cannot be written to (${code}`,
      );
    } finally {
      disk.restore();
    }
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('a lock that could not be written leaves no file behind', () => {
  const source = new URL('../../../src/main/data-dir.ts', import.meta.url).href;
  const code = `(await import(${JSON.stringify(source)})).lockDataDir(${JSON.stringify(folder)})`;
  // No file of this process may have a byte: its writes fail as on a full disk, after the file was created.
  const limited = 'trap "" XFSZ; ulimit -f 0; exec "$0" --input-type=module -e "$1"';
  const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, code], {
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain('EFBIG');
  expect(readdirSync(folder)).toEqual([]);
});

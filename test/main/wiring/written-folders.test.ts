// The folders whose disks a process watches: by name, with what execution depends on.
import { expect, test } from 'vitest';
import { exchangeFolders, writtenFolders } from '../../../src/main/wiring/open-disk-watch.ts';

type Given = Parameters<typeof writtenFolders>[0];
const given = (changes: object = {}): Given =>
  ({
    service: { dataDir: '/data' },
    database: {},
    ledger: {},
    venues: { paper: { kind: 'paper' }, live: { kind: 'deribit' } },
    ...changes,
  }) as unknown as Given;
const named = (folders: ReturnType<typeof writtenFolders>): readonly string[] =>
  folders.map(({ name, path, isVital }) => `${name} ${path}${isVital ? '' : ' reported only'}`);

test('a daemon with stores of its own writes its data folder, its database and its exchange', () => {
  expect(named(writtenFolders(given()))).toEqual([
    'data /data',
    'venues/paper /data/venues/paper',
    'postgres /data/postgres',
  ]);
});

test('a database elsewhere has no folder here, and archives and a witness are reported only', () => {
  const folders = writtenFolders(
    given({
      database: { url: 'given' },
      venues: {},
      ledger: {
        archive: '/archive',
        archiveBucket: { cacheFolder: '/cache' },
        witness: { place: '/other/heads' },
      },
    }),
  );
  expect(named(folders)).toEqual([
    'data /data',
    'archive /archive reported only',
    'archive-cache /cache reported only',
    'witness /other reported only',
  ]);
});

test('an exchange that runs alone writes its data folder and its journal', () => {
  expect(named(exchangeFolders(given()))).toEqual([
    'data /data',
    'venues/paper /data/venues/paper',
  ]);
});

// The disks of a daemon in virtual time: what is reported once, when the daemon is not ready, and what is refused.
import { expect, onTestFinished, test } from 'vitest';
import { DiskWatch, type WatchedFolder } from '../../../src/engine/disk/disk-watch.ts';
import { ObservedHappenings } from '../../../src/engine/notify/observed-happenings.ts';
import type { Observation } from '../../../src/ports/observer.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryNoticeOutbox } from '../../doubles/memory/memory-notice-outbox.ts';
import { MemorySpace } from '../../doubles/memory/memory-space.ts';
import { BY, form, legForm, settle, submitted, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { RULES, ScriptChannel } from '../notify/script-channel.ts';

const GIB = 2 ** 30;
/** A disk of 100 GiB: a hundredth is 1 GiB. */
const SIZE = 100 * GIB;
const DATA: WatchedFolder = { name: 'data', path: '/data', isVital: true };
const POSTGRES: WatchedFolder = { name: 'postgres', path: '/data/postgres', isVital: true };
const ARCHIVE: WatchedFolder = { name: 'archive', path: '/archive', isVital: false };

async function stage(folders: readonly WatchedFolder[] = [DATA, POSTGRES, ARCHIVE]) {
  const clock = new VirtualClock(NOON);
  const space = new MemorySpace();
  space.mount('/data', { freeBytes: SIZE, sizeBytes: SIZE });
  space.mount('/archive', { freeBytes: SIZE, sizeBytes: SIZE });
  const changes: Observation<'disk_space_changed'>[] = [];
  const routes = [{ name: 'desk', channel: new ScriptChannel(), giveUpMs: 1, rules: RULES }];
  const observed = new ObservedHappenings({ clock, routes, machine: 'desk-1' });
  const observer = witness({
    disk_space_changed: (change) => {
      changes.push(change);
      observed.observe(change);
    },
  });
  const watch = new DiskWatch({ clock, observer, reads: space, folders });
  const w = world({ clock, observer, disk: watch });
  w.venue.show(quote(perpetual(), [99_999.5, 100_000]));
  await watch.start();
  onTestFinished(() => watch.stop());
  const outbox = new MemoryNoticeOutbox(() => clock.now());
  /** The disk has so much, and is read again. */
  const has = async (folder: string, gib: number): Promise<void> => {
    space.set(folder, gib * GIB);
    await w.run(2_000);
  };
  const notices = async (): Promise<readonly string[]> => {
    await observed.record(outbox);
    const waiting = await outbox.waiting('desk', 100);
    return waiting.map(({ happening: { kind, title } }) => `${kind}: ${title}`);
  };
  return { ...w, watch, space, changes, has, notices, observer };
}

const order = () =>
  form({
    twapTrade: { durationSec: 60, frequencySec: 1 },
    legs: [legForm({ quantity: quantity('600') })],
    execution: {},
  });

test('a disk that fills up is reported once at each bound, for all of its folders together', async () => {
  const { has, changes, notices } = await stage();
  for (const gib of [11, 9, 9.9, 5, 11, 9, 1.9, 2.1, 1.9, 0.9, 0, 100]) await has('/data', gib);
  expect(changes.map(({ before, level }) => `${before} ${level}`)).toEqual([
    'ample low',
    'low critical',
    'critical exhausted',
    'exhausted ample',
  ]);
  for (const { paths } of changes) expect(paths).toEqual(['/data', '/data/postgres']);
  expect(await notices()).toEqual([
    'disk_low: the disk of /data on desk-1 has 9.0 % free (9.0 GiB of 100 GiB)',
    'disk_full: the disk of /data on desk-1 has 1.9 % free (1.9 GiB of 100 GiB)',
    'disk_full: the disk of /data on desk-1 has 0.9 % free (921 MiB of 100 GiB)',
  ]);
});

test('a daemon with less than a fiftieth of its disk left is not ready, and names folders and space', async () => {
  const { has, watch } = await stage();
  await has('/data', 2);
  expect(watch.reasonsNotReady()).toEqual([]);
  await has('/data', 1.5);
  expect(watch.reasonsNotReady()).toEqual([
    'disk: /data, /data/postgres: 1.5 % free (1.5 GiB of 100 GiB); free some, or enlarge the disk',
  ]);
  await has('/data', 2.5);
  expect(watch.reasonsNotReady()).toEqual([]);
});

test('new portfolios are refused below a hundredth of the disk; amendments, pauses and cancels are taken', async () => {
  const w = await stage();
  const portfolio = await submitted(w, order());
  await w.has('/data', 0.5);
  const refused = await w.operations.submit(order(), BY);
  expect(refused).toEqual({
    kind: 'refused',
    rejections: [
      {
        kind: 'unavailable',
        field: '',
        message:
          'the disk of /data has 0.5 % free (512 MiB of 100 GiB), which portfolios at work need; nothing was done; ' +
          'accepted: the same request once 1.2 GiB are free there',
        retryAfterSec: 30,
      },
    ],
  });
  const { operations } = w;
  const shorter = { portfolio, form: { durationSec: 30, legs: [] }, isPreview: false, by: BY };
  expect(await operations.amend(shorter)).toMatchObject({ kind: 'done' });
  expect(await operations.pause(portfolio, BY)).toMatchObject({ kind: 'done' });
  expect(await operations.resume(portfolio, BY)).toMatchObject({ kind: 'done' });
  expect(await operations.cancel(portfolio, BY)).toMatchObject({ kind: 'done' });
  await settle();
  await w.has('/data', 1.3);
  expect(await operations.submit(order(), BY)).toMatchObject({ kind: 'done' });
});

test('a disk without inodes is not ready and takes no new portfolio, however many bytes it has', async () => {
  const { space, run, notices, operations, watch } = await stage();
  const inodes = { free: 1_000_000, total: 1_000_000 };
  space.mount('/data', { freeBytes: SIZE, sizeBytes: SIZE, inodes });
  await run(2_000);
  expect(await notices()).toEqual([]);
  space.setInodes('/data', 5_000);
  await run(2_000);
  expect(await notices()).toEqual([
    'disk_full: the disk of /data on desk-1 has 0.5 % of its inodes free (5000 of 1000000)',
  ]);
  expect(watch.reasonsNotReady()).toEqual([
    'disk: /data, /data/postgres: 0.5 % of its inodes free (5000 of 1000000); free some, or enlarge the disk',
  ]);
  expect(await operations.submit(order(), BY)).toMatchObject({
    rejections: [
      {
        message:
          'the disk of /data has 0.5 % of its inodes free (5000 of 1000000), which portfolios at work need; nothing was done; ' +
          'accepted: the same request once 12000 inodes are free there',
      },
    ],
  });
  space.setInodes('/data', 12_000);
  await run(2_000);
  expect(await operations.submit(order(), BY)).toMatchObject({ kind: 'done' });
});

test('a full disk that execution does not depend on is reported, and nothing is refused', async () => {
  const { has, watch, notices, operations } = await stage();
  await has('/archive', 0);
  expect(await notices()).toEqual([
    'disk_full: the disk of /archive on desk-1 has 0.0 % free (0 B of 100 GiB)',
  ]);
  expect(watch.reasonsNotReady()).toEqual([]);
  expect(await operations.submit(order(), BY)).toMatchObject({ kind: 'done' });
});

test('a disk that does not report its space has no figures, refuses nothing and is reported as a failure', async () => {
  const { has, space, watch, observer, run } = await stage();
  await has('/data', 0.5);
  space.unmount('/data');
  await run(2_000);
  expect(watch.spaces().map(({ name }) => name)).toEqual(['archive']);
  expect(watch.refusal()).toBeUndefined();
  expect(observer.failures.map(({ where, error }) => `${where}: ${String(error)}`)).toEqual([
    'disk: Error: /data: no disk is mounted there',
    'disk: Error: /data/postgres: no disk is mounted there',
  ]);
});

test('each folder has the figures of its disk', async () => {
  const { has, watch } = await stage();
  await has('/archive', 3);
  expect(watch.spaces()).toEqual([
    { name: 'data', space: { freeBytes: SIZE, sizeBytes: SIZE } },
    { name: 'postgres', space: { freeBytes: SIZE, sizeBytes: SIZE } },
    { name: 'archive', space: { freeBytes: 3 * GIB, sizeBytes: SIZE } },
  ]);
});

// What a killed run leaves mounted must not keep the next run from removing it.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { smallDisk, unmountBelow } from './full-disk.ts';

test('a folder can be removed whose small disk a killed test left mounted, and other disks stay', () => {
  const other = smallDisk(1);
  const run = mkdtempSync(join(tmpdir(), 'killed-run-'));
  const usual = process.env['TMPDIR'];
  process.env['TMPDIR'] = run;
  const left = smallDisk(1);
  process.env['TMPDIR'] = usual;
  unmountBelow(run);
  rmSync(run, { recursive: true, force: true });
  expect(existsSync(run)).toBe(false);
  if (other === undefined || left === undefined) return;
  const mounts = readFileSync('/proc/self/mounts', 'utf8');
  expect([mounts.includes(left.folder), mounts.includes(other.folder)]).toEqual([false, true]);
  other.remove();
});

// Nonces of an exchange that runs alone: kept in files, so that a restart forgets none.
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ClaimFiles } from '../../../src/adapters/system/claim-files.ts';
import { type Instant, instant, later } from '../../../src/values/instant.ts';
import { claimsConformance } from '../../conformance/deployment/claims.ts';

const T0 = instant(1_800_000_000_000);

const opened: { close(): void }[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const claims of opened.splice(0)) claims.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claims-'));
  folders.push(folder);
  return folder;
}

function open(folder: string, now: () => Instant): ClaimFiles {
  const claims = new ClaimFiles({ folder, now });
  opened.push(claims);
  return claims;
}

claimsConformance(() => {
  let at = T0;
  const folder = newFolder();
  const claims = open(folder, () => at);
  return Promise.resolve({
    claims,
    setNow: (next) => {
      at = next;
    },
    restarted: () => Promise.resolve(open(folder, () => at)),
  });
});

test('files whose claims have all ended are removed, at a start and beside new claims', async () => {
  let now = T0;
  const folder = newFolder();
  const claims = open(folder, () => now);
  for (let turn = 0; turn < 30; turn += 1) {
    now = later(T0, turn * 60_000);
    await claims.claimOnce(`nonce ${turn}`, later(now, 125_000));
    expect(readdirSync(folder).length).toBeLessThanOrEqual(2);
  }
  now = later(now, 300_000);
  open(folder, () => now);
  expect(readdirSync(folder)).toEqual([]);
});

test('a file that a crash cut at any byte keeps every whole claim, and is written on', async () => {
  const folder = newFolder();
  const until = later(T0, 1_000);
  const claims = open(folder, () => T0);
  const keys = ['one', 'two "quoted"', 'three'];
  for (const key of keys) await claims.claimOnce(key, until);
  claims.close();
  const [name = ''] = readdirSync(folder);
  const path = join(folder, name);
  const whole = readFileSync(path);
  const lineEnds = [...whole.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []));
  expect(lineEnds).toHaveLength(3);
  for (let size = 0; size <= whole.length; size += 1) {
    truncateSync(path, 0);
    appendFileSync(path, whole.subarray(0, size));
    const kept = lineEnds.filter((end) => end <= size).length;
    const restarted = open(folder, () => T0);
    for (const [index, key] of keys.entries())
      expect(await restarted.claimOnce(key, until)).toBe(index >= kept);
    const again = open(folder, () => T0);
    for (const key of keys) expect(await again.claimOnce(key, until)).toBe(false);
  }
});

// A witness that is not there must not read as one that has kept nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readWitness } from '../../../src/main/witness/read-witness.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-read-witness-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a witness file that does not exist is refused with what is accepted', async () => {
  const place = join(folder, 'elsewhere.jsonl');
  await expect(readWitness({ place, publicKeys: [] })).rejects.toMatchObject({
    ending: 'usage',
    lines: [
      `--witness ${place}: there is no such file; accepted: the file or the address that ledger.witness of the daemon names`,
    ],
  });
});

test('a witness file without a head is a finding', async () => {
  const place = join(folder, 'empty.jsonl');
  writeFileSync(place, '');
  const { count, findings } = await readWitness({ place, publicKeys: [] });
  expect(count).toBe(0);
  expect(findings.map(({ detail }) => detail)).toEqual(['the witness has no heads']);
});

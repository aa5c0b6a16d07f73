// Files of the daemon on a disk that becomes full at any of their writes, and is freed again: what was confirmed is read
// back, and nothing that is written afterwards is lost with the line that was cut.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ChainWitnessFile } from '../../../src/adapters/system/chain-witness-file.ts';
import { ClaimFiles } from '../../../src/adapters/system/claim-files.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { FullDisk } from '../../support/full-disk.ts';

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
});

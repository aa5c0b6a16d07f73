// The heads of the hash chains in their file: the newest head of each portfolio is there after a restart,
// however much was written and wherever the last line was cut.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ChainWitnessFile } from '../../src/adapters/system/chain-witness-file.ts';
import { portfolioId } from '../../src/values/ids.ts';
import { chainWitnessConformance } from '../conformance/audit/chain-witness.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-heads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
/** A file of its own, and what was reported of it. */
function witnessFile() {
  made += 1;
  const path = join(folder, `made-${made}`, 'ledger.heads');
  const faults: unknown[] = [];
  const open = (portfoliosMax = 100) =>
    new ChainWitnessFile({ path, portfoliosMax, onFault: (error) => faults.push(error) });
  return { path, faults, open };
}

const id = (n: number) => portfolioId(String(1_776_668_676_325_000 + n));
const head = (version: number) => ({ version, hash: version.toString(16).padStart(64, '0') });

describe('ChainWitnessFile', () => {
  let count = 0;
  chainWitnessConformance(() => {
    count += 1;
    const own = join(folder, String(count), 'ledger.heads');
    const onFault = (error: unknown): never => {
      throw error;
    };
    const restarted = (): ChainWitnessFile => new ChainWitnessFile({ path: own, onFault });
    return { witness: restarted(), restarted };
  });
});

test('heads noted before a restart are known after it', () => {
  const { open } = witnessFile();
  const first = open();
  for (const version of [1, 5, 7]) first.note(id(1), head(version));
  first.note(id(2), head(3));
  const second = open();
  expect(second.of(id(1))).toEqual(head(7));
  expect(second.of(id(2))).toEqual(head(3));
  expect(second.of(id(3))).toBeUndefined();
  expect([...second.portfolios()].sort()).toEqual([id(1), id(2)]);
});

test('a truncated or foreign line is ignored', () => {
  const { open, path } = witnessFile();
  open().note(id(1), head(7));
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, `${text}nonsense\n${id(1)} 9 ${'0'.repeat(20)}`);
  expect(open().of(id(1))).toEqual(head(7));
});

test('the file is bounded in lines and in portfolios', () => {
  const { open, path, faults } = witnessFile();
  const witness = open(50);
  for (let n = 0; n < 12_000; n += 1) witness.note(id(10 + (n % 60)), head(n + 1));
  expect(readFileSync(path, 'utf8').split('\n').length).toBeLessThan(11_000);
  const after = open(50);
  expect([...after.portfolios()].length).toBe(50);
  expect(after.of(id(10 + (11_999 % 60)))).toEqual(head(12_000));
  expect(faults).toEqual([]);
});

test('a failed write is reported, and the heads are kept in memory', () => {
  const { open, path, faults } = witnessFile();
  open().note(id(3), head(1));
  const witness = open();
  rmSync(dirname(path), { recursive: true });
  witness.note(id(3), head(2));
  expect(faults.length).toBe(1);
  expect(witness.of(id(3))).toEqual(head(2));
});

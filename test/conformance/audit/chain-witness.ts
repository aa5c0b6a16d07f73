// Contract of every ChainWitness: the latest head of each portfolio.
import { expect, test } from 'vitest';
import type { ChainWitness } from '../../../src/ports/audit-reads.ts';
import { portfolioId } from '../../../src/values/ids.ts';

const id = (n: number) => portfolioId(String(1_776_668_676_325_000 + n));
const head = (version: number) => ({ version, hash: version.toString(16).padStart(64, '0') });

export interface ChainWitnessStage {
  readonly witness: ChainWitness;
  /** The witness as a restart of its process finds it; absent where it ends with its process. */
  restarted?(): ChainWitness;
}

/** `open` returns an empty witness; every test has its own. */
export function chainWitnessConformance(open: () => ChainWitnessStage): void {
  test('the head that was noted last is known, whichever its version', () => {
    const { witness, restarted } = open();
    expect(witness.of(id(1))).toBeUndefined();
    expect([...witness.portfolios()]).toEqual([]);
    for (const version of [1, 7, 5]) witness.note(id(1), head(version));
    witness.note(id(2), head(3));
    for (const each of [witness, restarted?.() ?? witness]) {
      expect([each.of(id(1)), each.of(id(2)), each.of(id(3))]).toEqual([
        head(5),
        head(3),
        undefined,
      ]);
    }
  });

  test('portfolios are named once each, in the order in which their heads were noted', () => {
    const { witness, restarted } = open();
    for (const n of [2, 1, 3, 2]) witness.note(id(n), head(n));
    for (const each of [witness, restarted?.() ?? witness]) {
      expect([...each.portfolios()]).toEqual([id(1), id(3), id(2)]);
    }
  });
}

import { describe, expect, test } from 'vitest';
import { SparseComparisons } from '../../../src/adapters/deribit/sparse-comparisons.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';

const NOON = instant(Date.UTC(2026, 10, 23, 12));

function stage() {
  const clock = new VirtualClock(NOON);
  const compared: string[] = [];
  const comparisons = new SparseComparisons<string>(clock, (subject) =>
    compared.push(`${subject} at ${clock.now() - NOON}`),
  );
  const pass = (forMs: number): void => clock.advanceTo(later(clock.now(), forMs));
  return { comparisons, compared, pass };
}

describe('comparisons for what was lost', () => {
  test('the first loss is compared at once, and the losses of the ten seconds after it once, at their end', () => {
    const { comparisons, compared, pass } = stage();
    comparisons.lost('10001');
    pass(3_000);
    comparisons.lost('10001');
    comparisons.lost('10001');
    expect(compared).toEqual(['10001 at 0']);
    pass(6_999);
    expect(compared).toEqual(['10001 at 0']);
    pass(1);
    expect(compared).toEqual(['10001 at 0', '10001 at 10000']);
    pass(60_000);
    expect(compared).toHaveLength(2);
  });

  test('a loss in the pause after a second comparison is compared too', () => {
    const { comparisons, compared, pass } = stage();
    comparisons.lost('10001');
    comparisons.lost('10001');
    pass(15_000);
    comparisons.lost('10001');
    pass(5_000);
    expect(compared).toEqual(['10001 at 0', '10001 at 10000', '10001 at 20000']);
  });

  test('a loss after the pause is compared at once, and one account does not wait for another', () => {
    const { comparisons, compared, pass } = stage();
    comparisons.lost('10001');
    pass(1);
    comparisons.lost('10002');
    pass(10_000);
    comparisons.lost('10001');
    expect(compared).toEqual(['10001 at 0', '10002 at 1', '10001 at 10001']);
  });

  test('nothing is compared after the venue is closed', () => {
    const { comparisons, compared, pass } = stage();
    comparisons.lost('10001');
    comparisons.lost('10001');
    comparisons.close();
    pass(60_000);
    expect(compared).toEqual(['10001 at 0']);
  });
});

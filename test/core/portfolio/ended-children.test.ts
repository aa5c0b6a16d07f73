// Memory of ended slices while their portfolio is active: one record of each child.
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const SLICES = 2_000;
/** For one child with its fill; the actual use is lower. */
const BYTES_EACH_MAX = 2_500;
const PERP = perpetual();

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Slices that each trade at once, up to the last but one. */
function worked(): PortfolioState {
  const asked = form({
    legs: [
      legForm({ quantity: quantity(String(10 * SLICES)), priceOptions: { priceType: 'market' } }),
    ],
    twapTrade: { durationSec: SLICES, frequencySec: 1 },
  });
  const work = new CoreWork(asked, [PERP]);
  work.show(quote(PERP, [99_990, 100_010]));
  work.until((SLICES - 1) * 1_000 + 500);
  return work.desk.state;
}

function heapBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

test('an ended child takes a bounded number of bytes, and the set of working children does not grow', () => {
  const held: PortfolioState[] = [worked()];
  const withState = heapBytes();
  const sizes = held.map(({ ended, children }) => [ended.size, children.size]);
  expect(sizes).toEqual([[SLICES, 0]]);
  held.length = 0;
  const bytes = withState - heapBytes();
  expect(bytes / SLICES).toBeLessThan(BYTES_EACH_MAX);
});

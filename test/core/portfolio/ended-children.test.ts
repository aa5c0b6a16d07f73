// Settled children leave the state: a portfolio at work is as small after thousands of slices as after a few.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChildOrder } from '../../../src/core/order/child-order.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import {
  NO_SETTLED,
  settledChild,
  withSettled,
} from '../../../src/core/portfolio/aggregate/settled-children.ts';
import { toText } from '../../../src/core/portfolio/snapshot/value-text.ts';
import { quantity } from '../../../src/values/amounts.ts';
import { childLabelOf } from '../../../src/values/ids.ts';
import { CoreWork } from '../../support/engine/core-work.ts';
import { form, legForm } from '../../support/engine/engine-world.ts';
import { perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();
const BYTES_MAX = 20_000;

/** Slices that each trade at once; one more is to come. */
function worked(slices: number, legs = 1): PortfolioState {
  const leg = legForm({
    quantity: quantity(String(10 * (slices + 1))),
    priceOptions: { priceType: 'market' },
  });
  const asked = form({
    legs: Array.from({ length: legs }, () => leg),
    twapTrade: { durationSec: slices + 1, frequencySec: 1 },
  });
  const work = new CoreWork(asked, [PERP]);
  work.show(quote(PERP, [99_990, 100_010]));
  work.until((slices - 1) * 1_000 + 500);
  expect(work.placed).toHaveLength(slices * legs);
  return work.desk.state;
}

const bytesOf = (state: PortfolioState): number => Buffer.byteLength(toText(state));

const keptBy = ({ ended: { recent, earlier, blocks } }: Pick<PortfolioState, 'ended'>): number =>
  recent.size + earlier.size + blocks.size;

describe('the size of a portfolio at work', () => {
  test.each([
    [5_000, 1],
    [500, 4],
  ])('after %i slices a state of %i legs takes at most 20 kB', (slices, legs) => {
    const state = worked(slices, legs);
    expect(bytesOf(state)).toBeLessThanOrEqual(BYTES_MAX);
    expect(state.children.size).toBe(0);
  });

  test('a state of many legs does not grow with its age', () => {
    const [young, old] = [worked(20, 10), worked(200, 10)];
    expect([keptBy(young), keptBy(old)].every((kept) => kept >= 16 && kept < 32)).toBe(true);
    expect(bytesOf(old)).toBeLessThan(1.1 * bytesOf(young));
  });
});

const child = (number: number, trades: number, block?: true): ChildOrder =>
  ({
    label: childLabelOf(`c${number}`),
    trades: Array.from({ length: trades }, (_, index) => `t${index}`),
    block,
  }) as unknown as ChildOrder;

const children = fc.array(
  fc.record({
    number: fc.nat(60),
    trades: fc.oneof(fc.constant(1), fc.nat(200)),
    isBlock: fc.nat(30).map((one) => one === 0),
  }),
  { maxLength: 120, size: 'max' },
);

describe('which settled children stay in the state', () => {
  test('the latest child and every leg of a block stay, and what stays is bounded in children and trades', () => {
    fc.assert(
      fc.property(children, fc.integer({ min: 1, max: 20 }), (sequence, legs) => {
        let ended = NO_SETTLED;
        const blocks = new Map<string, ChildOrder>();
        for (const { number, trades, isBlock } of sequence) {
          const one = isBlock ? child(1_000 + number, trades, true) : child(number, trades);
          if (isBlock) blocks.set(one.label, one);
          ended = withSettled(ended, one, legs);
          expect(settledChild(ended, one.label)).toBe(one);
          expect([ended.recent.size, ended.earlier.size].every((size) => size <= 16)).toBe(true);
          const kept = [...ended.recent.values(), ...ended.earlier.values()];
          expect(new Set(kept.map(({ label }) => label)).size).toBe(kept.length);
          const sum = kept.reduce((trade, { trades: own }) => trade + own.length, 0);
          expect(sum).toBeLessThan(2 * 128 + 200);
        }
        expect(ended.blocks).toEqual(blocks);
      }),
    );
  });

  test.each([
    [1, 8],
    [3, 12],
    [20, 16],
  ])('of %i legs the latest %i children stay, and at most twice as many', (legs, least) => {
    let ended = NO_SETTLED;
    for (let number = 0; number < 100; number += 1) {
      ended = withSettled(ended, child(number, 1), legs);
      const kept = (age: number) =>
        settledChild(ended, childLabelOf(`c${number - age}`)) !== undefined;
      for (let age = 0; age < Math.min(least, number + 1); age += 1) expect(kept(age)).toBe(true);
      expect(kept(2 * least)).toBe(false);
    }
  });
});

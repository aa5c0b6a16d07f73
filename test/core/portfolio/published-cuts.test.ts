// Part sizes as published in the interface.
import { expect, test } from 'vitest';
import { partPlan } from '../../../src/core/portfolio/aggregate/part-plan.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { NOON, option } from '../../support/engine/markets.ts';

/** With a lot size of 0.1. */
const grid = option();

test.each([
  { total: '1.5', sizes: ['0.5', '0.5', '0.5'] },
  { total: '1', sizes: ['0.3', '0.3', '0.4'] },
])('$total is cut into three parts with a lot size of 0.1', ({ total, sizes }) => {
  const cut = { total: quantity(total), parts: 3, grid };
  const plan = partPlan(cut, { startAt: NOON, durationMs: 0 });
  expect([0, 1, 2].map((part) => text(plan.planned(part)))).toEqual(sizes);
});

import { describe, expect, it } from 'vitest';
import { countedFrom, repeatFault } from '../../../../src/core/risk/gate/repeated-execution.ts';
import type { SwitchSetting } from '../../../../src/core/risk/trading-switch.ts';
import { NOON } from '../../../support/engine/markets.ts';

const setting = (change: Partial<SwitchSetting> = {}): SwitchSetting => ({
  scope: 'strategy',
  of: 'nightly',
  state: 'active',
  reason: 'checked',
  at: NOON,
  by: { uid: '1001', nickname: 'op' },
  ...change,
});

describe('PT-6, executions of a strategy', () => {
  it.each([
    [0, true],
    [2, true],
    [3, false],
    [4, false],
  ])('a strategy with %d of at most 3 executions may run again: %s', (count, may) => {
    expect(repeatFault(count, 3) === undefined).toBe(may);
  });

  it('executions count from when a person last switched the strategy on, or from the beginning', () => {
    expect(countedFrom([setting()], 'nightly')).toBe(NOON);
    for (const change of [
      { of: 'weekly' },
      { scope: 'account' as const },
      { state: 'halted' as const },
      { by: { uid: 'control', nickname: 'control' } },
    ]) {
      expect(countedFrom([setting(change)], 'nightly')).toBe(0);
    }
  });
});

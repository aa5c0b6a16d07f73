import { describe, expect, it } from 'vitest';
import {
  executionsText,
  oneMore,
  readExecutions,
} from '../../../../src/core/risk/gate/repeated-execution.ts';

describe('PT-6, executions of a strategy', () => {
  it.each([
    [0, true],
    [2, true],
    [3, false],
    [4, false],
  ])('after %d of at most 3 it may run again: %s', (count, may) => {
    const next = oneMore({ since: 5, count }, 5, 3);
    expect('after' in next).toBe(may);
    if ('after' in next) expect(next.after).toEqual({ since: 5, count: count + 1 });
  });

  it('are counted anew when somebody switched it on since', () => {
    expect(oneMore({ since: 5, count: 3 }, 6, 3)).toEqual({ after: { since: 6, count: 1 } });
    expect(oneMore({ since: 5, count: 3 }, 4, 3)).toHaveProperty('fault');
  });

  it('survive being written and read', () => {
    const some = { since: 1_700_000_000_000, count: 17 };
    expect(readExecutions(executionsText(some))).toEqual(some);
    for (const mark of [undefined, '', 'x', '5', '5:', 'NaN:1', '1:2.5']) {
      expect(readExecutions(mark)).toEqual(expect.objectContaining({ since: expect.any(Number) }));
    }
    expect(readExecutions('x:y')).toEqual({ since: 0, count: 0 });
  });
});

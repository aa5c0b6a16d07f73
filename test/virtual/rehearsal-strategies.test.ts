// Every strategy that comes with the program, rehearsed: instruments that it chooses are those that a daemon would choose.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formOf } from '../../src/main/commands/backtest/backtest-cells.ts';
import { readSubmission } from '../../src/main/commands/submission-file.ts';
import { DAY_MS, instant } from '../../src/values/instant.ts';
import { rehearse } from '../../src/virtual/rehearsal/run-rehearsal.ts';
import { settle } from '../support/engine/engine-world.ts';

const FILES = globSync('strategies/*.yaml').toSorted();
/** A rehearsal has no desk that answers Block RFQs. */
const REFUSED: Readonly<Record<string, string>> = {
  'spread-with-block-end.yaml': 'execution.endAction',
};
const SHORT = ['twapTrade.durationSec=60', 'twapTrade.frequencySec=30'];
const SHORT_PARTS = ['balanceTrade.totalLimitMs=60000'];
const BORN = instant(Date.UTC(2026, 10, 23));

async function rehearsed(file: string) {
  const { body } = readSubmission(file);
  const isParts = formOf(body, []).balanceTrade !== undefined;
  return await rehearse({
    form: formOf(body, isParts ? SHORT_PARTS : SHORT),
    seed: '1',
    regime: 'all-days',
    settle,
    bornAt: BORN,
    startAt: BORN,
    latency: { minMs: 5, maxMs: 80, seed: '1' },
  });
}

describe('the strategies of the program', () => {
  test.each(FILES)('%s runs in a rehearsal', async (file) => {
    const outcome = await rehearsed(file);
    const expected = REFUSED[basename(file)];
    if (outcome.kind === 'refused') {
      expect(outcome.rejections.map(({ field }) => field)).toEqual([expected]);
      return;
    }
    expect(expected).toBe(undefined);
    expect(outcome.report.legs.map(({ instrument }) => instrument).join()).not.toContain('{');
  });

  test('a choice is met by the market at the start: the first expiry, and the strike next to the index', async () => {
    const outcome = await rehearsed('strategies/demo-two-minutes.yaml');
    const call = outcome.kind === 'done' ? outcome.report.legs.at(-1) : undefined;
    const [, day = '', strike = '', type] = call?.instrument.split('-') ?? [];
    // At least seven days from 23 November, of expiries on Fridays: 4 December.
    expect([day, type]).toEqual(['4DEC26', 'C']);
    expect(Number(strike)).toBeGreaterThan(0);
    expect(BORN + 7 * DAY_MS).toBeLessThan(Date.UTC(2026, 11, 4, 8));
  });
});

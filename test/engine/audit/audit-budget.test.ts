// How much of the time the replay of stored events may take.
import { expect, test } from 'vitest';
import { allowanceMs, LATE_MS, owedMs } from '../../../src/engine/audit/audit-budget.ts';

test('Replays may take two per cent of the time, less what they took too much before.', () => {
  expect(allowanceMs({ sinceMs: 2_000, owedMs: 0, endedWaitMs: 0 })).toBe(40);
  expect(allowanceMs({ sinceMs: 500, owedMs: 0, endedWaitMs: LATE_MS })).toBe(10);
  expect(allowanceMs({ sinceMs: 2_000, owedMs: 15, endedWaitMs: 0 })).toBe(25);
  expect(allowanceMs({ sinceMs: 2_000, owedMs: 60, endedWaitMs: 0 })).toBe(-20);
});

test('Replays may take ten per cent of the time while a portfolio that ended has waited for ten minutes.', () => {
  expect(allowanceMs({ sinceMs: 2_000, owedMs: 0, endedWaitMs: LATE_MS + 1 })).toBe(200);
});

test('Rounds that are far apart do not save up for one long round.', () => {
  expect(allowanceMs({ sinceMs: 3_600_000, owedMs: 0, endedWaitMs: 0 })).toBe(200);
});

test('A round owes what it took beyond its allowance, but one slow read does not silence the auditor.', () => {
  expect(owedMs(40, 30)).toBe(0);
  expect(owedMs(40, 55)).toBe(15);
  expect(owedMs(-20, 0)).toBe(20);
  expect(owedMs(40, 30_000)).toBe(100);
});

// The order in which portfolios are replayed.
import { expect, test } from 'vitest';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { LATE_MS } from '../../../src/engine/audit/audit-budget.ts';
import { ReplayQueue } from '../../../src/engine/audit/replay-queue.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form } from '../../support/engine/engine-world.ts';
import { perpetual } from '../../support/engine/markets.ts';

const { state } = new CoreDesk(form(), [perpetual()]);
const stateOf = (id: string): PortfolioState => ({ ...state, id: portfolioId(id) });

const begun = (queue: ReplayQueue, id: string): void => queue.changed({ after: stateOf(id) }, 0);
const changed = (queue: ReplayQueue, id: string): void =>
  queue.changed({ before: stateOf(id), after: stateOf(id) }, 0);
const ended = (queue: ReplayQueue, id: string, atMs = 0): void =>
  queue.changed({ before: stateOf(id) }, atMs);

/** A queue with these active portfolios. */
function queueOf(active: readonly string[], history: readonly string[] = []): ReplayQueue {
  const queue = new ReplayQueue(history.map(portfolioId));
  for (const id of active) begun(queue, id);
  queue.started();
  return queue;
}

/** The portfolios of one round, or the first ones of it. */
function round(queue: ReplayQueue, max = 100, nowMs = 0): readonly PortfolioId[] {
  queue.beginRound();
  const taken: PortfolioId[] = [];
  while (taken.length < max) {
    const next = queue.take(nowMs);
    if (next === undefined) break;
    taken.push(next);
  }
  return taken;
}

test('Every active portfolio is replayed once in a round, and the next round continues behind the last one.', () => {
  const queue = queueOf(['1', '2', '3', '4', '5']);
  expect(round(queue)).toEqual(['1', '2', '3', '4', '5']);
  expect(round(queue, 2)).toEqual(['1', '2']);
  expect(round(queue, 2)).toEqual(['3', '4']);
  expect(round(queue, 2)).toEqual(['5', '1']);
});

test('A portfolio that has changed or was submitted is replayed before those that have not changed.', () => {
  const queue = queueOf(['1', '2', '3', '4', '5', '6', '7', '8']);
  changed(queue, '7');
  changed(queue, '6');
  begun(queue, '9');
  const first = round(queue, 6);
  expect(first.filter((id) => Number(id) > 5)).toEqual(['7', '6', '9']);
  expect(first.filter((id) => Number(id) <= 5)).toEqual(['1', '2', '3']);
});

test('A portfolio that has ended, one with a finding and one from before each have their turn.', () => {
  const active = Array.from({ length: 50 }, (_, index) => `${index + 100}`);
  const queue = queueOf(active, ['1', '2']);
  for (const id of active.slice(10, 40)) changed(queue, id);
  ended(queue, '149');
  queue.addFinding(portfolioId('120'));
  const first = round(queue, 6);
  expect(first).toEqual(expect.arrayContaining(['120', '149', '1', '110', '100']));
  // It has ended and was replayed.
  expect(round(queue)).not.toContain('149');
});

test('Portfolios that ended come first while one of them has waited for long.', () => {
  const queue = queueOf(['1', '2', '3', '4', '5', '6']);
  for (const id of ['4', '5', '6']) ended(queue, id, 1_000);
  expect(queue.endedWaitMs(1_500)).toBe(500);
  expect(round(queue, 3, 1_001 + LATE_MS)).toEqual(['4', '5', '6']);
  expect(queue.endedWaitMs(1_500)).toBe(0);
});

test('What is active or has just ended is not listed as history.', () => {
  const queue = queueOf(['1', '2']);
  ended(queue, '2');
  for (const id of ['1', '2', '3']) queue.addHistory(portfolioId(id));
  expect(queue.historySize).toBe(1);
});

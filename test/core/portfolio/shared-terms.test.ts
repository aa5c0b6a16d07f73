// What portfolios with equal terms have in common is in memory once, and plans only while they are needed.
import { expect, test } from 'vitest';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { planOf } from '../../../src/core/portfolio/aggregate/positions.ts';
import { fold } from '../../../src/core/portfolio/aggregate/replay.ts';
import type { LegPlan } from '../../../src/core/schedule/slice-plan.ts';
import { price, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { CoreDesk } from '../../support/engine/core-desk.ts';
import { form } from '../../support/engine/engine-world.ts';
import { perpetual } from '../../support/engine/markets.ts';

/** The number of specifications whose plans are kept. */
const PLANS_KEPT = 1_024;

/** Folded from events that went through JSON, as when they are read from the ledger. */
function loaded(id: number, instrument: Instrument = perpetual()): PortfolioState {
  const { events } = new CoreDesk(form(), [instrument]);
  const stored = JSON.parse(JSON.stringify(events)) as PortfolioEvent[];
  return must(fold(portfolioId(`${id}`), stored), 'the events begin with a submit');
}

const instrumentOf = ({ instruments }: PortfolioState) => instruments.get('BTC-PERPETUAL');

const written = (plan: LegPlan) =>
  Array.from({ length: plan.slices }, (_, slice) => [
    plan.dueAt(slice),
    plan.endsAt(slice),
    text(plan.targetAfter(slice)),
  ]);

test('Portfolios that were submitted with equal instruments and options share them in memory.', () => {
  const [one, other] = [loaded(1), loaded(2)];
  expect(instrumentOf(one)).toBeDefined();
  expect(instrumentOf(other)).toBe(instrumentOf(one));
  expect(other.spec.execution).toBe(one.spec.execution);
});

test('A portfolio keeps the version of the instrument with which it was submitted.', () => {
  const [one, other] = [loaded(1), loaded(2, perpetual({ tickSize: price('1') }))];
  expect(text(must(instrumentOf(one), 'listed').tickSize)).toBe('0.5');
  expect(text(must(instrumentOf(other), 'listed').tickSize)).toBe('1');
});

test('The plan of a portfolio is computed once while few others are at work.', () => {
  const state = loaded(1);
  const plan = planOf(state, 0);
  planOf(loaded(2), 0);
  expect(planOf(state, 0)).toBe(plan);
});

test('The plan of a portfolio that has not been at work for long is not kept, and the next one is equal.', () => {
  const state = loaded(1);
  const plan = planOf(state, 0);
  for (let id = 2; id <= PLANS_KEPT + 1; id += 1) planOf(loaded(id), 0);
  const again = planOf(state, 0);
  expect(again).not.toBe(plan);
  expect(written(again)).toEqual(written(plan));
});

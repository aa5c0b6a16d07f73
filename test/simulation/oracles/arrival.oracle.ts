// Checks the recorded arrival price of a slice against the market shown: the slippage cap is measured
// from it, so every order with a slippage cap has one.
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import type { PortfolioState } from '../../../src/core/portfolio/aggregate/portfolio-state.ts';
import { legInstrument } from '../../../src/core/portfolio/aggregate/positions.ts';
import { toNumber } from '../../../src/values/amounts.ts';
import type { InstrumentName } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { ShownTouch } from '../world/shown-touch.ts';

/** Half ticks are exact. */
const SLACK_TICKS = 1e-6;

export interface ArrivalOracleOptions {
  /** What was shown while a quote decided on at an instant could be believed. */
  readonly shown: (name: InstrumentName, at: number) => readonly ShownTouch[];
  readonly reportBreach: ReportBreach;
}

/** Judges one durable event; `state` has everything before it. */
export function checkArrival(
  state: PortfolioState,
  event: PortfolioEvent,
  { shown, reportBreach }: ArrivalOracleOptions,
): void {
  if (event.kind === 'child_intended') return judgeCapped(state, event, reportBreach);
  if (event.kind !== 'slice_arrived') return;
  const { leg, slice, price, at } = event;
  const what = `slice ${slice} of leg ${leg} of ${state.id}`;
  const current = state.legs[leg]?.current;
  if (current?.slice !== slice) reportBreach('I10', `${what} arrived, and is not under way`);
  if (current?.arrival !== undefined) reportBreach('I10', `${what} arrived twice`);
  const { name, tickSize } = legInstrument(state, leg);
  const ticks = Number(price) / toNumber(tickSize);
  if (shown(name, at).some((touch) => isMiddle(touch, ticks))) return;
  reportBreach('I10', `${what} arrived at ${ticks} ticks, where the market was not`);
}

/** An order is capped by where its slice arrived, so that has to be known. */
function judgeCapped(
  state: PortfolioState,
  { leg, label, block }: Extract<PortfolioEvent, { kind: 'child_intended' }>,
  reportBreach: ReportBreach,
): void {
  if (state.spec.execution.slippageMaxBps === undefined || block === true) return;
  const isKnown = state.legs[leg]?.current?.arrival !== undefined;
  if (!isKnown) reportBreach('I10', `${label} is capped by slippage from nowhere`);
}

/** Users may have taken the best level of a side; the mark price replaces an empty side. */
function isMiddle({ bid, ask, mark, unit, isDeep }: ShownTouch, ticks: number): boolean {
  const isAt = (meant: number): boolean => Math.abs(ticks - meant) <= SLACK_TICKS;
  if (bid === undefined || ask === undefined) return isAt(mark);
  const middle = (bid + ask) / 2;
  return [middle, middle - unit / 2, middle + unit / 2].some(isAt) || (!isDeep && isAt(mark));
}

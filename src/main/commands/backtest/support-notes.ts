// Warnings about fills that a recording makes doubtful: more than was traded, or at prices at which nobody traded.
import type { BacktestReport, LegReport } from '../../../virtual/backtest/backtest-report.ts';

export const supportNotes = ({ legs }: BacktestReport): readonly string[] => legs.flatMap(legNotes);

function legNotes(leg: LegReport, index: number): readonly string[] {
  const { support, fills, filled, market, quantityIn, instrument } = leg;
  const which = `legs[${index}] ${instrument}`;
  if (fills === 0) return [];
  if (support === null) {
    return [`${which}: no trade is recorded, so that its fills cannot be held against any`];
  }
  const notes: string[] = [];
  if (support.participation > 1) {
    notes.push(
      `warning: ${which} took ${filled} ${quantityIn} where ${market.traded} were traded: a market ` +
        'would not have filled it at these prices',
    );
  }
  if (support.unsupportedFills > 0) {
    notes.push(
      `${which}: ${support.unsupportedFills} of ${fills} fills (${support.unsupported} ${quantityIn}) are not ` +
        'supported by a recorded trade at their price and for as much within 10 to 20 s: they rest on quotes alone',
    );
  }
  return notes;
}

// Converts a TWAP form to a Smart Balance one: the same legs, with parts instead of a schedule. Derived from the
// form itself, so that the random numbers of a storm are the same either way.
import { partsMax } from '../../../src/core/portfolio/aggregate/part-target.ts';
import type { PortfolioForm } from '../../../src/core/terms/form.ts';
import type { Instrument } from '../../../src/values/instrument.ts';

export function inParts(form: PortfolioForm, instruments: readonly Instrument[]): PortfolioForm {
  const { twapTrade, legs, execution } = form;
  if (twapTrade === undefined) return form;
  const { durationSec, frequencySec } = twapTrade;
  const most = legs.flatMap((leg) => {
    const instrument = instruments.find(({ name }) => name === leg.instrument);
    return leg.hedge || instrument === undefined ? [] : [partsMax(leg.quantity, instrument)];
  });
  const leader = durationSec % 3 === 0 ? legs.findIndex(({ hedge }) => !hedge) : -1;
  return {
    ...form,
    portfolioType: 'BALANCE',
    twapTrade: undefined,
    balanceTrade: {
      parts: Math.min(...most, 1 + (durationSec % 5)),
      eachLimitMs: 1_000 * frequencySec,
      totalLimitMs: 1_000 * durationSec,
      totalEndAction: execution.endAction === 'market' ? 'fill_by_market' : 'cancel_remaining',
    },
    legs: legs.map((leg, index) => ({ ...leg, priority: index === leader })),
    execution: {},
  };
}

// Rewrites the strategy's portfolio for a recording: legs get recorded symbols, and every other change that a
// mapping makes is noted.
import type { LegForm, PortfolioForm } from '../../../core/terms/form.ts';
import type { Instrument } from '../../../values/instrument.ts';

export interface RecordedForm {
  readonly form: PortfolioForm;
  readonly notes: readonly string[];
}

export function recordedForm(
  form: PortfolioForm,
  symbols: ReadonlyMap<string, string>,
  instruments: ReadonlyMap<string, Instrument>,
): RecordedForm {
  const notes: string[] = [];
  const legs = form.legs.map((leg): LegForm => {
    const symbol = symbols.get(leg.instrument) ?? leg.instrument;
    const instrument = instruments.get(symbol);
    if (symbol === leg.instrument || instrument === undefined) return leg;
    notes.push(
      `${leg.instrument}: replaced by the recorded ${symbol}, whose terms and units apply`,
    );
    return mapped(leg, instrument, notes);
  });
  if (form.dummyAccounts.length > 0) notes.push('dummy accounts take no part in a backtest');
  return { form: { ...form, legs }, notes };
}

/** The quote currency follows the instrument; the price of a dynamic leg is displayed but not followed. */
function mapped(leg: LegForm, instrument: Instrument, notes: string[]): LegForm {
  const { priceIn } = leg.priceOptions;
  const isCurrency = priceIn !== undefined && priceIn.toUpperCase() !== 'IV';
  const changed = isCurrency && instrument.kind !== 'option' && priceIn !== instrument.quote;
  if (changed)
    notes.push(`${leg.instrument}: prices in ${priceIn} are read as ${instrument.quote}`);
  return {
    ...leg,
    instrument: instrument.name,
    instrumentType: instrument.kind,
    priceOptions: changed ? { ...leg.priceOptions, priceIn: instrument.quote } : leg.priceOptions,
  };
}

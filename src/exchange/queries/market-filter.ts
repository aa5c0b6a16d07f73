// The markets a query or a mass cancel applies to.
import type { Currency, InstrumentName } from '../../values/ids.ts';
import type { Instrument, InstrumentKind } from '../../values/instrument.ts';

/** Filters combine; absent ones match everything. */
export interface MarketFilter {
  /** Settlement currency; the quote currency for spot. */
  readonly currency?: Currency | undefined;
  readonly kinds?: readonly InstrumentKind[] | undefined;
  readonly instrument?: InstrumentName | undefined;
}

export const isMeant = (instrument: Instrument, filter: MarketFilter): boolean =>
  (filter.instrument === undefined || instrument.name === filter.instrument) &&
  (filter.currency === undefined || currencyOf(instrument) === filter.currency) &&
  (filter.kinds === undefined || filter.kinds.includes(instrument.kind));

const currencyOf = ({ kind, quote, settlement }: Instrument): Currency =>
  kind === 'spot' ? quote : settlement;

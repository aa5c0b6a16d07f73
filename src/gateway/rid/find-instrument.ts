// Which market knows an instrument: public questions go to the first that does.
import type { MarketReads } from '../../ports/market-reads.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';

/** The market that lists the instrument, and the instrument. */
export function findInstrument(
  markets: readonly MarketReads[],
  name: InstrumentName,
): { readonly market: MarketReads; readonly instrument: Instrument } | undefined {
  for (const market of markets) {
    const instrument = market.instrument(name);
    if (instrument !== undefined) return { market, instrument };
  }
  return undefined;
}

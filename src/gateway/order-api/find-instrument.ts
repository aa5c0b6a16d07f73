// Which market knows an instrument: public questions go to the first that does. And what is said of a name
// that none knows.
import type { MarketReads } from '../../ports/market-reads.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { unlisted } from '../../values/unlisted.ts';
import { invalidParam, type Refusal } from './refusals.ts';

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

/** Whether the name expired, is not listed or is none at all, and the nearest that are listed. */
export function instrumentNotFound(
  name: InstrumentName,
  { markets, now }: { readonly markets: readonly MarketReads[]; readonly now: () => Instant },
): Refusal {
  const listed = markets.flatMap((market) => [...market.listed({ expired: false })]);
  const expiresAt = findInstrument(markets, name)?.instrument.expiresAt;
  return invalidParam('instrumentName', unlisted(name, listed, now(), expiresAt).reason);
}

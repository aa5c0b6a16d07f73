// Finds the market that lists an instrument: public queries go to the first one that does. Also builds the
// refusal for an unknown instrument.
import { unsent } from '../../core/order/answer-class.ts';
import type { InstrumentReads } from '../../ports/market-reads.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { unlisted } from '../../values/unlisted.ts';
import { invalidParam, type Refusal, tryAgain } from './refusals.ts';

/** Returns the instrument and the market that lists it. */
export function findInstrument<M extends InstrumentReads>(
  markets: readonly M[],
  name: InstrumentName,
): { readonly market: M; readonly instrument: Instrument } | undefined {
  for (const market of markets) {
    const instrument = market.instrument(name);
    if (instrument !== undefined) return { market, instrument };
  }
  return undefined;
}

/** No list of instruments has come yet: which there are is unknown, and an empty list would say that there are none. */
export const listAwaited = (
  markets: readonly Pick<InstrumentReads, 'listed'>[],
): Refusal | undefined =>
  markets.some((market) => market.listed({ expired: false }).length > 0)
    ? undefined
    : tryAgain(
        'the venue has not listed its instruments yet; accepted: the same request in a moment',
      );

/** Runs with the instrument, among those that the account's exchange lists, or refuses its name. */
export function ifListed<T>(
  { desk, now }: { readonly desk: InstrumentReads; readonly now: () => Instant },
  name: InstrumentName,
  run: (instrument: Instrument) => T,
): T | Refusal {
  const instrument = desk.instrument(name);
  return instrument === undefined
    ? instrumentNotFound(name, { markets: [desk], now })
    : run(instrument);
}

/**
 * States whether the instrument expired, is not listed or has a malformed name, and the closest listed names.
 */
export function instrumentNotFound(
  name: InstrumentName,
  { markets, now }: { readonly markets: readonly InstrumentReads[]; readonly now: () => Instant },
): Refusal {
  const listed = markets.flatMap((market) => [...market.listed({ expired: false })]);
  const expiresAt = findInstrument(markets, name)?.instrument.expiresAt;
  const all = listed.length === 0 ? undefined : listed;
  const { kind, reason } = unlisted(name, all, now(), expiresAt);
  return kind === 'unread' ? unsent(reason) : invalidParam('instrumentName', reason);
}

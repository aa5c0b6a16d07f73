// Deribit's channels of what is listed: new instruments, and instruments whose state changes. Decisions: an instrument
// that is listed is published as `open`, one that has expired as `delivered`, a combo that gave way to another as `inactive`;
// the pause of a settlement is not.
import { instrumentJson, isTrading } from '../../../ports/deribit-wire/wire-instrument-rows.ts';
import type { Instant } from '../../../values/instant.ts';
import { SECOND_MS } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Markets } from '../../order-api/channels/follow-scope.ts';
import type { OpenSource } from './channel-fan-out.ts';

export interface OfListing {
  readonly of: Markets;
  readonly isWanted: (instrument: Instrument) => boolean;
  readonly now: () => Instant;
}

/** Calls back for every instrument that comes and goes. */
function followListing(
  { of, isWanted, now }: OfListing,
  changed: (instrument: Instrument, state: 'open' | 'inactive' | 'delivered') => void,
): () => void {
  const listed = (): ReadonlyMap<string, Instrument> =>
    new Map(
      of.markets().flatMap((market) =>
        market
          .listed({ expired: false })
          .filter((one) => isWanted(one) && isTrading(one, now()))
          .map((one) => [one.name, one] as const),
      ),
    );
  let known = listed();
  const compare = (): void => {
    const current = listed();
    for (const one of current.values()) if (!known.has(one.name)) changed(one, 'open');
    for (const one of known.values()) {
      if (!current.has(one.name)) changed(one, isTrading(one, now()) ? 'inactive' : 'delivered');
    }
    known = current;
  };
  const timer = setInterval(compare, SECOND_MS);
  timer.unref();
  return () => clearInterval(timer);
}

export const instrumentStates =
  (listing: OfListing): OpenSource =>
  (publish) => {
    const leave = followListing(listing, ({ name, isRouted }, state) =>
      publish(
        JSON.stringify({
          timestamp: listing.now(),
          state,
          instrument_name: name,
          ...(isRouted === true && { is_csr: isRouted }),
        }),
      ),
    );
    return { leave, markets: 0 };
  };

export const newInstruments =
  (listing: OfListing): OpenSource =>
  (publish) => {
    const leave = followListing(listing, (instrument, state) => {
      if (state !== 'open') return;
      // On this channel a routed pair has one of its two flags.
      const { is_cbe_routed: _, ...json } = instrumentJson(instrument, listing.now());
      publish(JSON.stringify(json));
    });
    return { leave, markets: 0 };
  };

// Deribit's channels of what is listed: new instruments, and instruments whose state changes. Decisions: an instrument
// that is listed is published as `open`, one that has expired as `delivered`, a combo that gave way to another as `inactive`,
// and all that are listed as `settlement` and then as `open` around the pause of a settlement. Lists are compared each second.
import {
  instrumentJson,
  isPaused,
  isTrading,
  type ListedState,
} from '../../../ports/deribit-wire/wire-instrument-rows.ts';
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

interface Listed {
  readonly instrument: Instrument;
  readonly state: 'open' | 'settlement';
}

interface Change {
  readonly instrument: Instrument;
  readonly state: ListedState | 'delivered';
  /** It was not listed before. */
  readonly isNew: boolean;
}

/** Calls back for every instrument that comes, goes or enters another state. */
function followListing(
  { of, isWanted, now }: OfListing,
  changed: (change: Change) => void,
): () => void {
  const listed = (): ReadonlyMap<string, Listed> => {
    const at = now();
    return new Map(
      of.markets().flatMap((market) => {
        const state = isPaused(market, at) ? 'settlement' : 'open';
        return market
          .listed({ expired: false })
          .filter((one) => isWanted(one) && isTrading(one, at))
          .map((instrument) => [instrument.name, { instrument, state }] as const);
      }),
    );
  };
  let known = listed();
  const compare = (): void => {
    const current = listed();
    for (const [name, { instrument, state }] of current) {
      const before = known.get(name);
      if (before?.state !== state) changed({ instrument, state, isNew: before === undefined });
    }
    for (const [name, { instrument }] of known) {
      if (current.has(name)) continue;
      const state = isTrading(instrument, now()) ? 'inactive' : 'delivered';
      changed({ instrument, state, isNew: false });
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
    const leave = followListing(listing, ({ instrument: { name, isRouted }, state }) =>
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
    const leave = followListing(listing, ({ instrument, isNew }) => {
      if (!isNew) return;
      // On this channel a routed pair has one of its two flags.
      const { is_cbe_routed: _, ...json } = instrumentJson(instrument, listing.now());
      publish(JSON.stringify(json));
    });
    return { leave, markets: 0 };
  };

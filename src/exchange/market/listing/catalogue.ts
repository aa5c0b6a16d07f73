// The instruments listed at an instant. All expiries and new strikes are at 08:00 UTC, so the list does not
// change during the day.

import type { InstrumentName } from '../../../values/ids.ts';
import { DAY_MS, type Instant, later, nextDailyUtc } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { EXPIRY_HOUR } from '../../../values/instrument-names.ts';
import { COINS, type Coin } from '../coins.ts';
import type { IndexProcess } from '../prices/index-process.ts';
import { type CoinInstrument, instrumentOf } from './contract-terms.ts';
import { listedExpiries } from './expiries.ts';
import { nameOf } from './instrument-naming.ts';
import { strikeLadder } from './strike-ladder.ts';

export interface Catalogue {
  /** All unexpired instruments at `now`. The same array until the list changes. */
  listed(now: Instant): readonly Instrument[];
  instrument(name: InstrumentName, now: Instant): Instrument | undefined;
}

interface Listing {
  readonly from: Instant;
  readonly until: Instant;
  readonly instruments: readonly Instrument[];
  readonly byName: ReadonlyMap<InstrumentName, Instrument>;
}

/** `routedSpot`: spot pairs are matched on another exchange. */
export function catalogue(index: IndexProcess, routedSpot = false): Catalogue {
  let current: Listing | undefined;
  const listing = (now: Instant): Listing => {
    if (current === undefined || now < current.from || now >= current.until) {
      const until = nextDailyUtc(now, EXPIRY_HOUR);
      const from = later(until, -DAY_MS);
      const known = current?.byName;
      const instruments = COINS.flatMap((coin) => listedFor(coin, index, from)).map(
        (terms) => known?.get(nameOf(terms)) ?? instrumentOf(terms, routedSpot),
      );
      const byName = new Map(instruments.map((instrument) => [instrument.name, instrument]));
      current = { from, until, instruments, byName };
    }
    return current;
  };
  return {
    listed: (now) => listing(now).instruments,
    instrument: (name, now) => listing(now).byName.get(name),
  };
}

/** The instruments of a coin right after the expiries of `at`, an 08:00 UTC. */
function listedFor(coin: Coin, index: IndexProcess, at: Instant): readonly CoinInstrument[] {
  const base = coin;
  const expiries = listedExpiries(at);
  const options = expiries.flatMap((expiry) =>
    strikeLadder({ coin, expiry }, index, at).flatMap((strike) =>
      (['call', 'put'] as const).map(
        (type) => ({ kind: 'option', base, expiresAt: expiry.at, strike, type }) as const,
      ),
    ),
  );
  const futures = expiries.map(
    ({ at: expiresAt }) => ({ kind: 'future', base, expiresAt }) as const,
  );
  return [
    { kind: 'perpetual', base, quote: undefined },
    { kind: 'perpetual', base, quote: 'USDC' },
    ...futures,
    { kind: 'spot', base, quote: 'USDC' },
    ...options,
  ];
}

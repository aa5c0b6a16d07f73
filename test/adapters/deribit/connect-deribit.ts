// The Deribit adapter, connected to an exchange that speaks its wire.
import type { DeribitVenue } from '../../../src/adapters/deribit/deribit-venue.ts';
import {
  type DeribitVenueOptions,
  NETWORK,
  openDeribitVenue,
} from '../../../src/adapters/deribit/open-deribit-venue.ts';
import type { AccountKey } from '../../../src/adapters/deribit/session/sessions.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { must } from '../../../src/values/assert.ts';
import { venueName } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { rng } from '../../../src/values/rng.ts';
import { KEY, noonClock, OTHER_KEY, THIRD_KEY } from './deribit-stage.ts';

export interface Connected {
  readonly venue: DeribitVenue;
  readonly faults: unknown[];
  now(): Instant;
  pass(forMs: number): Promise<void>;
}

export const accountKey = ({ id, secret, accounts }: ApiKey): AccountKey => ({
  account: must(accounts[0], 'an account'),
  key: { kind: 'deribit', clientId: id, clientSecret: secret },
});

/** For every account of the stage. */
export const ALL_ACCOUNTS = [KEY, OTHER_KEY, THIRD_KEY].map(accountKey);

/** However slow the machine is; what never connects is given a shorter wait. */
const FIRST_WAIT_MS = 60_000;
/** Half of a round trip, by which the clocks can seem apart. */
const SKEW_MS_MAX = 10_000;

/** A venue at that address, connected with two accounts unless others are given. */
export async function connectTo(
  url: string,
  options: Partial<DeribitVenueOptions> = {},
): Promise<Connected> {
  const { clock = noonClock() } = options;
  const faults: unknown[] = [];
  const venue = await openDeribitVenue({
    name: venueName('deribit'),
    line: NETWORK,
    url,
    expected: 'any',
    allowsLive: false,
    accounts: ALL_ACCOUNTS.slice(0, 2),
    rng: rng('stage'),
    skewMaxMs: SKEW_MS_MAX,
    firstWaitMs: FIRST_WAIT_MS,
    onFault: (error) => faults.push(error),
    ...options,
    clock,
  });
  const pass = (forMs: number): Promise<void> =>
    new Promise((resolve) => {
      clock.at(later(clock.now(), forMs), resolve);
    });
  return { venue, faults, now: () => clock.now(), pass };
}

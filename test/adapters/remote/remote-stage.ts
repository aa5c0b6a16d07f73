// A paper exchange served on a port of this process, and a remote venue that trades there. The
// exchange's time runs as fast as ours but begins at noon, far from any settlement.

import type { PaperVenueOptions } from '../../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import {
  openRemoteVenue,
  type RemoteVenueOptions,
} from '../../../src/adapters/remote/open-remote-venue.ts';
import type { RemoteVenue } from '../../../src/adapters/remote/remote-venue.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { DEFAULT_LIMITS, type RidLimits } from '../../../src/gateway/limits/limits.ts';
import { createMethodServer, type GatewayServer } from '../../../src/gateway/server.ts';
import { type AccountId, accountId, venueName } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { rng } from '../../../src/values/rng.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { ACCOUNT, NOON, OTHER, paperVenue } from '../paper/paper-stage.ts';

export const KEY: ApiKey = {
  id: 'desk',
  secret: Buffer.from('the secret of this desk').toString('base64'),
  uid: '1',
  nickname: 'desk',
  accounts: [ACCOUNT],
  scopes: ['trade', 'blockRfq'],
};
const OTHER_KEY: ApiKey = { ...KEY, id: 'other', accounts: [OTHER], bindBody: true };
const THIRD_KEY: ApiKey = { ...KEY, id: 'third', accounts: [accountId('10003')] };
const KEYS = [KEY, OTHER_KEY, THIRD_KEY];
const OWN: ReadonlySet<AccountId> = new Set(KEYS.flatMap(({ accounts }) => accounts));

let startMs = performance.now();

/** Moves the wall clocks of the exchange and of its clients ahead. */
export function jumpAhead(byMs: number): void {
  startMs -= byMs;
}

/** The clock of the exchange and of its clients. */
export const noonClock = (): SystemClock =>
  new SystemClock({
    source: {
      wallMs: () => NOON + Math.floor(performance.now() - startMs),
      monotonicMs: () => performance.now(),
    },
    unref: true,
  });

export interface Served {
  readonly venue: PaperVenue;
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

export interface ServeOptions extends Partial<PaperVenueOptions> {
  readonly port?: number;
  readonly rid?: Partial<RidLimits>;
  /** The identity that it reports. */
  readonly exchangeId?: string;
}

/** A paper exchange behind the gateway, on a free port unless one is given. */
export async function serveExchange(options: ServeOptions = {}): Promise<Served> {
  const { port: wanted = 0, rid, exchangeId, clock = noonClock(), ...own } = options;
  const venue = paperVenue(clock, { latencyMs: 2, ...own });
  const desk = ungated(venue);
  const orders: OrderOperations = {
    forAccount: (account) => (OWN.has(account) ? desk : undefined),
    rfqsFor: (account) => (OWN.has(account) ? venue.rfqs : undefined),
    accounts: () => [...OWN].map((account) => [account, venue.name]),
    venues: () => [venue],
  };
  const nonces = new Set<string>();
  const server: GatewayServer = await createMethodServer({
    engine: methodApi({ orders, clock, notReady: () => [] }),
    keys: { find: (id) => KEYS.find((key) => key.id === id) },
    claimNonce: (nonce) => {
      const isFresh = !nonces.has(nonce);
      nonces.add(nonce);
      return Promise.resolve(isFresh);
    },
    now: () => clock.now(),
    health: { live: () => true },
    metrics: () => Promise.resolve(''),
    report: (error) => {
      throw error;
    },
    version: '0.0.1',
    exchangeId,
    limits: { drainMs: 200, rid: { ...DEFAULT_LIMITS.rid, ...rid } },
  });
  const port = await server.listen({ host: '127.0.0.1', port: wanted });
  const close = async (): Promise<void> => {
    await server.close();
    await venue.close();
  };
  return { venue, port, url: `http://127.0.0.1:${port}`, close };
}

export interface Connected {
  readonly venue: RemoteVenue;
  readonly faults: unknown[];
  now(): Instant;
  pass(forMs: number): Promise<void>;
}

const credentialsOf = (keys: readonly ApiKey[]) =>
  keys.map(({ id: keyId, secret, bindBody = false, accounts }) => ({
    ...{ keyId, secret, bindBody, accounts },
  }));

/** Credentials for every account. */
export const ALL_CREDENTIALS = credentialsOf(KEYS);

/** A remote venue at that address, connected. */
export async function connectTo(
  url: string,
  options: Partial<RemoteVenueOptions> = {},
): Promise<Connected> {
  const { clock = noonClock() } = options;
  const faults: unknown[] = [];
  const venue = await openRemoteVenue({
    name: venueName('remote'),
    url,
    credentials: credentialsOf([KEY, OTHER_KEY]),
    rng: rng('stage'),
    skewMaxMs: 200,
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

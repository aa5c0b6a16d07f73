// A paper exchange that speaks Deribit's wire on a port of this process, with the keys of three accounts. Its time runs
// as fast as ours but begins at noon, far from any settlement.
import type { PaperVenueOptions } from '../../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from '../../../src/gateway/limits/limits.ts';
import { createMethodServer, type GatewayServer } from '../../../src/gateway/server.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { type AccountId, accountId } from '../../../src/values/ids.ts';
import { MemoryClaims } from '../../../src/virtual/memory/memory-claims.ts';
import { ungated } from '../../support/engine/venue-records.ts';
import { ACCOUNT, NOON, OTHER, paperVenue } from '../paper/paper-stage.ts';

export const THIRD = accountId('10003');

const key = (id: string, account: AccountId): ApiKey => ({
  id,
  secret: Buffer.from(`the secret of ${id}`).toString('base64'),
  uid: '1',
  nickname: id,
  accounts: [account],
  scopes: ['trade', 'blockRfq'],
});

/** The key of ACCOUNT; its secret is the client secret. */
export const KEY: ApiKey = key('desk', ACCOUNT);
export const OTHER_KEY: ApiKey = key('other', OTHER);
export const THIRD_KEY: ApiKey = key('third', THIRD);
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

export interface ServedDeribit {
  readonly venue: PaperVenue;
  readonly clock: Clock;
  readonly port: number;
  /** Of the WebSocket. */
  readonly url: string;
  /** Of the methods over HTTP, without a slash at its end. */
  readonly httpUrl: string;
  /** Failures inside the server; none is expected. */
  readonly reported: readonly unknown[];
  close(): Promise<void>;
}

export interface ServeDeribitOptions extends Partial<PaperVenueOptions> {
  readonly port?: number;
  readonly seed?: string;
  readonly limits?: Partial<GatewayLimits>;
  /** The identity that it reports. */
  readonly exchangeId?: string;
}

/** A paper exchange behind Deribit's wire, on a free port unless one is given. Rate limits are off unless given. */
export async function serveDeribit(options: ServeDeribitOptions = {}): Promise<ServedDeribit> {
  const { port: wanted = 0, limits, exchangeId, clock = noonClock(), ...own } = options;
  const accounts = [...OWN].map((account) => ({ account }));
  const venue = paperVenue(clock, { latencyMs: 2, accounts, ...own });
  const desk = ungated(venue);
  const orders: OrderOperations = {
    forAccount: (account) => (OWN.has(account) ? desk : undefined),
    rfqsFor: (account) => (OWN.has(account) ? venue.rfqs : undefined),
    combosFor: (account) => (OWN.has(account) ? venue.combos : undefined),
    marginsFor: (account) => (OWN.has(account) ? venue.margins : undefined),
    accounts: () => [...OWN].map((account) => [account, venue.name]),
    venues: () => [venue],
  };
  const reported: unknown[] = [];
  const claims = new MemoryClaims(() => clock.now());
  const server: GatewayServer = await createMethodServer({
    engine: methodApi({ orders, clock, notReady: () => [] }),
    keys: { find: (id) => KEYS.find((one) => one.id === id) },
    claimNonce: (nonce, until) => claims.claimOnce(nonce, until),
    now: () => clock.now(),
    health: { live: () => true },
    metrics: () => Promise.resolve(''),
    report: (error) => reported.push(error),
    version: '0.0.1',
    exchangeId,
    deribit: true,
    limits: { ...DEFAULT_LIMITS, drainMs: 200, deribit: { credits: 'off', tier: 4 }, ...limits },
  });
  const port = await server.listen({ host: '127.0.0.1', port: wanted });
  const close = async (): Promise<void> => {
    await server.close();
    await venue.close();
  };
  return {
    venue,
    clock,
    port,
    reported,
    close,
    url: `ws://127.0.0.1:${port}/ws/api/v2`,
    httpUrl: `http://127.0.0.1:${port}/api/v2`,
  };
}

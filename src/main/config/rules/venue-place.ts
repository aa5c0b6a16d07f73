// Where a venue runs: on this machine, where clocks agree and nobody can eavesdrop, or across a network; and whether
// real money is traded there.
import type { Traded } from '../../../gateway/page/hello-record.ts';
import type { ConfigFile } from '../config-schema.ts';
import { isThisMachine } from '../secrets/demo-keys.ts';
import type { DeribitVenueSection } from '../sections/deribit-section.ts';

type Environment = NonNullable<DeribitVenueSection['environment']>;

export interface VenuePlace {
  readonly kind: ConfigFile['venues'][string]['kind'];
  readonly url?: string | undefined;
  readonly environment?: Environment | undefined;
}

/** A paper exchange, in this process or in another process of this machine. */
export function isLocal(venue: VenuePlace): boolean {
  if (venue.kind === 'paper') return true;
  return venue.url !== undefined && isThisMachine(venue.url);
}

export const isEncrypted = (url: string): boolean => /^(https|wss):/.test(url);

interface Endpoint {
  readonly url: string;
  /** Where public channels are served without a login, if that is elsewhere. */
  readonly marketUrl?: string;
  readonly expected: 'test' | 'production';
}

const ENDPOINTS: Readonly<Record<Environment, Endpoint>> = {
  test: { url: 'wss://test.deribit.com/ws/api/v2', expected: 'test' },
  production: { url: 'wss://www.deribit.com/ws/api/v2', expected: 'production' },
  coinbase: {
    url: 'wss://drb.coinbase.com/ws/api/v2',
    marketUrl: 'wss://streams.drb.coinbase.com/ws/api/v2',
    expected: 'production',
  },
};

/** Where a venue of kind deribit is, and what should answer there. */
export function placeOf({ environment = 'test', url }: Omit<VenuePlace, 'kind'>): {
  readonly url: string;
  readonly marketUrl?: string | undefined;
  readonly expected: 'test' | 'production' | 'any';
} {
  return url === undefined ? ENDPOINTS[environment] : { url, expected: 'any' };
}

/** The environment whose address it is; `undefined` for any other address. */
export function environmentAt(url: string): Environment | undefined {
  const { hostname } = new URL(url);
  const known = Object.entries(ENDPOINTS) as readonly [Environment, Endpoint][];
  return known.find(([, { url: one, marketUrl = one }]) =>
    [one, marketUrl].some((address) => new URL(address).hostname === hostname),
  )?.[0];
}

/** Whether real money is traded there by its name. */
export const isProduction = (venue: VenuePlace): boolean =>
  venue.kind === 'deribit' && placeOf(venue).expected === 'production';

/** Whether real money may be traded there: an address beyond this machine states what it is only once connected. */
export const mayBeLive = (venue: VenuePlace): boolean =>
  venue.kind === 'deribit' && (isProduction(venue) || (venue.url !== undefined && !isLocal(venue)));

/** Whether all venues are the built-in exchange. An address on this machine may be a tunnel to any other. */
export const hasPaperOnly = (venues: Readonly<Record<string, VenuePlace>>): boolean =>
  Object.values(venues).every(({ kind }) => kind === 'paper');

/** Without `--live` nothing is connected that trades real money. */
export function moneyOf(venues: Readonly<Record<string, VenuePlace>>, allowsLive: boolean): Traded {
  const named = Object.entries(venues);
  const of = (isSuch: (venue: VenuePlace) => boolean): readonly string[] =>
    named.flatMap(([name, venue]) => (isSuch(venue) ? [name] : []));
  const live = allowsLive ? of(mayBeLive) : [];
  if (live.length > 0) return { money: 'live', venues: live };
  const test = of((venue) => venue.kind === 'deribit' && !isLocal(venue));
  return test.length > 0 ? { money: 'test', venues: test } : { money: 'paper', venues: [] };
}

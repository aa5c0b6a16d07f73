// Where a venue is: on this machine, where clocks agree and nobody listens in, or across a network.
import type { ConfigFile } from '../config-schema.ts';
import { isLoopback } from '../secrets/demo-keys.ts';

type Venue = ConfigFile['venues'][string];

/** A paper exchange, in this process or in another one of this machine. */
export function isLocal(venue: Venue): boolean {
  if (venue.kind === 'paper') return true;
  return venue.kind === 'remote' && isLoopback(hostOf(venue.url));
}

export const isEncrypted = (url: string): boolean => /^(https|wss):/.test(url);

/** Without the brackets of an IPv6 address. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

// Where a venue runs: on this machine, where clocks agree and nobody can eavesdrop, or across a network.
import type { ConfigFile } from '../config-schema.ts';
import { isLoopback } from '../secrets/demo-keys.ts';

type Venue = ConfigFile['venues'][string];

/** A paper exchange, in this process or in another process of this machine. */
export function isLocal(venue: Venue): boolean {
  if (venue.kind === 'paper') return true;
  return venue.kind === 'remote' && isLoopback(hostOf(venue.url));
}

export const isEncrypted = (url: string): boolean => /^(https|wss):/.test(url);

/** Strips the brackets of an IPv6 address. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

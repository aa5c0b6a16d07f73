// Determines the client's address of a request. X-Forwarded-For counts only as far as trusted proxies wrote it.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from './address-list.ts';

export type AddressOf = (request: IncomingMessage) => string;

/** An unknown address, such as that of a closed socket. */
export const NO_ADDRESS = '';

/**
 * The socket's address or, behind trusted proxies, the last address in X-Forwarded-For that is not one of them.
 */
export const clientAddress =
  (isProxy: (address: string) => boolean): AddressOf =>
  (request) => {
    let address = plainAddress(request.socket.remoteAddress ?? NO_ADDRESS);
    if (!isProxy(address)) return address;
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
    while (isProxy(address)) {
      const before = plainAddress((hops.pop() ?? '').trim());
      if (isIP(before) === 0) return address;
      address = before;
    }
    return address;
  };

/** Returns the unit that counts as one client: for IPv6 the /64 network, since a client controls all of it. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const parts = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - parts.length - rest.length;
  const all = [...parts, ...Array<string>(Math.max(0, zeros)).fill('0'), ...rest];
  return all
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':');
}

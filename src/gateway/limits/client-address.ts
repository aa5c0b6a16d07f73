// Where a request comes from. What a header says about it counts only as far as proxies we trust wrote it.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { plainAddress } from './address-list.ts';

export type AddressOf = (request: IncomingMessage) => string;

/** Stands for an address that is not known, such as that of a socket already gone. */
export const NO_ADDRESS = '';

/** With proxies, the address nearest to us in X-Forwarded-For that is not one of them. */
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

/** Who has one IPv6 address has its whole network of 64 bits, so that is what counts as one client. */
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

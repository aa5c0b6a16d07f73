// Lists of addresses and networks: "10.0.0.7", "10.0.0.0/8", "2001:db8::/32".
import { BlockList, isIP } from 'node:net';

/** Describes what is wrong with one entry of a list, or returns `undefined`. */
export function addressFault(entry: string): string | undefined {
  return parsed(entry) === undefined
    ? 'is not an address or network; accepted: for example 10.0.0.7, 10.0.0.0/8, 2001:db8::/32'
    : undefined;
}

/** Returns the membership test of a list. Entries that are not addresses match nothing. */
export function addressList(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of entries) {
    const one = parsed(entry);
    if (one !== undefined) list.addSubnet(one.address, one.prefix, one.family);
  }
  return (address) => {
    const plain = plainAddress(address);
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
  };
}

/** Normalises an address: IPv4 also where a socket shows it in IPv6 form, and without the zone. */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.split('%', 1)[0] ?? '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  return mapped ?? bare;
}

interface Network {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

function parsed(entry: string): Network | undefined {
  const [address = '', length, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined;
  const prefix = length === undefined ? bits : Number(length);
  return prefix > bits ? undefined : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Whether an address belongs to the local machine only. */
export const isLoopbackAddress = addressList(['127.0.0.0/8', '::1']);

/** Names of the local machine, as they stand in a Host header. */
export const LOCAL_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether a Host header names the local machine, at any port: a tunnel may have another. */
export const isLocalHost = (host = ''): boolean =>
  LOCAL_NAMES.includes(host.toLowerCase().replace(/:\d+$/, ''));

import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  addressFault,
  addressList,
  plainAddress,
} from '../../../src/gateway/limits/address-list.ts';
import { clientAddress, clientNetwork } from '../../../src/gateway/limits/client-address.ts';

describe('a list of addresses', () => {
  const isListed = addressList(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']);

  test.each(['10.0.0.0', '10.255.1.1', '192.0.2.7', '2001:db8:1::5', '::1', '::ffff:10.1.1.1'])(
    'a list of addresses contains %s',
    (address) => expect(isListed(address)).toBe(true),
  );

  test.each([
    '11.0.0.1',
    '192.0.2.8',
    '2001:db9::1',
    '::2',
    '',
    'nonsense',
    '10.0.0',
    '::ffff:11.1.1.1',
  ])('a list of addresses does not contain %j', (address) => expect(isListed(address)).toBe(false));

  test.each([
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '::/129',
    '10.0.0.0/8/8',
    'host',
    '10.0.0.0/-1',
    'fe80::1%eth0',
  ])('a list of addresses refuses the entry %j', (entry) =>
    expect(addressFault(entry)).toContain('accepted:'),
  );

  test.each(['10.0.0.7', '0.0.0.0/0', '::/0', '2001:db8::/32'])(
    'a list of addresses accepts the entry %s',
    (entry) => expect(addressFault(entry)).toBeUndefined(),
  );
});

describe('the address of a client', () => {
  const address = (
    peer: string | undefined,
    forwarded?: string,
    proxies: string[] = ['10.0.0.0/8'],
  ) =>
    clientAddress(addressList(proxies))({
      socket: { remoteAddress: peer },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    } as unknown as IncomingMessage);

  test("the address of a client is the peer's, whatever the header says, if the peer is not a proxy", () => {
    expect(address('192.0.2.1', '198.51.100.1')).toBe('192.0.2.1');
    expect(address('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(address(undefined, '198.51.100.1')).toBe('');
  });

  test('the address of a client is the last one in the header that is not a proxy', () => {
    expect(address('10.0.0.1', '198.51.100.9, 198.51.100.1')).toBe('198.51.100.1');
    expect(address('10.0.0.1', '198.51.100.1, 10.0.0.2')).toBe('198.51.100.1');
  });

  test("the address of a client is the last proxy's if the header ends there or is invalid", () => {
    expect(address('10.0.0.1')).toBe('10.0.0.1');
    expect(address('10.0.0.1', '10.0.0.2')).toBe('10.0.0.2');
    expect(address('10.0.0.1', 'unknown')).toBe('10.0.0.1');
    expect(address('10.0.0.1', '198.51.100.1, ')).toBe('10.0.0.1');
  });
});

describe('the network', () => {
  test('the network of an IPv4 address is the address itself, and of an IPv6 address its first 64 bits', () => {
    expect(clientNetwork('192.0.2.1')).toBe('192.0.2.1');
    expect(clientNetwork('2001:db8:0:1::5')).toBe('2001:db8:0:1');
    expect(clientNetwork('2001:0db8:0:1:9:9:9:9')).toBe('2001:db8:0:1');
    expect(clientNetwork('2001:db8::5')).toBe(clientNetwork('2001:db8:0:0:1::'));
    expect(clientNetwork('::1')).toBe('0:0:0:0');
  });

  test('the network of an address ignores its zone and its IPv6 form', () => {
    expect(plainAddress('fe80::1%eth0')).toBe('fe80::1');
    expect(plainAddress('::FFFF:192.0.2.1')).toBe('192.0.2.1');
  });
});

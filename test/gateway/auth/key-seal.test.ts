import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  bindsGrant,
  KeySeal,
  looksRandom,
  masterFault,
  newSecret,
  SealBroken,
} from '../../../src/gateway/auth/key-seal.ts';
import { accountId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { grantOf } from '../../conformance/key-records.ts';

const master = (): string => randomBytes(32).toString('base64');
const OWNER = { grant: grantOf('desk'), generation: 1 };
/** As version 1 sealed 'secret' for key `desk`, generation 1, under {@link EARLIER_MASTER}. */
const EARLIER_MASTER = Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('base64');
const EARLIER = 'v1.7jmTWQqRAeTUxPbTyJ5FSuKsm/E21Pcljd5x+Q54C0KN7g==';

describe('a sealed secret', () => {
  test('a sealed secret is opened with the same master secret, key and generation', () => {
    const text = master();
    const secret = newSecret();
    const sealed = new KeySeal(text).seal(secret, OWNER);
    expect(new KeySeal(text).open(sealed, OWNER)).toBe(secret);
    expect(sealed).not.toContain(secret);
  });

  test('a sealed secret differs each time it is sealed', () => {
    const seal = new KeySeal(master());
    const secret = newSecret();
    expect(seal.seal(secret, OWNER)).not.toBe(seal.seal(secret, OWNER));
  });

  test.each([
    ['another key', { ...OWNER, grant: grantOf('desk2') }],
    ['another uid', { ...OWNER, grant: grantOf('desk', { uid: '1' }) }],
    ['more scopes', { ...OWNER, grant: grantOf('desk', { scopes: ['read', 'trade', 'admin'] }) }],
    ['another account', { ...OWNER, grant: grantOf('desk', { accounts: [accountId('10002')] }) }],
    ['unbound requests', { ...OWNER, grant: grantOf('desk', { bindBody: true }) }],
    ['other addresses', { ...OWNER, grant: grantOf('desk', { addresses: ['::1'] }) }],
    ['a maker', { ...OWNER, grant: grantOf('desk', { makerAlias: 'M' }) }],
    ['a later end', { ...OWNER, grant: grantOf('desk', { expiresAt: instant(1) }) }],
    ['another generation', { ...OWNER, generation: 2 }],
  ])('a sealed secret cannot be opened for %s', (_, owner) => {
    const seal = new KeySeal(master());
    expect(() => seal.open(seal.seal('secret', OWNER), owner)).toThrow(SealBroken);
  });

  test('a sealed secret cannot be opened with another master secret, and the error does not reveal it', () => {
    const sealed = new KeySeal(master()).seal('secret', OWNER);
    const open = (): string => new KeySeal(master()).open(sealed, OWNER);
    expect(open).toThrow('secret 1 of key desk does not open');
    expect(open).not.toThrow(sealed);
  });

  test('a secret that an earlier version sealed is opened, and known not to bind what its key may do', () => {
    expect(new KeySeal(EARLIER_MASTER).open(EARLIER, OWNER)).toBe('secret');
    expect(bindsGrant(EARLIER)).toBe(false);
    expect(bindsGrant(new KeySeal(EARLIER_MASTER).seal('secret', OWNER))).toBe(true);
  });

  test('a sealed secret cannot be opened if any byte is changed or any part is cut off', () => {
    const seal = new KeySeal(master());
    const [form = '', body = ''] = seal.seal('secret', OWNER).split('.');
    const bytes = Buffer.from(body, 'base64');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => seal.open(`${form}.${changed.toString('base64')}`, OWNER)).toThrow(SealBroken);
      const cut = bytes.subarray(0, at).toString('base64');
      expect(() => seal.open(`${form}.${cut}`, OWNER)).toThrow(SealBroken);
    }
    for (const other of ['v1', 'v3']) {
      expect(() => seal.open(`${other}.${body}`, OWNER)).toThrow(SealBroken);
    }
    expect(() => seal.open('', OWNER)).toThrow(SealBroken);
  });
});

describe('a secret', () => {
  test.each([
    [7, false],
    [8, true],
  ])('a secret of 32 bytes with %i different values looks random: %s', (different, expected) => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => index % different);
    expect(looksRandom(bytes)).toBe(expected);
    const fault = masterFault(Buffer.from(bytes).toString('base64'));
    expect(fault === undefined).toBe(expected);
  });
});

describe('a master secret', () => {
  test.each([
    ['', 'empty'],
    [randomBytes(31).toString('base64'), 'too short'],
    [`${master()}\n`, 'followed by a line end'],
    ['not base64 at all, but long enough for it', 'not base64'],
  ])('the master secret %j is refused because it is %s', (text) => {
    expect(masterFault(text)).toContain('openssl rand -base64 32');
    expect(() => new KeySeal(text)).toThrow(SealBroken);
  });

  test('a master secret is generated from 32 random bytes and never repeats', () => {
    expect(Buffer.from(newSecret(), 'base64')).toHaveLength(32);
    expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100);
  });
});

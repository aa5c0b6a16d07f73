import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { KeySeal, masterFault, newSecret, SealBroken } from '../../../src/gateway/auth/key-seal.ts';

const master = (): string => randomBytes(32).toString('base64');
const OWNER = { keyId: 'desk', generation: 1 };

describe('a sealed secret', () => {
  test('opens under the same master secret, for the same key and generation', () => {
    const text = master();
    const secret = newSecret();
    const sealed = new KeySeal(text).seal(secret, OWNER);
    expect(new KeySeal(text).open(sealed, OWNER)).toBe(secret);
    expect(sealed).not.toContain(secret);
  });

  test('is another text each time', () => {
    const seal = new KeySeal(master());
    const secret = newSecret();
    expect(seal.seal(secret, OWNER)).not.toBe(seal.seal(secret, OWNER));
  });

  test.each([
    ['another key', { ...OWNER, keyId: 'desk2' }],
    ['another generation', { ...OWNER, generation: 2 }],
  ])('does not open for %s', (_, owner) => {
    const seal = new KeySeal(master());
    expect(() => seal.open(seal.seal('secret', OWNER), owner)).toThrow(SealBroken);
  });

  test('does not open under another master secret, and does not say what it holds', () => {
    const sealed = new KeySeal(master()).seal('secret', OWNER);
    const open = (): string => new KeySeal(master()).open(sealed, OWNER);
    expect(open).toThrow('secret 1 of key desk does not open');
    expect(open).not.toThrow(sealed);
  });

  test('does not open with any of its bytes changed, or cut anywhere', () => {
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
    expect(() => seal.open(`v2.${body}`, OWNER)).toThrow(SealBroken);
    expect(() => seal.open('', OWNER)).toThrow(SealBroken);
  });
});

describe('a master secret', () => {
  test.each([
    ['', 'empty'],
    [randomBytes(31).toString('base64'), 'too short'],
    [`${master()}\n`, 'with a line end'],
    ['not base64 at all, but long enough for it', 'of another form'],
  ])('%j is refused: %s', (text) => {
    expect(masterFault(text)).toContain('openssl rand -base64 32');
    expect(() => new KeySeal(text)).toThrow(SealBroken);
  });

  test('new secrets are 32 bytes and never the same', () => {
    expect(Buffer.from(newSecret(), 'base64')).toHaveLength(32);
    expect(new Set(Array.from({ length: 100 }, newSecret)).size).toBe(100);
  });
});

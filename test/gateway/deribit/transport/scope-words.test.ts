// What a login may do is what its key allows of what was requested.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../../src/gateway/auth/key-store.ts';
import {
  grantedScopes,
  readScope,
  type ScopeWish,
  scopeText,
} from '../../../../src/gateway/deribit/login/scope-words.ts';
import { allows } from '../../../../src/gateway/deribit/method/deribit-login.ts';
import { SCOPES, type Scope } from '../../../../src/ports/key-records.ts';
import { TAKER } from '../../gateway-under-test.ts';

const keyWith = (...scopes: readonly Scope[]): ApiKey => ({ ...TAKER, scopes });

function wished(text: string): ScopeWish {
  const read = readScope(text);
  if ('fault' in read) throw new Error(read.fault);
  return read.value;
}

describe('a login', () => {
  test.each([
    [['read'], ['account:read', 'trade:read', 'block_rfq:read']],
    [['trade'], ['account:read_write', 'trade:read_write', 'block_rfq:read']],
    [['blockRfq'], ['block_rfq:read_write']],
    [
      ['trade', 'blockRfq'],
      ['account:read_write', 'trade:read_write', 'block_rfq:read_write'],
    ],
    [['admin'], []],
  ] as const)('of a key with %j may do %j if it does not request less', (scopes, granted) => {
    expect(grantedScopes(keyWith(...scopes), wished(''))).toEqual(granted);
    const all = 'account:read_write trade:read_write block_rfq:read_write wallet:read_write';
    expect(grantedScopes(keyWith(...scopes), wished(all))).toEqual(granted);
  });

  test('a login has no more than it requested', () => {
    const wish = wished('trade:read account:none session:a');
    expect(grantedScopes(keyWith('trade'), wish)).toEqual(['trade:read', 'block_rfq:read']);
    expect(scopeText(keyWith('trade'), wish)).toBe(
      'account:none block_rfq:read session:a trade:read wallet:none',
    );
  });

  test('a login lasts a year at most, and its grant says so', () => {
    expect(wished('expires:999999999').expiresSec).toBe(31_536_000);
    expect(wished('expires:60').expiresSec).toBe(60);
    const words = scopeText(keyWith('read'), wished('expires:999999999')).split(' ');
    expect(words).toContain('expires:31536000');
  });

  test('never gets a right that its key does not have', () => {
    const level = fc.constantFrom('none', 'read', 'read_write');
    const asked = fc.record({ account: level, trade: level, block_rfq: level });
    fc.assert(
      fc.property(fc.subarray([...SCOPES]), asked, (scopes, levels) => {
        const text = Object.entries(levels)
          .map(([name, value]) => `${name}:${value}`)
          .join(' ');
        const most = grantedScopes(keyWith(...scopes), wished(''));
        for (const scope of grantedScopes(keyWith(...scopes), wished(text))) {
          expect(allows({ scopes: most }, scope)).toBe(true);
        }
      }),
    );
  });
});

describe('a scope', () => {
  test('names a session, an expiry and an address', () => {
    const wish = wished('  session:desk-1   expires:60 ip:10.0.0.0/8 unknown:word mainaccount ');
    expect(wish).toMatchObject({ session: 'desk-1', expiresSec: 60 });
    expect(wish.admits?.('10.1.2.3')).toBe(true);
    expect(wish.admits?.('11.1.2.3')).toBe(false);
    expect(wished('ip:*').admits).toBeUndefined();
  });

  test.each([
    'session:',
    `session:${'x'.repeat(65)}`,
    'expires:0',
    'expires:1.5',
    'expires:9999999999',
    'ip:somewhere',
    'trade:write',
    'account:',
  ])('with the restriction %j that cannot be read is refused, not ignored', (word) => {
    expect(readScope(word)).toHaveProperty('fault');
  });
});

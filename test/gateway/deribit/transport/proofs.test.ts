// What proves a key: the published test vectors, canonical forms, and the time window.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSecret, signedBy } from '../../../../src/gateway/deribit/login/proofs.ts';
import { instant } from '../../../../src/values/instant.ts';

const SECRET = 'AMANDASECRECT';
const AT = 1_576_074_319_000;
const VECTORS = [
  ['', '56590594f97921b09b18f166befe0d1319b198bbcdad7ca73382de2f88fe9aa1'],
  [
    'GET\n/api/v2/private/get_account_summary?currency=BTC\n\n',
    '9bfbc51a2bc372d72cc396cf1a213dc78d42eb74cb7dc272351833ad0de276ab',
  ],
] as const;

const signed = (rest: string, signature: string, timestamp = String(AT)) => ({
  timestamp,
  nonce: '1iqt2wls',
  rest,
  signature,
});

describe('a signature', () => {
  test.each(VECTORS)('of %j is that of the published example', (rest, signature) => {
    expect(signedBy(signed(rest, signature), instant(AT))(SECRET)).toBe(true);
    expect(signedBy(signed(rest, signature), instant(AT))(`${SECRET} `)).toBe(false);
    expect(signedBy(signed(`${rest} `, signature), instant(AT))(SECRET)).toBe(false);
  });

  test('a signature is accepted within a minute of its timestamp, in either direction', () => {
    const [[rest, signature]] = VECTORS;
    const isAcceptedAt = (ms: number) => signedBy(signed(rest, signature), instant(ms))(SECRET);
    expect(isAcceptedAt(AT + 60_000)).toBe(true);
    expect(isAcceptedAt(AT - 60_000)).toBe(true);
    expect(isAcceptedAt(AT + 60_001)).toBe(false);
    expect(isAcceptedAt(AT - 60_001)).toBe(false);
  });

  test('a signature has one form: another letter case, length or timestamp is refused', () => {
    const [[rest, signature]] = VECTORS;
    for (const other of [
      signature.toUpperCase(),
      `${signature}0`,
      signature.slice(1),
      '',
      'é'.repeat(64),
    ]) {
      expect(signedBy(signed(rest, other), instant(AT))(SECRET)).toBe(false);
    }
    for (const timestamp of [`${AT}.0`, `0x${AT.toString(16)}`, '', ' ', `+${AT}`]) {
      const text = `${timestamp}\n1iqt2wls\n`;
      const of = createHmac('sha256', SECRET).update(text).digest('hex');
      expect(signedBy(signed('', of, timestamp), instant(AT))(SECRET)).toBe(false);
    }
  });
});

test('a secret is accepted if and only if it is the same text', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (given, secret) => {
      expect(isSecret(given)(secret)).toBe(given === secret);
      expect(isSecret(secret)(secret)).toBe(true);
    }),
  );
});

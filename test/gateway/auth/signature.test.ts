import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSigned, sign, signedContent } from '../../../src/gateway/auth/signature.ts';

const SECRET = 'dHdhcGQtZXhhbXBsZS1zZWNyZXQtMDEyMzQ1Njc4OQ==';
const STAMP = { timestamp: '1776665215780', nonce: 'e43b0618-6965-4b0b-a62d-a3a4f78eed52' };
const SIGNATURE = 'QG1HFLk5LVUoBjbfCcnVZ2IJ522b3r1qwe9wwz50ITA=';
const REQUEST = { method: 'POST', target: '/a?b=c', body: Buffer.from('{}') };

describe('signatures', () => {
  it('signatures match the published vector', () => {
    expect(sign(SECRET, signedContent(STAMP))).toBe(SIGNATURE);
    expect(isSigned(SECRET, signedContent(STAMP), SIGNATURE)).toBe(true);
  });

  it.each([
    ['a trailing newline was signed', '6HarXb917tGRVqSfxJ8RfI3F+dFbob19X7GuMXXsOxo='],
    ['the secret was not decoded', 'vyIf3axB9YMOhZ2zsdF2iJdNa1SRh7T/qKTB7mvG2uA='],
    ['it is empty', ''],
    ['it is a non-canonical base64 text of the same bytes', SIGNATURE.replace('TA=', 'TB=')],
    ['it is not padded', SIGNATURE.slice(0, -1)],
    ['it has white space', `${SIGNATURE} `],
    ['it is url-safe base64', SIGNATURE.replaceAll('/', '_').replaceAll('+', '-').toLowerCase()],
  ])('signatures fail when %s', (_why, signature) => {
    expect(isSigned(SECRET, signedContent(STAMP), signature)).toBe(false);
  });

  it('signatures fail if any bit of the signature, the content or the secret is flipped', () => {
    const flipped = (bytes: Buffer, bit: number): Buffer => {
      const copy = Buffer.from(bytes);
      const at = (bit >> 3) % copy.length;
      copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7));
      return copy;
    };
    fc.assert(
      fc.property(fc.nat(10_000), (bit) => {
        const content = signedContent(STAMP);
        const signature = flipped(Buffer.from(SIGNATURE, 'base64'), bit).toString('base64');
        const other = flipped(Buffer.from(content), bit).toString('latin1');
        const secret = flipped(Buffer.from(SECRET, 'base64'), bit).toString('base64');
        expect(isSigned(SECRET, content, signature)).toBe(false);
        expect(isSigned(SECRET, other, SIGNATURE)).toBe(false);
        expect(isSigned(secret, content, SIGNATURE)).toBe(false);
      }),
    );
  });

  it('signatures cover method, address and body of bound requests', () => {
    const signature = sign(SECRET, signedContent(STAMP, REQUEST));
    const holds = (changed: Partial<typeof REQUEST>) =>
      isSigned(SECRET, signedContent(STAMP, { ...REQUEST, ...changed }), signature);
    expect(holds({})).toBe(true);
    expect(holds({ method: 'GET' })).toBe(false);
    expect(holds({ target: '/a?b=d' })).toBe(false);
    expect(holds({ body: Buffer.from('{ }') })).toBe(false);
    expect(isSigned(SECRET, signedContent(STAMP), signature)).toBe(false);
  });
});

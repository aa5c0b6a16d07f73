// A head of the ledger: what its chains have come to at an instant, signed with Ed25519. Each head adds to those before it and
// names the digest of the previous one, so a list of heads cannot be thinned out, reordered or made again without the key.
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';
import { canonical } from '../../engine/audit/audit-walk.ts';

export const HEAD_FORMAT = 'twapd-head/1';

const hash = z.union([z.string().regex(/^[0-9a-f]{64}$/), z.literal('')]);
const whole = z.int().min(0);
const digits = z.string().regex(/^\d{1,19}$/);

/** A chain of rows up to one of them. */
const link = z.strictObject({ to: digits, hash });

const LedgerHead = z.strictObject({
  format: z.literal(HEAD_FORMAT),
  /** The id that the ledger was given when it was first opened. */
  ledger: z.string().min(1).max(100),
  deployment: z.string().max(100),
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** SHA-256 of the line of the previous head; empty in the first. */
  previous: hash,
  /** Nothing older than `at` was left for the next head. */
  isWhole: z.boolean(),
  /** Portfolios with new events: their number and the hash of the chain. 0 and no hash: they were archived before. */
  portfolios: z.array(z.tuple([digits, whole, hash])),
  /** New actions: ranges of their numbers, and a hash over all of them. */
  actions: z.strictObject({ ranges: z.array(z.tuple([digits, digits])), hash }),
  switches: link,
  grants: link,
});

export type LedgerHead = z.infer<typeof LedgerHead>;

const SignedHead = LedgerHead.extend({
  /** The first 16 digits of the SHA-256 of the public key (SPKI, DER). */
  key: z.string().regex(/^[0-9a-f]{16}$/),
  /** Ed25519 over the canonical JSON of all the rest, base64. */
  signature: z.string().max(100),
});

/** One line of JSON, without its line end. */
export function signedLine(head: LedgerHead, privateKey: KeyObject): string {
  const content = { ...head, key: keyName(createPublicKey(privateKey)) };
  const signature = sign(null, Buffer.from(canonical(content)), privateKey).toString('base64');
  return JSON.stringify({ ...content, signature });
}

/** The head of a line, or what is wrong with it. */
export function readHead(
  line: string,
  publicKeys: readonly KeyObject[],
): LedgerHead | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { fault: 'is not JSON' };
  }
  const read = SignedHead.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { fault: `is not a head: ${issue?.path.join('.')}: ${issue?.message}` };
  }
  const { signature, ...content } = read.data;
  const text = Buffer.from(canonical(content));
  const key = publicKeys.find((one) => keyName(one) === content.key);
  if (key === undefined) return { fault: `is signed with another key (${content.key})` };
  if (!verify(null, text, key, Buffer.from(signature, 'base64'))) {
    return { fault: 'has a signature that is not right' };
  }
  const { key: _key, ...head } = content;
  return head;
}

export const lineDigest = (line: string): string =>
  createHash('sha256').update(line, 'utf8').digest('hex');

/** A short name of a public key. */
export const keyName = (key: KeyObject): string =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);

export const isEd25519 = (key: KeyObject): boolean => key.asymmetricKeyType === 'ed25519';

/** A new pair, in PEM (PKCS #8, SPKI). */
export const newKeyPair = (): { readonly privateKey: string; readonly publicKey: string } =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

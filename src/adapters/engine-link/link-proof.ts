// Proves to each other that both ends of a link know the deployment's secret, without sending it: each answers the
// other's challenge with a MAC (HMAC-SHA-256, RFC 2104) over both challenges, its own role and what the asking end is.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type AskingEnd, PROTOCOL } from './link-frames.ts';

export type Role = 'asking' | 'answering';

export interface Challenges {
  readonly asking: string;
  readonly answering: string;
  readonly as: AskingEnd;
}

/** What the ends of a link must have in common. */
export const UNPROVEN =
  'it does not know the secret of this deployment; accepted: the same database, and at every part the same master secret ' +
  '(TWAPD_KEYS_SECRET, gateway.keysSecret) or the same TWAPD_LINK_KEY';

export const newChallenge = (): string => randomBytes(32).toString('base64url');

export const proofOf = (
  secret: string,
  role: Role,
  { asking, answering, as }: Challenges,
): string =>
  createHmac('sha256', secret)
    .update(`twapd engine link ${PROTOCOL}\n${role}\n${as}\n${asking}\n${answering}`)
    .digest('base64url');

export function isProof(given: string, secret: string, role: Role, of: Challenges): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(proofOf(secret, role, of))];
  return a.length === b.length && timingSafeEqual(a, b);
}

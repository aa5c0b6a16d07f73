// Proves to each other that both ends of a link know the deployment's secret, without sending it: each answers the
// other's challenge with a MAC (HMAC-SHA-256, RFC 2104) over both challenges and its own role.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export type Role = 'asking' | 'answering';

export interface Challenges {
  readonly asking: string;
  readonly answering: string;
}

export const newChallenge = (): string => randomBytes(32).toString('base64url');

export const proofOf = (secret: string, role: Role, { asking, answering }: Challenges): string =>
  createHmac('sha256', secret)
    .update(`twapd engine link 1\n${role}\n${asking}\n${answering}`)
    .digest('base64url');

export function isProof(given: string, secret: string, role: Role, of: Challenges): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(proofOf(secret, role, of))];
  return a.length === b.length && timingSafeEqual(a, b);
}

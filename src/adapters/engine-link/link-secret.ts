// The secret that both ends of a link know: a text of the deployment's database under a key that is not in the database, so
// that a copy of the database alone does not give it.
import { createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** Derives the key of links from a master secret, which cannot be computed from it; both are base64. */
export const linkKeyOf = (master: string): string =>
  Buffer.from(
    hkdfSync('sha256', Buffer.from(master, 'base64'), '', 'twapd engine link v1', KEY_BYTES),
  ).toString('base64');

/** `key` is base64; without one the stored text itself is the secret. */
export const linkSecretOf = (stored: string, key: string | undefined): string =>
  key === undefined
    ? stored
    : createHmac('sha256', Buffer.from(key, 'base64')).update(stored).digest('base64url');

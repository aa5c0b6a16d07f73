// The headers that authenticate a connection: a stamp that is used once, and its signature.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Instant } from '../../../values/instant.ts';

export interface RemoteKey {
  readonly keyId: string;
  /** Base64 encoded. */
  readonly secret: string;
  /** True if the key's signature also covers the request. */
  readonly bindBody: boolean;
}

/** `path` is the path of the address. The stamp is `timestamp LF nonce`; see docs/interface.md. */
export function handshakeHeaders(
  { keyId, secret, bindBody }: RemoteKey,
  path: string,
  now: Instant,
): Readonly<Record<string, string>> {
  const nonce = randomUUID();
  const stamp = `${now}\n${nonce}`;
  const emptyBody = createHash('sha256').digest('hex');
  const content = bindBody ? `${stamp}\nGET\n${path}\n${emptyBody}` : stamp;
  const signature = createHmac('sha256', Buffer.from(secret, 'base64')).update(content);
  return {
    Authorization: `Bearer ${keyId}`,
    'Service-API-Timestamp': String(now),
    'Service-API-Nonce': nonce,
    'Service-API-Signature': signature.digest('base64'),
  };
}

// Client side of authentication: creates a stamp that is used once, and its signature.
import { randomUUID } from 'node:crypto';
import { NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER } from './credentials.ts';
import { type BoundRequest, sign, signedContent } from './signature.ts';

export interface ClientKey {
  readonly keyId: string;
  /** Base64. */
  readonly secret: string;
  /** Set for keys whose signature also covers the request. */
  readonly bindBody?: boolean | undefined;
}

interface SignedStamp {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

function stamp(key: ClientKey, nowMs: number, request: BoundRequest): SignedStamp {
  const made = { timestamp: String(nowMs), nonce: randomUUID() };
  const content = signedContent(made, key.bindBody === true ? request : undefined);
  return { ...made, signature: sign(key.secret, content) };
}

export function signedHeaders(
  key: ClientKey,
  nowMs: number,
  request: BoundRequest,
): Record<string, string> {
  const { timestamp, nonce, signature } = stamp(key, nowMs, request);
  return {
    Authorization: `Bearer ${key.keyId}`,
    [TIMESTAMP_HEADER]: timestamp,
    [NONCE_HEADER]: nonce,
    [SIGNATURE_HEADER]: signature,
  };
}

/** The signed query, percent-encoded, to be appended after the `?` of `path`. */
export function signedQuery(key: ClientKey, nowMs: number, path: string): string {
  const request = { method: 'GET', target: path, body: new Uint8Array() };
  const { timestamp, nonce, signature } = stamp(key, nowMs, request);
  return new URLSearchParams({ apiKey: key.keyId, timestamp, nonce, signature }).toString();
}

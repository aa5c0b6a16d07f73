// Credentials as they are presented: in four headers, or in the query of a WebSocket address, which
// browsers cannot give headers.
import { type Rejection, reject } from '../core/rejection.ts';

export interface Credentials {
  readonly keyId: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
}

export type Presented =
  | { readonly kind: 'presented'; readonly credentials: Credentials }
  | { readonly kind: 'refused'; readonly rejection: Rejection };

export const TIMESTAMP_HEADER = 'Service-API-Timestamp';
export const NONCE_HEADER = 'Service-API-Nonce';
export const SIGNATURE_HEADER = 'Service-API-Signature';

const KEY_PATTERN = /^[\w.-]{1,64}$/;
/** Visible ASCII. */
const NONCE_PATTERN = /^[\x21-\x7e]{1,64}$/;
const BEARER = 'Bearer ';

const NAMES = {
  authorization: 'authorization',
  timestamp: TIMESTAMP_HEADER.toLowerCase(),
  nonce: NONCE_HEADER.toLowerCase(),
  signature: SIGNATURE_HEADER.toLowerCase(),
} as const;

/** `rawHeaders` as Node gives them: name, value, name, value, each as often as it was sent. */
export function fromHeaders(rawHeaders: readonly string[]): Presented {
  const authorization = onlyHeader(rawHeaders, NAMES.authorization);
  if (!authorization?.startsWith(BEARER)) {
    return missing('Authorization', 'the header once, as "Bearer <API key>"');
  }
  return read({
    keyId: authorization.slice(BEARER.length),
    timestamp: [TIMESTAMP_HEADER, onlyHeader(rawHeaders, NAMES.timestamp)],
    nonce: [NONCE_HEADER, onlyHeader(rawHeaders, NAMES.nonce)],
    signature: [SIGNATURE_HEADER, onlyHeader(rawHeaders, NAMES.signature)],
  });
}

/** The value of a header that was sent exactly once; `name` in lower case. */
function onlyHeader(rawHeaders: readonly string[], name: string): string | undefined {
  let found: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (!isNamed(rawHeaders[at] ?? '', name)) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[at + 1];
  }
  return found;
}

/** Every value of a header, or `undefined` where it was not sent; `name` in lower case. */
export function sentHeaders(
  rawHeaders: readonly string[],
  name: string,
): readonly string[] | undefined {
  let found: string[] | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (!isNamed(rawHeaders[at] ?? '', name)) continue;
    found ??= [];
    found.push(rawHeaders[at + 1] ?? '');
  }
  return found;
}

const isNamed = (sent: string, name: string): boolean =>
  sent.length === name.length && (sent === name || sent.toLowerCase() === name);

/** `apiKey`, `timestamp`, `nonce`, `signature`, each percent-encoded once. */
export function fromQuery(query: URLSearchParams): Presented {
  const keyId = single(query.getAll('apiKey'));
  if (keyId === undefined) return missing('apiKey', 'the parameter once');
  const named = (name: string): [string, string | undefined] => [name, single(query.getAll(name))];
  return read({
    keyId,
    timestamp: named('timestamp'),
    nonce: named('nonce'),
    signature: named('signature'),
  });
}

type Named = readonly [name: string, value: string | undefined];

interface Raw {
  readonly keyId: string;
  readonly timestamp: Named;
  readonly nonce: Named;
  readonly signature: Named;
}

function read(raw: Raw): Presented {
  for (const [name, value] of [raw.timestamp, raw.nonce, raw.signature]) {
    if (value === undefined) return missing(name, 'it once');
  }
  const [, timestamp = ''] = raw.timestamp;
  const [, nonce = ''] = raw.nonce;
  const [, signature = ''] = raw.signature;
  if (!/^\d{13}$/.test(timestamp)) {
    return refused('timestamp', raw.timestamp[0], 'is not Unix milliseconds in 13 digits');
  }
  if (!NONCE_PATTERN.test(nonce)) {
    return refused('signature', raw.nonce[0], 'accepted: 1 to 64 visible characters, best a UUID');
  }
  // An ill-formed key is an unknown key: it goes the same way as any other.
  const keyId = KEY_PATTERN.test(raw.keyId) ? raw.keyId : '';
  return { kind: 'presented', credentials: { keyId, timestamp, nonce, signature } };
}

const single = (values: readonly string[]): string | undefined =>
  values.length === 1 ? values[0] : undefined;

const missing = (name: string, accepted: string): Presented =>
  refused('signature', name, `is missing or repeated; accepted: ${accepted}`);

const refused = (kind: 'signature' | 'timestamp', name: string, message: string): Presented => ({
  kind: 'refused',
  rejection: reject(kind, name, message),
});

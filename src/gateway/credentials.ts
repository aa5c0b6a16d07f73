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

type Values = readonly string[] | undefined;

/** `headers` as Node gives them with `headersDistinct`: lower case, every value apart. */
export function fromHeaders(headers: Readonly<Record<string, Values>>): Presented {
  const authorization = single(headers['authorization']);
  if (!authorization?.startsWith(BEARER)) {
    return missing('Authorization', 'the header once, as "Bearer <API key>"');
  }
  return read({
    keyId: authorization.slice(BEARER.length),
    timestamp: [TIMESTAMP_HEADER, single(headers[TIMESTAMP_HEADER.toLowerCase()])],
    nonce: [NONCE_HEADER, single(headers[NONCE_HEADER.toLowerCase()])],
    signature: [SIGNATURE_HEADER, single(headers[SIGNATURE_HEADER.toLowerCase()])],
  });
}

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

const single = (values: Values): string | undefined =>
  values?.length === 1 ? values[0] : undefined;

const missing = (name: string, accepted: string): Presented =>
  refused('signature', name, `is missing or repeated; accepted: ${accepted}`);

const refused = (kind: 'signature' | 'timestamp', name: string, message: string): Presented => ({
  kind: 'refused',
  rejection: reject(kind, name, message),
});

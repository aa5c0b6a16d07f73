// Parses credentials, which come in four headers or in the query of a WebSocket address (browsers cannot set
// headers there).
import { type Rejection, reject } from '../../core/rejection.ts';

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
/** One scheme, one space, one key. */
const IS_BEARER = /^Bearer \S+$/;
const AS_BEARER = 'the header once, as "Bearer <API key>"';
const IN_QUERY = 'apiKey, timestamp, nonce and signature in the query, each once';
const NOT_IN_QUERY =
  'credentials in the query are not accepted here; accepted: the four headers, beginning with "Bearer <API key>"';
/** Schemes that an error message may quote; any other first word may be a key. */
const SCHEMES = ['Bearer', 'Basic', 'Digest', 'Negotiate', 'OAuth', 'Token', 'ApiKey', 'HMAC'];

const NAMES = {
  authorization: 'authorization',
  timestamp: TIMESTAMP_HEADER.toLowerCase(),
  nonce: NONCE_HEADER.toLowerCase(),
  signature: SIGNATURE_HEADER.toLowerCase(),
} as const;

/**
 * Reads credentials from headers. `rawHeaders` has Node's form: name, value, name, value, each as often as it
 * was sent. `target` is the requested address; credentials in its query are ignored.
 */
export function fromHeaders(rawHeaders: readonly string[], target = ''): Presented {
  const authorization = onlyHeader(rawHeaders, NAMES.authorization);
  if (authorization === undefined && /[?&](?:apiKey|signature)=/.test(target)) {
    return refused('signature', 'Authorization', `is missing, and ${NOT_IN_QUERY}`);
  }
  if (authorization === undefined || !IS_BEARER.test(authorization)) {
    const sent = sentHeaders(rawHeaders, NAMES.authorization) ?? [];
    return refused('signature', 'Authorization', `${schemeFault(sent)}; accepted: ${AS_BEARER}`);
  }
  const named = (name: string, lower: string): Named => {
    const value = onlyHeader(rawHeaders, lower);
    return [name, value, value === undefined ? (sentHeaders(rawHeaders, lower)?.length ?? 0) : 1];
  };
  return read({
    keyId: authorization.slice(BEARER.length),
    timestamp: named(TIMESTAMP_HEADER, NAMES.timestamp),
    nonce: named(NONCE_HEADER, NAMES.nonce),
    signature: named(SIGNATURE_HEADER, NAMES.signature),
  });
}

/**
 * Describes what is wrong with the values of Authorization. Never quotes a part that may be a key or a secret.
 */
function schemeFault(sent: readonly string[]): string {
  const [value = ''] = sent;
  if (sent.length !== 1) return countFault(sent.length);
  if (/^Bearer *$/.test(value)) return 'has no key id after "Bearer"';
  if (value.startsWith(BEARER)) return 'has white space before or in the key id';
  const scheme = SCHEMES.find((one) => value.toLowerCase().startsWith(`${one.toLowerCase()} `));
  if (scheme === undefined) return 'has no "Bearer " before the key id';
  return scheme === 'Bearer'
    ? 'has the scheme "Bearer" in the wrong letter case'
    : `has the scheme "${scheme}" instead of "Bearer"`;
}

const countFault = (times: number): string =>
  times === 0 ? 'is missing' : `is sent ${times} times`;

/** Whether the client tries to authenticate: the headers contain a signature or a key. */
export const hasHeaders = (rawHeaders: readonly string[]): boolean =>
  [NAMES.authorization, NAMES.signature].some((name) => sentHeaders(rawHeaders, name));

/** Same as {@link hasHeaders}, for the query of an address. */
export const hasQuery = (query: URLSearchParams): boolean =>
  query.has('apiKey') || query.has('signature');

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

/**
 * For addresses that take credentials in the query only; the error message names a client's headers if it sent
 * them there.
 */
export function fromQueryOnly(
  query: URLSearchParams,
  { path, rawHeaders }: { readonly path: string; readonly rawHeaders: readonly string[] },
): Presented {
  if (hasQuery(query) || !hasHeaders(rawHeaders)) return fromQuery(query);
  const message = `is missing, and ${path} takes no credentials in headers; accepted: ${IN_QUERY}`;
  return refused('signature', 'apiKey', message);
}

/** Reads `apiKey`, `timestamp`, `nonce` and `signature`, each percent-encoded once. */
export function fromQuery(query: URLSearchParams): Presented {
  const named = (name: string): Named => {
    const values = query.getAll(name);
    return [name, values.length === 1 ? values[0] : undefined, values.length];
  };
  const [name, keyId, times] = named('apiKey');
  if (keyId === undefined)
    return refused('signature', name, `${countFault(times)}; accepted: ${IN_QUERY}`);
  return read({
    keyId,
    timestamp: named('timestamp'),
    nonce: named('nonce'),
    signature: named('signature'),
  });
}

/** The value if it was sent exactly once, and how often it was sent. */
type Named = readonly [name: string, value: string | undefined, times: number];

interface Raw {
  readonly keyId: string;
  readonly timestamp: Named;
  readonly nonce: Named;
  readonly signature: Named;
}

function read(raw: Raw): Presented {
  for (const [name, value, times] of [raw.timestamp, raw.nonce, raw.signature]) {
    if (value === undefined) {
      return refused('signature', name, `${countFault(times)}; accepted: once`);
    }
  }
  const [, timestamp = ''] = raw.timestamp;
  const [, nonce = ''] = raw.nonce;
  const [, signature = ''] = raw.signature;
  if (!/^\d{13}$/.test(timestamp)) {
    return refused('timestamp', raw.timestamp[0], 'is not Unix milliseconds in 13 digits');
  }
  if (!NONCE_PATTERN.test(nonce)) {
    return refused(
      'signature',
      raw.nonce[0],
      'accepted: 1 to 64 visible characters, preferably a UUID',
    );
  }
  // An ill-formed key is treated as an unknown key.
  const keyId = KEY_PATTERN.test(raw.keyId) ? raw.keyId : '';
  return { kind: 'presented', credentials: { keyId, timestamp, nonce, signature } };
}

const refused = (kind: 'signature' | 'timestamp', name: string, message: string): Presented => ({
  kind: 'refused',
  rejection: reject(kind, name, message),
});

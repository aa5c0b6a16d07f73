// Signature Version 4 of Amazon Web Services for one request with a body that is known: the header form, which every
// S3-compatible store checks. Source: "Authenticating Requests (AWS Signature Version 4)" of the Amazon S3 API Reference.
import { createHash, createHmac } from 'node:crypto';

export interface SignedAccess {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretKey: string;
}

export interface UnsignedRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** With its path and query percent-encoded. */
  readonly url: URL;
  readonly body: Uint8Array;
  /** Headers to sign beside those of the scheme, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly at: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** The headers to send: those of the request, and those that sign it. */
export function signedHeaders(
  { method, url, body, headers, at }: UnsignedRequest,
  { region, accessKeyId, secretKey }: SignedAccess,
): Readonly<Record<string, string>> {
  const time = `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const day = time.slice(0, 8);
  const digest = sha256(body);
  const all = { ...headers, 'x-amz-content-sha256': digest, 'x-amz-date': time };
  const signed = Object.entries({ ...all, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    digest,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [ALGORITHM, time, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>(
    (from, part) => hmac(from, part),
    Buffer.from(`AWS4${secretKey}`),
  );
  const credential = `${ALGORITHM} Credential=${accessKeyId}/${scope}`;
  const signature = hmac(key, text).toString('hex');
  return { ...all, authorization: `${credential}, SignedHeaders=${names}, Signature=${signature}` };
}

/** Parameters sorted by name; {@link queryText} has encoded them. */
const canonicalQuery = (url: URL): string => url.search.slice(1).split('&').sort().join('&');

/** A query whose names and values are percent-encoded as the scheme demands: all but letters, digits and `-._~`. */
export const queryText = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&');

const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

const hmac = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text, 'utf8').digest();

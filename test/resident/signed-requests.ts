// Signed requests to the portfolio operations and the order methods, made with Node's own modules alone: the
// resident checks the daemon from outside and shares no code with it.
import { createHmac, randomUUID } from 'node:crypto';

export interface ApiKey {
  readonly id: string;
  /** Base64, as configured. */
  readonly secret: string;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: replies are read field by field, as by a client without types
  readonly body: any;
}

/** Thrown for a request without a reply: the daemon is unavailable. */
export class Unanswered extends Error {}

const REQUEST_MS_MAX = 30_000;
const PORTFOLIOS = '/tt/broker/openapi/portfolios';

export function credentials({
  id,
  secret,
}: ApiKey): Record<'key' | 'at' | 'nonce' | 'sign', string> {
  const [at, nonce] = [String(Date.now()), randomUUID()];
  const sign = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${at}\n${nonce}`)
    .digest('base64');
  return { key: id, at, nonce, sign };
}

export function signedHeaders(key: ApiKey): Record<string, string> {
  const { key: id, at, nonce, sign } = credentials(key);
  return {
    Authorization: `Bearer ${id}`,
    'Service-API-Timestamp': at,
    'Service-API-Nonce': nonce,
    'Service-API-Signature': sign,
  };
}

/** The query string of a `/ws/portfolio` URL. */
export function signedQuery(key: ApiKey): string {
  const { key: apiKey, at: timestamp, nonce, sign: signature } = credentials(key);
  return new URLSearchParams({ apiKey, timestamp, nonce, signature }).toString();
}

export async function request(
  url: string,
  key: ApiKey | undefined,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers = {
    ...(key && signedHeaders(key)),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...more,
  };
  try {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      signal: AbortSignal.timeout(REQUEST_MS_MAX),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  } catch (error) {
    throw new Unanswered(`${url.replace(/\?.*/, '')}: ${String(error)}`, { cause: error });
  }
}

/** A portfolio operation: `info?portfolioId=1`, or `submit` with a body. */
export const portfolioRequest = (
  base: string,
  key: ApiKey,
  operation: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> => request(`${base}${PORTFOLIOS}/${operation}`, key, body, headers);

/** An order method, over HTTP. */
export const methodRequest = (
  base: string,
  key: ApiKey | undefined,
  method: string,
  params: object,
): Promise<Answer> => request(`${base}/api/${method}`, key, { rid: 1, method, params });

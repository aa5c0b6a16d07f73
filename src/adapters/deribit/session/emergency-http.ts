// The way to cancel when the connection of an account is gone: one signed HTTP request, sent once.

import { parseExact } from '../../../ports/deribit-wire/exact-json.ts';
import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import type { Instant } from '../../../values/instant.ts';
import { cutText } from '../../../values/text/text-length.ts';
import { type Outcome, type Params, resultOf } from '../outcome.ts';
import { type Key, loginParams, signedHeader } from './login.ts';
import { outcomeIn } from './rpc-frame.ts';

export interface HttpOptions {
  /** The address of the WebSocket; HTTP is served alongside it. */
  readonly url: string;
  readonly key: Key;
  readonly now: Instant;
  readonly timeoutMs: number;
  readonly tally: WireTally;
  readonly post: Post;
}

/** Sends a body to an address and returns the text of the answer; rejects if there is none. */
export type Post = (
  address: URL,
  request: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly timeoutMs: number;
  },
) => Promise<string>;

export const postOverHttp: Post = async (address, { body, headers, timeoutMs }) => {
  const response = await fetch(address, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return await response.text();
};

const PATH = '/api/v2';
const BYTES_SHOWN_MAX = 200;

export async function requestOverHttp(
  options: HttpOptions,
  method: string,
  params: Params,
): Promise<Outcome> {
  const uri = `${PATH}/${method}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const signed = await authorization(options, uri, body);
  if ('outcome' in signed) return signed.outcome;
  return await posted(options, uri, body, { Authorization: signed.header });
}

async function authorization(
  options: HttpOptions,
  uri: string,
  body: string,
): Promise<{ readonly header: string } | { readonly outcome: Outcome }> {
  const { key, now, url, tally } = options;
  if (key.kind === 'deribit') {
    return { header: signedHeader(key, now, { method: 'POST', uri, body }) };
  }
  const method = 'public/auth';
  const params = loginParams({ key, now, trades: true, host: new URL(url).host });
  const login = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const outcome = await posted(options, `${PATH}/${method}`, login, {});
  // The request itself was not sent.
  if (outcome.kind === 'unknown') return { outcome: { kind: 'unsent', reason: outcome.reason } };
  if (outcome.kind !== 'result') return { outcome };
  const token = new Fields('the answer to public/auth', resultOf(outcome, method), tally);
  return { header: `Bearer ${token.text('access_token')}` };
}

async function posted(
  { url, timeoutMs, tally, post }: HttpOptions,
  uri: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> {
  let text: string;
  try {
    text = await post(new URL(uri, url.replace(/^ws/, 'http')), { body, headers, timeoutMs });
  } catch (error) {
    throwProgrammingError(error);
    return { kind: 'unknown', reason: `no answer over HTTP: ${String(error)}` };
  }
  try {
    return outcomeIn(new Fields('an answer over HTTP', parseExact(text), tally));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof MalformedMessage)) throw error;
    return { kind: 'unknown', reason: `an answer over HTTP: ${cutText(text, BYTES_SHOWN_MAX)}` };
  }
}

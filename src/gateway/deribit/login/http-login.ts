// The login of one HTTP request: the header Authorization with a token (Bearer), with an id and secret (Basic), or with
// a signature of the request (deri-hmac-sha256), whose fields may be in any order.
import { Buffer } from 'node:buffer';
import type { Authenticator } from '../../auth/auth.ts';
import { sentHeaders } from '../../auth/credentials.ts';
import type { NonceUse } from '../../auth/nonces.ts';
import { type Refusal, tryAgain, unauthorized } from '../../order-api/refusals.ts';
import type { Login } from '../method/deribit-login.ts';
import type { LoginCaller } from '../method/login-desk.ts';
import { type Logins, usedSignature, wrongToken } from './logins.ts';
import { signatureUse } from './proofs.ts';

/** The request as it was sent. */
export interface SentRequest {
  readonly rawHeaders: readonly string[];
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly body: Uint8Array;
}

export type HttpLogin =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'login';
      readonly login: Login;
      /** Of the request; it is accepted once. */
      readonly signature?: NonceUse | undefined;
    }
  | Refusal;

const HEADER = 'Authorization';
const ACCEPTED = 'accepted: Bearer, Basic or deri-hmac-sha256, once';

export function httpLogin(logins: Logins, sent: SentRequest, by: LoginCaller): HttpLogin {
  const values = sentHeaders(sent.rawHeaders, 'authorization') ?? [];
  const [value = ''] = values;
  if (values.length === 0) return { kind: 'none' };
  const [scheme = '', rest] = cut(value, ' ');
  if (values.length > 1) return unauthorized(HEADER, `is sent ${values.length} times; ${ACCEPTED}`);
  switch (scheme.toLowerCase()) {
    case 'bearer': {
      const login = logins.byToken(rest.trim(), by);
      return login === undefined ? wrongToken(HEADER) : { kind: 'login', login };
    }
    case 'basic': {
      const [id = '', secret] = cut(Buffer.from(rest.trim(), 'base64').toString('utf8'), ':');
      const held = logins.holderBySecret(id, secret, by);
      return 'kind' in held ? held : { kind: 'login', login: logins.loginOfHolder(held) };
    }
    case 'deri-hmac-sha256':
      return signedLogin(logins, { sent, fields: fieldsOf(rest) }, by);
    default:
      return unauthorized(HEADER, `has an unknown scheme; ${ACCEPTED}`);
  }
}

/** Claims the signature of a request: a captured one cannot be sent again. */
export async function claimed(
  authenticator: Pick<Authenticator, 'claim'>,
  signature: NonceUse,
): Promise<Refusal | undefined> {
  switch (await authenticator.claim(signature)) {
    case 'fresh':
      return undefined;
    case 'reused':
      return usedSignature(HEADER);
    case 'unavailable':
      return tryAgain('the signature cannot be checked now; nothing was done');
  }
}

function signedLogin(
  logins: Logins,
  { sent, fields }: { readonly sent: SentRequest; readonly fields: ReadonlyMap<string, string> },
  by: LoginCaller,
): HttpLogin {
  const of = (name: string): string => fields.get(name) ?? '';
  const [id, timestamp, nonce, signature] = [of('id'), of('ts'), of('nonce'), of('sig')];
  const body = Buffer.from(sent.body).toString('utf8');
  const rest = `${sent.method}\n${sent.target}\n${body}\n`;
  const held = logins.holderBySignature(id, { timestamp, nonce, rest, signature }, by);
  if ('kind' in held) return held;
  return {
    kind: 'login',
    login: logins.loginOfHolder(held),
    signature: signatureUse(held.key.id, { timestamp, signature }),
  };
}

/** `id=…,ts=…`, with or without blanks after the commas. */
const fieldsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(',').map((field): [string, string] => {
      const [name = '', value] = cut(field.trim(), '=');
      return [name, value];
    }),
  );

function cut(text: string, at: string): readonly [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + at.length)];
}

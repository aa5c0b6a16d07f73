// How an account logs in. With Deribit's own keys the secret never leaves this process: the request is signed. An
// account hosted by Coinbase sends a short-lived token instead, signed with its CDP key.
//
// To be measured (docs/deribit.md): the claims of the token are those of Coinbase's published Advanced Trade SDK; the
// audience for `public/auth` of the derivatives gateway is not documented and is assumed to be its host and path.
import { createHmac, createPrivateKey, randomBytes, sign } from 'node:crypto';
import type { Instant } from '../../../values/instant.ts';
import type { Params } from '../outcome.ts';

export interface DeribitKey {
  readonly kind: 'deribit';
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface CoinbaseKey {
  readonly kind: 'coinbase';
  /** `organizations/…/apiKeys/…`. */
  readonly name: string;
  /** A private key in PEM: EC (P-256) or Ed25519. */
  readonly privateKey: string;
}

export type Key = DeribitKey | CoinbaseKey;

export const keyName = (key: Key): string => (key.kind === 'deribit' ? key.clientId : key.name);

const TRADE_SCOPES = 'trade:read_write account:read_write block_rfq:read_write';
const READ_SCOPES = 'trade:read account:read';

export interface LoginOptions {
  readonly key: Key;
  /** The venue's clock. */
  readonly now: Instant;
  /** Whether orders will be sent. */
  readonly trades: boolean;
  readonly host: string;
}

/** Parameters of `public/auth`. */
export function loginParams({ key, now, trades, host }: LoginOptions): Params {
  if (key.kind === 'coinbase') {
    return { grant_type: 'coinbase_cdp', token: coinbaseToken(key, now, host) };
  }
  const nonce = randomBytes(12).toString('base64url');
  return {
    grant_type: 'client_signature',
    client_id: key.clientId,
    timestamp: now,
    signature: signatureOf(key.clientSecret, `${now}\n${nonce}\n`),
    nonce,
    data: '',
    scope: trades ? TRADE_SCOPES : READ_SCOPES,
  };
}

/** The header that signs one HTTP request. `uri` is the path with its query as sent. */
export function signedHeader(
  { clientId, clientSecret }: DeribitKey,
  now: Instant,
  { method, uri, body }: { readonly method: string; readonly uri: string; readonly body: string },
): string {
  const nonce = randomBytes(12).toString('base64url');
  const text = `${now}\n${nonce}\n${method}\n${uri}\n${body}\n`;
  const signature = signatureOf(clientSecret, text);
  return `deri-hmac-sha256 id=${clientId},ts=${now},sig=${signature},nonce=${nonce}`;
}

/** Lower-case hex HMAC-SHA256, keyed with the text of the secret. */
export const signatureOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex');

const TOKEN_SEC = 120;

function coinbaseToken({ name, privateKey }: CoinbaseKey, now: Instant, host: string): string {
  const key = createPrivateKey(privateKey);
  const isEdwards = key.asymmetricKeyType === 'ed25519';
  const sec = Math.floor(now / 1_000);
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const header = {
    alg: isEdwards ? 'EdDSA' : 'ES256',
    typ: 'JWT',
    kid: name,
    nonce: randomBytes(16).toString('hex'),
  };
  const uri = `POST ${host}/api/v2/public/auth`;
  const claims = { sub: name, iss: 'cdp', nbf: sec, exp: sec + TOKEN_SEC, uri };
  const text = `${encoded(header)}.${encoded(claims)}`;
  const signed = sign(isEdwards ? null : 'sha256', Buffer.from(text), {
    key,
    dsaEncoding: 'ieee-p1363',
  });
  return `${text}.${signed.toString('base64url')}`;
}

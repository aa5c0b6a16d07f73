// Who may call what over Deribit's wire. A login is checked again at every call: its key may have been revoked or
// bound to other addresses, its time may be over, its session ended.
//
// Decisions where Deribit's documents leave room:
// - A token of scope connection is accepted on its connection only; one issued over HTTP has no connection and lives
//   until it expires.
// - A login signature is accepted once, and what it signs is never what a signed request signs: nonce and data of a login are
//   one line each, and a signed request has a line for its method and one for its address.
// - A key that signs its requests (`bindBody`) logs in by signature only, and over HTTP each request must be signed.
import { refusal } from '../../../core/order/answer-class.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import { type Instant, later, SECOND_MS } from '../../../values/instant.ts';
import type { Authenticator, Verdict } from '../../auth/auth.ts';
import { type ApiKey, isInForce, type KeyStore, owns } from '../../auth/key-store.ts';
import { requireClaimsCover } from '../../auth/nonces.ts';
import type { Desks } from '../../desks/desks.ts';
import {
  CODES,
  forbidden,
  invalidParam,
  type Refusal,
  tryAgain,
  unauthorized,
} from '../../order-api/refusals.ts';
import type { Login } from '../method/deribit-login.ts';
import type { DeribitSession } from '../method/deribit-session.ts';
import type { AuthParams, LoginCaller, LoginDesk, TokenAnswer } from '../method/login-desk.ts';
import { Grant } from './grant.ts';
import { isSecret, SIGNATURE_WINDOW_MS, signatureUse, signedBy } from './proofs.ts';
import {
  grantedScopes,
  isSessionName,
  LIFE_SEC_MAX,
  readScope,
  type ScopeWish,
  SESSION_NAMES,
  scopeText,
} from './scope-words.ts';
import { TokenStore } from './token-store.ts';

export interface LoginsOptions {
  readonly authenticator: Pick<Authenticator, 'recognise' | 'confirm' | 'claim'>;
  readonly keys: KeyStore;
  readonly orders: Pick<Desks, 'forAccount'>;
  readonly now: () => Instant;
}

/** A key that has proved itself, and the account it acts for. */
export interface Holder {
  readonly key: ApiKey;
  readonly account: AccountId;
}

export class Logins implements LoginDesk {
  readonly #parts: LoginsOptions;
  readonly #tokens = new TokenStore();
  /** The login in force on each connection. */
  readonly #onConnections = new WeakMap<DeribitSession, Grant>();

  constructor(parts: LoginsOptions) {
    requireClaimsCover('deri-hmac-sha256', SIGNATURE_WINDOW_MS);
    this.#parts = parts;
  }

  authenticate(
    params: AuthParams,
    by: LoginCaller,
  ): Reply<TokenAnswer> | Promise<Reply<TokenAnswer>> {
    if (params.grant_type === 'refresh_token') return this.#refresh(params, by);
    const scope = readScope(params.scope);
    if ('fault' in scope) return invalidParam('scope', scope.fault);
    const { value: wish } = scope;
    if (params.grant_type === 'client_credentials') {
      const held = this.#bySecret(params, by);
      return 'kind' in held ? held : this.#loggedIn(held, wish, { by, state: params.state });
    }
    const held = this.#bySignature(params, by);
    if ('kind' in held) return held;
    const { timestamp = '', signature = '' } = params;
    const use = signatureUse(held.key.id, { timestamp, signature });
    return this.#parts.authenticator.claim(use).then((claim) => {
      if (claim === 'unavailable') return tryAgain('the signature cannot be checked now');
      if (claim === 'reused') return usedSignature('signature');
      return this.#loggedIn(held, wish, { by, state: params.state });
    });
  }

  #loggedIn(
    held: Holder,
    wish: ScopeWish,
    { by, state }: { readonly by: LoginCaller; readonly state: string | undefined },
  ): Reply<TokenAnswer> {
    const { expiresSec = LIFE_SEC_MAX } = wish;
    const owner = wish.session === undefined ? by.session : undefined;
    const expiresAt = later(this.#parts.now(), expiresSec * SECOND_MS);
    const grant = new Grant({ ...held, wish, expiresAt, owner });
    return this.#granted(this.#joined(grant), by, state);
  }

  exchange(
    { refresh_token, subject_id }: Parameters<LoginDesk['exchange']>[0],
    by: LoginCaller,
  ): Reply<TokenAnswer> {
    const grant = this.#refreshable(refresh_token, by);
    if (grant === undefined) return wrongToken('refresh_token');
    const { terms } = grant;
    const account = this.#accountOf(terms.key, subject_id);
    if (account === undefined) return forbidden('subject_id', NOT_AN_ACCOUNT);
    return this.#granted(this.#joined(new Grant({ ...terms, account })), by);
  }

  fork(
    { refresh_token, session_name }: Parameters<LoginDesk['fork']>[0],
    by: LoginCaller,
  ): Reply<TokenAnswer> {
    if (!isSessionName(session_name)) {
      return invalidParam('session_name', `is not usable; accepted: ${SESSION_NAMES}`);
    }
    const grant = this.#refreshable(refresh_token, by);
    if (grant === undefined) return wrongToken('refresh_token');
    const wish = { ...grant.terms.wish, session: session_name };
    const forked = new Grant({ ...grant.terms, wish, owner: undefined });
    return this.#answer(this.#joined(forked));
  }

  /** Checks the secret of a `client_id`, which is a key's id, or `KEY/ACCOUNT`. */
  holderBySecret(clientId: string, secret: string, by: LoginCaller): Holder | Refusal {
    const held = this.#holder(clientId, isSecret(secret), by);
    return 'kind' in held || held.key.bindBody !== true ? held : signsRequests();
  }

  /** Checks a signature made with the secret of a `client_id`. */
  holderBySignature(
    clientId: string,
    signed: Parameters<typeof signedBy>[0],
    by: LoginCaller,
  ): Holder | Refusal {
    return this.#holder(clientId, signedBy(signed, this.#parts.now()), by);
  }

  /** What a holder may do in a request of its own, without a token. */
  loginOfHolder({ key, account }: Holder): Login {
    return { key, account, scopes: grantedScopes(key, { levels: {} }) };
  }

  /** `undefined` if the token is wrong, over, or another connection's. */
  byToken(token: string, by: LoginCaller): Login | undefined {
    const grant = this.#tokens.byAccess(token);
    if (grant === undefined || !isUsableBy(grant, by)) return undefined;
    const { from, via, session } = by;
    const login = this.#inForce(grant, from);
    if (login === undefined) return undefined;
    this.#parts.authenticator.confirm({ from, via, keyId: login.key.id });
    return session === undefined && login.key.bindBody === true ? undefined : login;
  }

  /** The login of a connection, while it is in force. */
  ofSession(session: DeribitSession, from: string): Login | undefined {
    const grant = this.#onConnections.get(session);
    return grant && this.#inForce(grant, from);
  }

  /** Whether the grant of a login is still in force, perhaps with other scopes. */
  isInForce({ grant, account }: Login, from: string): boolean {
    return grant instanceof Grant && this.#inForce(grant, from)?.account === account;
  }

  /** Ends the login of a connection; a named session continues unless its token is invalidated. */
  logOut(
    session: DeribitSession,
    { invalidatesToken }: { readonly invalidatesToken: boolean },
  ): void {
    const grant = this.#onConnections.get(session);
    this.#onConnections.delete(session);
    if (grant !== undefined && invalidatesToken) this.#tokens.end(grant);
  }

  /** The connection has closed. */
  left(session: DeribitSession): void {
    this.#onConnections.delete(session);
    this.#tokens.left(session);
  }

  #bySecret({ client_id, client_secret }: AuthParams, by: LoginCaller): Holder | Refusal {
    if (client_id === undefined) return missing('client_id');
    if (client_secret === undefined) return missing('client_secret');
    return this.holderBySecret(client_id, client_secret, by);
  }

  #bySignature(params: AuthParams, by: LoginCaller): Holder | Refusal {
    const { client_id, timestamp, signature, nonce = '', data = '' } = params;
    if (client_id === undefined) return missing('client_id');
    if (timestamp === undefined) return missing('timestamp');
    if (signature === undefined) return missing('signature');
    for (const [name, text] of Object.entries({ nonce, data })) {
      if (text.includes('\n')) return invalidParam(name, 'has a line break; accepted: one line');
    }
    return this.holderBySignature(client_id, { timestamp, nonce, rest: data, signature }, by);
  }

  #holder(
    clientId: string,
    isBy: (secret: string) => boolean,
    { from, via }: LoginCaller,
  ): Holder | Refusal {
    const at = clientId.indexOf('/');
    const [keyId, named] = at < 0 ? [clientId] : [clientId.slice(0, at), clientId.slice(at + 1)];
    const verdict = this.#parts.authenticator.recognise({ from, keyId, via }, isBy);
    if (verdict.kind === 'refused') return refusedLogin(verdict, this.#parts.now());
    const { key } = verdict;
    const account = this.#accountOf(key, named);
    return account === undefined ? forbidden('client_id', NOT_AN_ACCOUNT) : { key, account };
  }

  #accountOf(key: ApiKey, named: string | undefined): AccountId | undefined {
    return key.accounts.find(
      (account) =>
        (named === undefined || account === named) &&
        this.#parts.orders.forAccount(account) !== undefined,
    );
  }

  #refresh({ refresh_token, state }: AuthParams, by: LoginCaller): Reply<TokenAnswer> {
    if (refresh_token === undefined) return missing('refresh_token');
    const grant = this.#refreshable(refresh_token, by);
    if (grant === undefined) return wrongToken('refresh_token');
    const lifeSec = grant.terms.wish.expiresSec ?? LIFE_SEC_MAX;
    const expiresAt = later(this.#parts.now(), lifeSec * SECOND_MS);
    grant.renew({ ...grant.terms, expiresAt });
    return this.#granted(grant, by, state);
  }

  #refreshable(token: string, by: LoginCaller): Grant | undefined {
    const grant = this.#tokens.byRefresh(token);
    if (grant === undefined || !isUsableBy(grant, by)) return undefined;
    return this.#inForce(grant, by.from) === undefined ? undefined : grant;
  }

  /** The session of that name, if the key has one already, with the new terms. */
  #joined(grant: Grant): Grant {
    if (grant.terms.wish.session === undefined) return grant;
    const named = this.#tokens.named(grant);
    named?.renew(grant.terms);
    return named ?? grant;
  }

  #granted(grant: Grant, { session, from }: LoginCaller, state?: string): Reply<TokenAnswer> {
    const answer = this.#answer(grant, state);
    if (session === undefined) return answer;
    this.#onConnections.set(session, grant);
    const login = this.#inForce(grant, from);
    if (login !== undefined) session.loggedIn(login);
    return answer;
  }

  #answer(grant: Grant, state?: string): Reply<TokenAnswer> {
    const { access, refresh } = this.#tokens.issue(grant);
    const { key, wish, expiresAt } = grant.terms;
    const value: TokenAnswer = {
      access_token: access,
      expires_in: Math.ceil((expiresAt - this.#parts.now()) / SECOND_MS),
      refresh_token: refresh,
      scope: scopeText(key, wish),
      token_type: 'bearer',
      ...(wish.session === undefined ? {} : { sid: wish.session }),
      ...(state === undefined ? {} : { state }),
      enabled_features: [],
    };
    return { kind: 'done', value };
  }

  #inForce(grant: Grant, from: string): Login | undefined {
    const { keys, now } = this.#parts;
    const { key, account, wish, expiresAt } = grant.terms;
    if (grant.isOver) return undefined;
    const at = now();
    const current = isInForce(keys, key, at) ? keys.find(key.id) : undefined;
    if (current === undefined || at >= expiresAt) {
      this.#tokens.end(grant);
      return undefined;
    }
    const isAdmitted = (current.admits?.(from) ?? true) && (wish.admits?.(from) ?? true);
    return isAdmitted && owns(current, account) ? grant.loginAs(current) : undefined;
  }
}

const isUsableBy = ({ terms: { owner } }: Grant, { session }: LoginCaller): boolean =>
  owner === undefined || owner === session;

const NOT_AN_ACCOUNT =
  'is not an account of this key with an exchange behind it; accepted: the id of a key, or KEY/ACCOUNT';

const missing = (param: string): Refusal => invalidParam(param, 'is missing');

export const wrongToken = (param: string): Refusal =>
  unauthorized(param, 'is not in force here; accepted: the token of a login that has not ended');

export const usedSignature = (param: string): Refusal =>
  unauthorized(param, 'was already used; accepted: a new nonce for every signature');

const signsRequests = (): Refusal =>
  forbidden(
    'client_id',
    'this key signs its requests; accepted: client_signature, deri-hmac-sha256',
  );

/** One answer for unknown keys, wrong secrets and signatures, and timestamps that are off. */
function refusedLogin(
  { rejection, retryAfterSec }: Extract<Verdict, { kind: 'refused' }>,
  now: Instant,
): Refusal {
  if (rejection.kind === 'forbidden') return forbidden('', rejection.message);
  if (rejection.kind === 'too_many_requests') {
    return refusal(CODES.loginOverLimit, { param: '', reason: rejection.message, retryAfterSec });
  }
  const reason = `the client id, its secret or the signature is wrong; accepted: a timestamp within ${SIGNATURE_WINDOW_MS} ms of ${now}`;
  return refusal(CODES.invalidCredentials, { param: '', reason });
}

// Logging in over Deribit's wire, as its methods request it.
import type { Reply } from '../../../ports/trading-desk.ts';
import type { DeribitSession } from './deribit-session.ts';

/** Where a request to log in comes from. */
export interface LoginCaller {
  /** The client's address. */
  readonly from: string;
  /** The connection; absent where a proxy shares it between clients. */
  readonly via?: object | undefined;
  /** WebSocket only. */
  readonly session?: DeribitSession | undefined;
}

export interface AuthParams {
  readonly grant_type: 'client_credentials' | 'client_signature' | 'refresh_token';
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly refresh_token?: string | undefined;
  /** As sent: it is part of what was signed. */
  readonly timestamp?: string | undefined;
  readonly signature?: string | undefined;
  readonly nonce?: string | undefined;
  readonly data?: string | undefined;
  readonly state?: string | undefined;
  readonly scope?: string | undefined;
}

/** The answer to a login, with Deribit's names. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
  readonly token_type: 'bearer';
  readonly sid?: string;
  readonly state?: string;
  readonly enabled_features: readonly string[];
}

/** Gives and exchanges tokens. */
export interface LoginDesk {
  /** A promise where a signature has to be claimed: the requests behind it on the connection wait. */
  authenticate(
    params: AuthParams,
    by: LoginCaller,
  ): Reply<TokenAnswer> | Promise<Reply<TokenAnswer>>;
  /** The same login for another account of the key. */
  exchange(
    params: { readonly refresh_token: string; readonly subject_id: string },
    by: LoginCaller,
  ): Reply<TokenAnswer>;
  /** Another named session of the same login. */
  fork(
    params: { readonly refresh_token: string; readonly session_name: string },
    by: LoginCaller,
  ): Reply<TokenAnswer>;
}

// One login: a key, an account and what it may do, until it expires or ends. Its tokens may be renewed.
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { ApiKey } from '../../auth/key-store.ts';
import type { Login } from '../method/deribit-login.ts';
import type { DeribitSession } from '../method/deribit-session.ts';
import { grantedScopes, type ScopeWish } from './scope-words.ts';

export interface GrantTerms {
  /** As it was when the client showed that it holds it. */
  readonly key: ApiKey;
  readonly account: AccountId;
  readonly wish: ScopeWish;
  readonly expiresAt: Instant;
  /** The connection it belongs to; absent for named sessions, and for logins over HTTP. */
  readonly owner?: DeribitSession | undefined;
}

export class Grant {
  #terms: GrantTerms;
  #isOver = false;
  #login: { readonly current: ApiKey; readonly login: Login } | undefined;

  constructor(terms: GrantTerms) {
    this.#terms = terms;
  }

  get terms(): GrantTerms {
    return this.#terms;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** A client has logged in to the same session again, or exchanged its refresh token. */
  renew(terms: GrantTerms): void {
    this.#terms = terms;
    this.#login = undefined;
  }

  /** What it allows now; `current` is the key as it is now. The same object until either changes. */
  loginAs(current: ApiKey): Login {
    if (this.#login?.current !== current) {
      const { account, wish, key } = this.#terms;
      // It lasts as long as the secret that was shown, which may be the previous one.
      const shown = { ...current, generation: key.generation };
      const scopes = grantedScopes(current, wish);
      this.#login = { current, login: { key: shown, account, scopes, grant: this } };
    }
    return this.#login.login;
  }

  end(): void {
    this.#isOver = true;
  }
}

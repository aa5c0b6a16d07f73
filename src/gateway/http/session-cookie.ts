// The cookie of a session in a browser: no script reads it, and no other site sends it. Behind TLS its name binds it to this
// host, and only that one counts, because any page of the same domain, also over plain HTTP, can set another.
import type { IncomingMessage } from 'node:http';
import type { PageOrigins } from './page-origins.ts';

type Origins = Pick<PageOrigins, 'isSecure'>;

export class SessionCookie {
  readonly #name: string;
  readonly #path: string;

  /** `path`: over plain HTTP; the name of a cookie behind TLS demands `/`. */
  constructor(name: string, path: string) {
    this.#name = name;
    this.#path = path;
  }

  /** Empty without one. */
  of(request: IncomingMessage, origins: Origins): string {
    const accepted = this.#named(origins.isSecure(request));
    for (const one of (request.headers.cookie ?? '').split(';')) {
      const [name, value] = one.trim().split('=', 2);
      if (name === accepted && value !== undefined) return value;
    }
    return '';
  }

  /** The header `set-cookie`; `maxAgeSec` 0 removes it, absent: until the browser is closed. */
  header(value: string, isSecure: boolean, maxAgeSec?: number): string {
    const how = isSecure ? 'Path=/; Secure' : `Path=${this.#path}`;
    const until = maxAgeSec === undefined ? '' : `; Max-Age=${maxAgeSec}`;
    return `${this.#named(isSecure)}=${value}; ${how}${until}; HttpOnly; SameSite=Strict`;
  }

  #named(isSecure: boolean): string {
    return isSecure ? `__Host-${this.#name}` : this.#name;
  }
}

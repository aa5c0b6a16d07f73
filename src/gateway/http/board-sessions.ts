// Sessions of browsers that have presented a signed link to the queue's page, since browsers cannot sign
// requests. A session lasts a quarter of an hour and is kept in the memory of this process; after a restart a
// new link is needed.
import { randomBytes } from 'node:crypto';
import type { ApiKey } from '../auth/key-store.ts';

interface Session {
  readonly key: ApiKey;
  readonly untilMs: number;
}

export const SESSION_SEC = 900;
const SESSIONS_MAX = 100;
const TOKEN_BYTES = 32;

export class BoardSessions {
  readonly #sessions = new Map<string, Session>();

  /** Opens a session and returns its token; evicts the oldest session when there are too many. */
  open(key: ApiKey, nowMs: number): string {
    for (const [token, { untilMs }] of this.#sessions) {
      if (untilMs <= nowMs || this.#sessions.size >= SESSIONS_MAX) this.#sessions.delete(token);
    }
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#sessions.set(token, { key, untilMs: nowMs + SESSION_SEC * 1_000 });
    return token;
  }

  /** Returns the key of a token while the session is valid. */
  keyOf(token: string, nowMs: number): ApiKey | undefined {
    const session = this.#sessions.get(token);
    return session !== undefined && nowMs < session.untilMs ? session.key : undefined;
  }
}

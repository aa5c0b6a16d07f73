// Who has shown a signed link to the queue's page, for a quarter of an hour: browsers sign nothing by themselves.
// Known in this process only; a restart asks for a new link.
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

  /** The word to come back with; the oldest session goes when there are too many. */
  open(key: ApiKey, nowMs: number): string {
    for (const [token, { untilMs }] of this.#sessions) {
      if (untilMs <= nowMs || this.#sessions.size >= SESSIONS_MAX) this.#sessions.delete(token);
    }
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#sessions.set(token, { key, untilMs: nowMs + SESSION_SEC * 1_000 });
    return token;
  }

  /** Whose the word is, while it counts. */
  keyOf(token: string, nowMs: number): ApiKey | undefined {
    const session = this.#sessions.get(token);
    return session !== undefined && nowMs < session.untilMs ? session.key : undefined;
  }
}

// Sessions and codes of the page in memory.
import type { PageCode, PageSession, PageSessions } from '../../ports/page/page-sessions.ts';
import type { Instant } from '../../values/instant.ts';

export class MemoryPageSessions implements PageSessions {
  readonly #sessions = new Map<string, PageSession>();
  readonly #codes = new Map<string, PageCode>();

  add(session: PageSession): Promise<void> {
    this.#sessions.set(session.id, session);
    return Promise.resolve();
  }

  find(digest: string, now: Instant): Promise<PageSession | undefined> {
    const found = [...this.#sessions.values()].find((one) => one.digest === digest);
    return Promise.resolve(found !== undefined && now < found.endsAt ? found : undefined);
  }

  use(id: string, at: Instant): Promise<void> {
    const session = this.#sessions.get(id);
    if (session !== undefined && session.usedAt < at) {
      this.#sessions.set(id, { ...session, usedAt: at });
    }
    return Promise.resolve();
  }

  list(now: Instant): Promise<readonly PageSession[]> {
    const open = [...this.#sessions.values()].filter(({ endsAt }) => now < endsAt);
    return Promise.resolve(open.sort((a, b) => b.openedAt - a.openedAt));
  }

  end(id: string): Promise<boolean> {
    return Promise.resolve(this.#sessions.delete(id));
  }

  addCode(code: PageCode): Promise<void> {
    this.#codes.set(code.digest, code);
    return Promise.resolve();
  }

  takeCode(
    digest: string,
    purpose: PageCode['purpose'],
    now: Instant,
  ): Promise<PageCode | undefined> {
    const code = this.#codes.get(digest);
    if (code === undefined || code.purpose !== purpose) return Promise.resolve(undefined);
    this.#codes.delete(digest);
    return Promise.resolve(now < code.until ? code : undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

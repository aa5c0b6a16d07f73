// Sessions and codes of the page in memory. Every insert also deletes what is over, as in the durable store.
import { LedgerFailure } from '../../ports/ledger.ts';
import type { PageCode, PageSession, PageSessions } from '../../ports/page/page-sessions.ts';
import { HOUR_MS, type Instant } from '../../values/instant.ts';

export class MemoryPageSessions implements PageSessions {
  readonly #sessions = new Map<string, PageSession>();
  readonly #codes = new Map<string, PageCode>();

  add(session: PageSession): Promise<void> {
    const { id, digest, openedAt } = session;
    for (const one of [...this.#sessions.values()]) {
      if (one.id === id || one.digest === digest) return refused(`session ${id}`);
    }
    for (const one of [...this.#sessions.values()]) {
      if (one.endsAt <= openedAt) this.#sessions.delete(one.id);
    }
    this.#sessions.set(id, session);
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
    return Promise.resolve(open.sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1)));
  }

  end(id: string): Promise<boolean> {
    return Promise.resolve(this.#sessions.delete(id));
  }

  addCode(code: PageCode): Promise<void> {
    if (this.#codes.has(code.digest)) return refused('code');
    for (const { digest, until } of [...this.#codes.values()]) {
      if (until <= code.until - HOUR_MS) this.#codes.delete(digest);
    }
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

const refused = (what: string): Promise<never> =>
  Promise.reject(new LedgerFailure(`the ${what} is there already`, false));

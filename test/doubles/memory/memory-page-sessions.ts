// Sessions and codes of the page in memory. Every insert also deletes what is over, as in the durable store.
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import type { PageCode, PageSession, PageSessions } from '../../../src/ports/page/page-sessions.ts';
import { HOUR_MS, type Instant } from '../../../src/values/instant.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

export class MemoryPageSessions implements PageSessions {
  readonly #sessions = new Map<string, PageSession>();
  readonly #codes = new Map<string, PageCode>();
  readonly #requests = new StoreRequests();

  add(session: PageSession): Promise<void> {
    return this.#requests.answer(() => {
      const { id, digest, openedAt } = session;
      for (const one of this.#sessions.values()) {
        if (one.id === id || one.digest === digest) throw isThere(`session ${id}`);
      }
      for (const one of [...this.#sessions.values()]) {
        if (one.endsAt <= openedAt) this.#sessions.delete(one.id);
      }
      this.#sessions.set(id, session);
    }, session);
  }

  find(digest: string, now: Instant): Promise<PageSession | undefined> {
    return this.#requests.answer(() => {
      const found = [...this.#sessions.values()].find((one) => one.digest === digest);
      return found !== undefined && now < found.endsAt ? found : undefined;
    }, digest);
  }

  use(id: string, at: Instant): Promise<void> {
    return this.#requests.answer(() => {
      const session = this.#sessions.get(id);
      if (session !== undefined && session.usedAt < at) {
        this.#sessions.set(id, { ...session, usedAt: at });
      }
    }, id);
  }

  list(now: Instant): Promise<readonly PageSession[]> {
    return this.#requests.answer(() => {
      const open = [...this.#sessions.values()].filter(({ endsAt }) => now < endsAt);
      return open.sort((a, b) => b.openedAt - a.openedAt || (a.id < b.id ? -1 : 1));
    });
  }

  end(id: string): Promise<boolean> {
    return this.#requests.answer(() => this.#sessions.delete(id), id);
  }

  addCode(code: PageCode): Promise<void> {
    return this.#requests.answer(() => {
      if (this.#codes.has(code.digest)) throw isThere('code');
      for (const { digest, until } of [...this.#codes.values()]) {
        if (until <= code.until - HOUR_MS) this.#codes.delete(digest);
      }
      this.#codes.set(code.digest, code);
    }, code);
  }

  takeCode(
    digest: string,
    purpose: PageCode['purpose'],
    now: Instant,
  ): Promise<PageCode | undefined> {
    return this.#requests.answer(() => {
      const code = this.#codes.get(digest);
      if (code === undefined || code.purpose !== purpose) return undefined;
      this.#codes.delete(digest);
      return now < code.until ? code : undefined;
    }, digest);
  }

  /** Others use the same object. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

const isThere = (what: string): LedgerFailure =>
  new LedgerFailure(`the ${what} is there already`, false);

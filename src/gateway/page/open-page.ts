// Assembles the page: its sessions, its routes, and the stream of news that its script opens.
import type { FastifyInstance } from 'fastify';
import type { PageSessions } from '../../ports/page/page-sessions.ts';
import type { Instant } from '../../values/instant.ts';
import type { Authenticator } from '../auth/auth.ts';
import type { KeyStore } from '../auth/key-store.ts';
import type { PageOrigins } from '../http/page-origins.ts';
import { PortfolioStream, type PortfolioStreamOptions } from '../stream/portfolio-stream.ts';
import { PageAccess, type PageRules } from './page-access.ts';
import type { PageFile } from './page-files.ts';
import { cookieOf } from './page-session-hooks.ts';
import { PAGE_STREAM_PATH, type PageOptions, servePage, verifyPageStream } from './serve-page.ts';

export interface PageParts {
  readonly sessions: PageSessions;
  readonly files: readonly PageFile[];
  readonly rules: PageRules;
}

interface Around {
  readonly authenticator: Authenticator;
  readonly keys: KeyStore;
  readonly now: () => Instant;
  readonly origins: PageOrigins;
}

/** How often the session of an open stream is looked up. */
const RECHECK_MS = 1_000;

export function openPage(page: PageParts | undefined, around: Around) {
  if (page === undefined || page.rules.access === 'off') return undefined;
  const { files, rules, sessions } = page;
  const access = new PageAccess({ ...around, sessions, rules });
  const own = { ...around, access, files, rules };
  return {
    access,
    serve: (app: FastifyInstance, parts: Omit<PageOptions, keyof typeof own>): Promise<void> =>
      servePage(app, { ...parts, ...own }),
    stream: (parts: Omit<PortfolioStreamOptions, 'other'>): PortfolioStream =>
      new PortfolioStream({
        ...parts,
        other: {
          path: PAGE_STREAM_PATH,
          verify: (request, from) => verifyPageStream(request, from, own),
          opened: (request, { client, from }, end) => {
            const cookie = cookieOf(request.headers.cookie);
            const recheck = async (): Promise<void> => {
              if ((await access.find(cookie, from)) === undefined) end();
            };
            const timer = setInterval(
              () => void recheck().catch((error) => parts.report(error, PAGE_STREAM_PATH)),
              RECHECK_MS,
            );
            timer.unref();
            client.once('close', () => clearInterval(timer));
          },
        },
      }),
  };
}

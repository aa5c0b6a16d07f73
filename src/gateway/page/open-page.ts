// Assembles the page: its sessions, its routes, and the streams that its script opens: news of portfolios, and the channels
// of the order methods.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { PageSessions } from '../../ports/page/page-sessions.ts';
import type { Instant } from '../../values/instant.ts';
import type { Authenticator } from '../auth/auth.ts';
import type { KeyStore } from '../auth/key-store.ts';
import type { PageOrigins } from '../http/page-origins.ts';
import { MethodStream, type MethodStreamOptions } from '../order-api/session/method-stream.ts';
import type { AcceptedSocket } from '../order-api/session/request-connection.ts';
import { PortfolioStream, type PortfolioStreamOptions } from '../stream/portfolio-stream.ts';
import type { ReportError } from '../wire/http-faults.ts';
import { PageAccess, type PageRules } from './page-access.ts';
import type { PageFile } from './page-files.ts';
import { cookieOf } from './page-session-hooks.ts';
import { ProxyPeople, type ProxySignIn } from './proxy-people.ts';
import {
  PAGE_CHANNELS_PATH,
  PAGE_STREAM_PATH,
  type PageOptions,
  servePage,
  verifyPageStream,
} from './serve-page.ts';

export interface PageParts {
  readonly sessions: PageSessions;
  readonly files: readonly PageFile[];
  readonly rules: PageRules;
  /** A proxy that signs people in; absent: sessions are opened by codes alone. */
  readonly proxySignIn?: ProxySignIn | undefined;
}

interface Around {
  readonly authenticator: Authenticator;
  readonly keys: KeyStore;
  readonly now: () => Instant;
  readonly report: ReportError;
  readonly origins: PageOrigins;
  /** Whether the address is a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
}

/** How often the session of an open stream is looked up. */
const RECHECK_MS = 1_000;

/** What the page's stream of channels answers. Whatever changes something goes through the routes, with their confirmation. */
const CHANNEL_METHODS: ReadonlySet<string> = new Set([
  'public/subscribe',
  'public/unsubscribe',
  'private/subscribe',
  'private/unsubscribe',
  'public/test',
  'public/set_heartbeat',
]);

export function openPage(page: PageParts | undefined, around: Around) {
  if (page === undefined || page.rules.access === 'off') return undefined;
  const { files, rules, sessions, proxySignIn } = page;
  const people = proxySignIn && new ProxyPeople(proxySignIn, around.isProxy);
  const access = new PageAccess({ ...around, sessions, rules, people });
  const own = { ...around, access, files, rules };
  const verify = (request: IncomingMessage, from: string) => verifyPageStream(request, from, own);
  const endWithSession =
    (report: PortfolioStreamOptions['report'], path: string) =>
    (request: IncomingMessage, { client, from }: AcceptedSocket, end: () => void): void => {
      const cookie = cookieOf(request, around.origins);
      const recheck = async (): Promise<void> => {
        if ((await access.find(cookie, access.visitor(request, from))) === undefined) end();
      };
      const timer = setInterval(
        () => void recheck().catch((error) => report(error, path)),
        RECHECK_MS,
      );
      timer.unref();
      client.once('close', () => clearInterval(timer));
    };
  return {
    access,
    serve: (app: FastifyInstance, parts: Omit<PageOptions, keyof typeof own>): Promise<void> =>
      servePage(app, { ...parts, ...own }),
    stream: (parts: Omit<PortfolioStreamOptions, 'other'>): PortfolioStream =>
      new PortfolioStream({
        ...parts,
        other: {
          path: PAGE_STREAM_PATH,
          verify,
          opened: endWithSession(parts.report, PAGE_STREAM_PATH),
        },
      }),
    channels: (parts: Omit<MethodStreamOptions, 'other'>): MethodStream =>
      new MethodStream({
        ...parts,
        other: {
          path: PAGE_CHANNELS_PATH,
          methods: CHANNEL_METHODS,
          verify,
          opened: endWithSession(parts.report, PAGE_CHANNELS_PATH),
        },
      }),
  };
}

// The checks of every request of the page's script, in order: Host, and for what may change something Origin; cookie; the
// second secret; rate; scope. They take the place of a signature, which a browser without the key's secret cannot make.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Rejection, reject } from '../../core/rejection.ts';
import type { Authenticator } from '../auth/auth.ts';
import { admitted } from '../auth/require-account.ts';
import { FOREIGN_ORIGIN, type PageOrigins } from '../http/page-origins.ts';
import { SessionCookie } from '../http/session-cookie.ts';
import { parseBody } from '../http/signed-request.ts';
import { transportFault } from '../wire/envelope.ts';
import { Refused } from '../wire/faults.ts';
import { isHeaderSecret, type OpenSession, type PageAccess } from './page-access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of a request of the page; set before its handler runs. */
    pageSession: OpenSession | null;
  }
}

export interface PageHookOptions {
  readonly access: PageAccess;
  readonly origins: PageOrigins;
  readonly authenticator: Authenticator;
}

/** Carries the second secret. */
export const SESSION_HEADER = 'x-twapd-session';

const COOKIE = new SessionCookie('twapd_page', '/page');

const SIGNED_OUT: Rejection = reject(
  'signature',
  '',
  'there is no session, or it is over; accepted: a link from `twapd open`',
);
/** Refuses other hosts on every request of `scope`, and other origins on what may change something. */
export function guardPage(scope: FastifyInstance, origins: PageOrigins): void {
  scope.addHook('onRequest', (request, reply, done) => {
    if (!origins.isHost(request.raw)) return void misdirected(reply);
    const site = request.headers['sec-fetch-site'];
    const isForeign = request.method !== 'GET' && !origins.isOwn(request.raw);
    done(isForeign || isOtherSite(request, site) ? new Refused([FOREIGN_ORIGIN]) : undefined);
  });
}

/** Browsers name the site that asked; `none` is a person who typed the address. */
const isOtherSite = (request: FastifyRequest, site: unknown): boolean =>
  request.method === 'GET'
    ? site === 'cross-site' && request.headers['sec-fetch-mode'] !== 'navigate'
    : site !== undefined && site !== 'same-origin';

/** Admits requests of sessions; requires {@link guardPage}. */
export function admitSessions(scope: FastifyInstance, parts: PageHookOptions): void {
  for (const name of ['apiKey', 'pageSession'] as const) {
    if (!scope.hasRequestDecorator(name)) scope.decorateRequest(name, null);
  }
  scope.addHook('preValidation', async (request) => {
    const cookie = cookieOf(request.raw, parts.origins);
    const open = await parts.access.find(cookie, parts.access.visitor(request.raw, request.from));
    const given = request.headers[SESSION_HEADER];
    const isOwn = typeof given === 'string' && isHeaderSecret(cookie, given);
    if (open === undefined || !isOwn) throw new Refused([SIGNED_OUT]);
    const { lane = 'read', needs = 'oversee' } = request.routeOptions.config;
    const waitMs = parts.authenticator.take(open.key, lane, request.from);
    if (waitMs !== undefined) {
      const slower = reject('too_many_requests', '', `too many ${lane} requests; slow down`);
      throw new Refused([slower], Math.ceil(waitMs / 1_000));
    }
    request.apiKey = admitted({ kind: 'known', key: open.key }, needs);
    request.pageSession = open;
    parseBody(request);
  });
}

/** The secret of the session's cookie; empty without one. */
export const cookieOf = (
  request: IncomingMessage,
  origins: Pick<PageOrigins, 'isSecure'>,
): string => COOKIE.of(request, origins);

/** Sets the cookie; an empty secret removes it. */
export function setCookie(reply: FastifyReply, secret: string, isSecure: boolean): void {
  const maxAgeSec = secret === '' ? 0 : undefined;
  void reply.header('set-cookie', COOKIE.header(secret, isSecure, maxAgeSec));
}

export function sessionOf(request: FastifyRequest): OpenSession {
  if (request.pageSession !== null) return request.pageSession;
  throw new Refused([SIGNED_OUT]);
}

export const signedOut = (): Refused => new Refused([SIGNED_OUT]);

function misdirected(reply: FastifyReply): FastifyReply {
  const message =
    'the Host is not an address of the page; accepted: the local machine, and those of gateway.origins';
  return reply.code(421).send(transportFault('wrong_host', message));
}

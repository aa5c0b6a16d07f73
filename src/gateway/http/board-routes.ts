// The queue's page on `/queues`, for keys with the scope admin: with signed headers, or in a browser through a
// single-use signed link (made by `twapd queues`) that opens a session.
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { type Rejection, reject } from '../../core/rejection.ts';
import type { Instant } from '../../values/instant.ts';
import type { Authenticator } from '../auth/auth.ts';
import { fromHeaders, fromQuery } from '../auth/credentials.ts';
import { acceptedScopes, satisfies } from '../auth/key-needs.ts';
import { type ApiKey, isInForce, type KeyStore } from '../auth/key-store.ts';
import { httpStatus, refusal } from '../wire/envelope.ts';
import { isForNow, RETRY_SEC } from '../wire/fault-answer.ts';
import { BoardSessions, SESSION_SEC } from './board-sessions.ts';
import type { PageOrigins } from './page-origins.ts';
import { SessionCookie } from './session-cookie.ts';

export const BOARD_PATH = '/queues';

export interface BoardOptions {
  readonly board: FastifyPluginCallback;
  readonly authenticator: Authenticator;
  readonly keys: KeyStore;
  readonly now: () => Instant;
  readonly origins: Pick<PageOrigins, 'isSecure'>;
}

const COOKIE = new SessionCookie('twapd_board', BOARD_PATH);
const NO_BODY = Buffer.alloc(0);
const NO_SCOPE = reject(
  'forbidden',
  '',
  `this key lacks the scope; accepted: ${acceptedScopes('admin')}`,
);

export async function serveBoard(app: FastifyInstance, parts: BoardOptions): Promise<void> {
  const sessions = new BoardSessions();
  await app.register(
    (scope, _options, done) => {
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true };
      });
      scope.addHook('onRequest', (request, reply) => admit(request, reply, { ...parts, sessions }));
      scope.register(parts.board);
      done();
    },
    { prefix: BOARD_PATH },
  );
}

interface Door extends BoardOptions {
  readonly sessions: BoardSessions;
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  door: Door,
): Promise<FastifyReply | undefined> {
  void reply.header('referrer-policy', 'no-referrer').header('x-frame-options', 'DENY');
  const { now, sessions, keys } = door;
  const at = now();
  const known = sessions.keyOf(COOKIE.of(request.raw, door.origins), at);
  if (known !== undefined && isInForce(keys, known, at)) return undefined;
  const address = new URL(request.raw.url ?? '', 'http://localhost');
  const isLink = address.searchParams.has('apiKey');
  const verdict = await door.authenticator.verify(
    isLink ? fromQuery(address.searchParams) : fromHeaders(request.raw.rawHeaders),
    {
      lane: 'read',
      bound: { method: request.method, target: address.pathname, body: NO_BODY },
      from: request.from,
      via: request.via,
    },
  );
  if (verdict.kind === 'refused') return refused(reply, verdict.rejection, verdict.retryAfterSec);
  if (!satisfies(verdict.key, 'admin')) return refused(reply, NO_SCOPE);
  if (!isLink) return undefined;
  return welcome(reply, door, { key: verdict.key, isSecure: door.origins.isSecure(request.raw) });
}

/** Redirects to the address without the signature and sets a cookie that scripts and other sites cannot use. */
function welcome(
  reply: FastifyReply,
  { sessions, now }: Door,
  { key, isSecure }: { readonly key: ApiKey; readonly isSecure: boolean },
): FastifyReply {
  const cookie = COOKIE.header(sessions.open(key, now()), isSecure, SESSION_SEC);
  // Uses a page instead of an HTTP redirect, because browsers do not send a SameSite=Strict cookie along with
  // one.
  return reply
    .header('set-cookie', cookie)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><meta http-equiv="refresh" content="0;url=${BOARD_PATH}/"><title>twapd</title>`,
    );
}

function refused(reply: FastifyReply, rejection: Rejection, againSec = RETRY_SEC): FastifyReply {
  const status = httpStatus(rejection.kind);
  if (isForNow(status)) void reply.header('retry-after', String(againSec));
  return reply.code(status).send(refusal([rejection]));
}

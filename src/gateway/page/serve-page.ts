// The page for people: its files at `/`, and below /page its session and the operations it uses. The operations are those
// of programs; only the proof of who asks differs.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { EngineApi } from '../../engine/interface/engine-api.ts';
import type { Instant } from '../../values/instant.ts';
import type { Verdict } from '../auth/auth.ts';
import { type AuditTrailOptions, writeAuditTrail } from '../http/audit-trail.ts';
import { parseBody } from '../http/signed-request.ts';
import { inTickBatch } from '../http/tick-batch.ts';
import type { PortfolioRoutes } from '../portfolios/portfolio-method.ts';
import type { AccountDirectory } from '../portfolios/portfolio-record.ts';
import { servePortfolios } from '../portfolios/portfolio-routes.ts';
import { LIMIT_METHODS } from '../trading/limit-methods.ts';
import { serveTrading } from '../trading/serve-trading.ts';
import { SWITCH_METHODS } from '../trading/switch-methods.ts';
import { success } from '../wire/envelope.ts';
import { Refused } from '../wire/faults.ts';
import { textField } from '../wire/field-kinds.ts';
import { record } from '../wire/fields.ts';
import { confirmLoosening } from './confirm-action.ts';
import type { Hello } from './hello-record.ts';
import { headerSecret, isHeaderSecret, type OpenSession, type PageRules } from './page-access.ts';
import { PAGE_PATH, type PageFile, servePageFiles } from './page-files.ts';
import {
  admitSessions,
  cookieOf,
  guardPage,
  type PageHookOptions,
  sessionOf,
  setCookie,
  signedOut,
} from './page-session-hooks.ts';
import { serveReportPage } from './report-document.ts';

export interface PageOptions extends PageHookOptions, AuditTrailOptions {
  readonly engine: Pick<EngineApi, 'trading' | 'portfolios'>;
  readonly routes: PortfolioRoutes;
  readonly accounts: AccountDirectory;
  readonly files: readonly PageFile[];
  readonly rules: PageRules;
  readonly now: () => Instant;
  readonly version: string;
  readonly notReady: () => Promise<readonly string[]>;
}

const CODE_LENGTH_MAX = 64;
/** Of the portfolio operations, those that the page uses. */
const USED: readonly string[] = [
  ...['info', 'page', 'history', 'course', 'report'],
  ...['pause', 'resume', 'cancel', 'amend'],
];

const openBodySchema = record(
  { code: textField({ max: CODE_LENGTH_MAX, description: 'Code of `twapd open`' }) },
  'The code that opens a session',
);

export async function servePage(app: FastifyInstance, parts: PageOptions): Promise<void> {
  await app.register((open, _options, done) => {
    hide(open);
    guardPage(open, parts.origins);
    servePageFiles(open, parts.files);
    done();
  });
  await app.register(
    (scope, _options, done) => {
      hide(scope);
      guardPage(scope, parts.origins);
      serveOpening(scope, parts);
      serveReportPage(scope, parts);
      done();
    },
    { prefix: PAGE_PATH },
  );
  await app.register(
    (scope, _options, done) => {
      hide(scope);
      guardPage(scope, parts.origins);
      admitSessions(scope, parts);
      serveSession(scope, parts);
      done();
    },
    { prefix: PAGE_PATH },
  );
  await app.register(
    (scope, _options, done) => {
      hide(scope);
      guardPage(scope, parts.origins);
      admitSessions(scope, parts);
      confirmLoosening(scope, parts);
      writeAuditTrail(scope, parts);
      const { engine, routes } = parts;
      servePortfolios(scope, routes, inTickBatch(), USED);
      const { trading, portfolios: operations } = engine;
      serveTrading(scope, SWITCH_METHODS, { ...parts, trading, operations });
      serveTrading(scope, LIMIT_METHODS, { ...parts, trading });
      done();
    },
    { prefix: `${PAGE_PATH}/api` },
  );
}

const hide = (scope: FastifyInstance): void => {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
};

/** A session is opened by its code. Only the page's own script may read the answer, which has the second secret. */
function serveOpening(scope: FastifyInstance, parts: PageOptions): void {
  scope.addHook('preValidation', (request, _reply, done) => {
    parseBody(request);
    done();
  });
  const hello = async (request: FastifyRequest, cookie: string) => {
    const open = await parts.access.find(cookie, request.from);
    if (open === undefined) throw signedOut();
    return success(helloRecord(open, { ...parts, cookie }));
  };
  scope.post('/open', { schema: { body: openBodySchema } }, async (request, reply) => {
    const { code } = request.body as z.output<typeof openBodySchema>;
    const waitMs = parts.authenticator.take(undefined, 'cancel', request.from);
    if (waitMs !== undefined) throw tooMany(waitMs);
    const agent = String(request.headers['user-agent'] ?? '');
    const cookie = await parts.access.open(code, { from: request.from, agent });
    setCookie(reply, cookie, parts.origins.isSecure(request.raw));
    return await hello(request, cookie);
  });
  scope.post('/hello', (request) => hello(request, cookieOf(request.headers.cookie)));
}

function serveSession(scope: FastifyInstance, parts: PageOptions): void {
  scope.post('/use', async (request) => {
    await parts.access.use(sessionOf(request));
    return success(null);
  });
  scope.post('/leave', async (request, reply: FastifyReply) => {
    await parts.access.end(sessionOf(request).session.id);
    setCookie(reply, '', parts.origins.isSecure(request.raw));
    return success(null);
  });
  scope.get('/state', async () => {
    const reasons = await parts.notReady();
    return success({ ready: reasons.length === 0, reasons, timestamp: String(parts.now()) });
  });
}

interface Telling extends PageOptions {
  readonly cookie: string;
}

const helloRecord = (
  { key, session, until }: OpenSession,
  { cookie, accounts, rules, now, version }: Telling,
): Hello => ({
  secret: headerSecret(cookie),
  version,
  isReadOnly: rules.access !== 'full',
  uid: key.uid,
  nickname: key.nickname,
  keyId: key.id,
  scopes: key.scopes,
  accounts: key.accounts.map((id) => ({ id, ...accounts.describe(id) })),
  endsAt: String(session.endsAt),
  until: String(until),
  timestamp: String(now()),
});

export const PAGE_STREAM_PATH = `${PAGE_PATH}/ws` as const;
/** First of the subprotocols that the page offers; the second is the session's second secret. */
export const PAGE_PROTOCOL = 'twapd.page';

/** Who opens a stream: browsers send the cookie, and no header but the subprotocols can be set. */
export async function verifyPageStream(
  request: IncomingMessage,
  from: string,
  { access, origins }: Pick<PageOptions, 'access' | 'origins'>,
): Promise<Verdict> {
  const cookie = cookieOf(request.headers.cookie);
  const [protocol, secret = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(/, */);
  const isAsked = origins.isHost(request) && origins.isOwn(request) && protocol === PAGE_PROTOCOL;
  const open = isAsked ? await access.find(cookie, from) : undefined;
  if (open === undefined || !isHeaderSecret(cookie, secret)) {
    return { kind: 'refused', rejection: reject('signature', '', 'there is no session here') };
  }
  return { kind: 'known', key: open.key };
}

function tooMany(waitMs: number): Refused {
  return new Refused(
    [reject('too_many_requests', '', 'too many attempts; slow down')],
    Math.ceil(waitMs / 1_000),
  );
}

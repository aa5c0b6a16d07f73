// The page for people: its files at `/`, and below /page its session and the operations it uses. The operations are those
// of programs; only the proof of who asks differs.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { Verdict } from '../auth/auth.ts';
import { writeAuditTrail } from '../http/audit-trail.ts';
import { parseBody } from '../http/signed-request.ts';
import type { PortfolioRoutes } from '../portfolios/portfolio-method.ts';
import { servePortfolios } from '../portfolios/portfolio-routes.ts';
import { type MethodOptions, serveSomeMethods } from '../serve-methods.ts';
import { serveEveryTrading, type TradingRoutes } from '../trading-routes.ts';
import { success } from '../wire/envelope.ts';
import { Refused } from '../wire/faults.ts';
import { textField } from '../wire/field-kinds.ts';
import { record } from '../wire/fields.ts';
import { confirmLoosening } from './confirm-action.ts';
import type { Hello } from './hello-record.ts';
import {
  headerSecret,
  isHeaderSecret,
  type OpenSession,
  type PageRules,
  type Visitor,
} from './page-access.ts';
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
import { submitSchema } from './submit-schema-document.ts';

export interface PageOptions extends PageHookOptions, Omit<TradingRoutes, 'page'> {
  readonly routes: PortfolioRoutes;
  readonly methods: MethodOptions;
  readonly files: readonly PageFile[];
  readonly rules: PageRules;
  readonly notReady: () => Promise<readonly string[]>;
}

const CODE_LENGTH_MAX = 64;
/** Of the portfolio operations, those that the page uses. */
const USED: readonly string[] = [
  'info',
  'page',
  'history',
  'course',
  'report',
  'report-summary',
  'plan',
  'submit',
  'pause',
  'resume',
  'cancel',
  'amend',
];
/** Of those of trading. Codes are issued to the holder of a key only, never to a session. */
const USED_OF_TRADING: readonly string[] = [
  'summary',
  'switches',
  'switch-history',
  'switch',
  'limits',
  'actions',
  'keys',
  'strategies',
  'strategy-switch',
  'page-sessions',
  'page-session-end',
  'unaccounted',
];
/** Of the order methods. */
const USED_METHODS: readonly string[] = [
  'private/get_positions',
  'private/get_account_summary',
  'private/get_margins',
  'private/get_mmp_config',
  'private/get_mmp_status',
  'private/reset_mmp',
  'public/get_instruments',
  'public/get_instrument',
  'public/get_index_price',
  'public/ticker',
  'private/buy',
  'private/sell',
  'private/edit',
  'private/cancel',
  'private/cancel_all',
  'private/get_open_orders',
  'private/get_order_state',
  'private/get_user_trades_by_currency',
  'block/rfqs/create_rfq',
  'block/rfqs/trade',
  'block/rfqs/cancel_rfq',
  'block/rfqs/create_quote',
  'block/rfqs/edit_quote',
  'block/rfqs/cancel_quote',
  'block/rfqs/get_user_info',
  'block/rfqs/get_rfqs',
  'block/rfqs/get_quotes',
  'block/rfqs/get_makers',
];
const API_PATH = `${PAGE_PATH}/api`;

const openBodySchema = record(
  { code: textField({ max: CODE_LENGTH_MAX, description: 'Code of `twapd open`' }) },
  'The code that opens a session',
);

export async function servePage(app: FastifyInstance, parts: PageOptions): Promise<void> {
  const under = async (prefix: string, fill: (scope: FastifyInstance) => void): Promise<void> => {
    await app.register(
      (scope, _options, done) => {
        hide(scope);
        guardPage(scope, parts.origins);
        fill(scope);
        done();
      },
      { prefix },
    );
  };
  await under('', (open) => servePageFiles(open, parts.files));
  await under(PAGE_PATH, (open) => {
    serveOpening(open, parts);
    serveReportPage(open, parts);
  });
  await under(PAGE_PATH, (scope) => {
    admitSessions(scope, parts);
    serveSession(scope, parts);
  });
  await under(API_PATH, (scope) => {
    admitSessions(scope, parts);
    confirmLoosening(scope, parts);
    writeAuditTrail(scope, parts, 'portfolios');
    servePortfolios(scope, parts.routes, parts.methods.turns, USED);
  });
  await under(API_PATH, (scope) => {
    admitSessions(scope, parts);
    confirmLoosening(scope, parts);
    writeAuditTrail(scope, parts, 'trading');
    serveEveryTrading(scope, { ...parts, page: parts.access }, USED_OF_TRADING);
  });
  await under(API_PATH, (scope) => {
    admitSessions(scope, parts);
    confirmLoosening(scope, parts);
    serveSomeMethods(scope, parts.methods, USED_METHODS);
  });
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
    const open = await parts.access.find(cookie, parts.access.visitor(request.raw, request.from));
    if (open === undefined) throw signedOut();
    return success(helloRecord(open, { ...parts, cookie }));
  };
  const opened = async (
    request: FastifyRequest,
    reply: FastifyReply,
    open: (by: Visitor) => Promise<string>,
  ) => {
    const waitMs = parts.authenticator.take(undefined, 'cancel', request.from);
    if (waitMs !== undefined) throw tooMany(waitMs);
    const cookie = await open(parts.access.visitor(request.raw, request.from));
    setCookie(reply, cookie, parts.origins.isSecure(request.raw));
    return await hello(request, cookie);
  };
  scope.post('/open', { schema: { body: openBodySchema } }, (request, reply) => {
    const { code } = request.body as z.output<typeof openBodySchema>;
    return opened(request, reply, (by) => parts.access.open(code, by));
  });
  scope.post('/sign-in', (request, reply) =>
    opened(request, reply, (by) => parts.access.signIn(by)),
  );
  scope.post('/hello', (request) => hello(request, cookieOf(request.raw, parts.origins)));
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
  scope.get('/submit-schema', () => success(submitSchema()));
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
  traded: rules.traded,
  confirmsByClick: rules.confirmsByClick,
  uid: key.uid,
  nickname: key.nickname,
  keyId: key.id,
  ...(session.person !== undefined && { person: session.person }),
  scopes: key.scopes,
  accounts: key.accounts.map((id) => ({ id, ...accounts.describe(id) })),
  endsAt: String(session.endsAt),
  until: String(until),
  timestamp: String(now()),
});

export const PAGE_STREAM_PATH = `${PAGE_PATH}/ws` as const;
/** Channels of the order methods: markets, and the orders and Block RFQs of the accounts. */
export const PAGE_CHANNELS_PATH = `${PAGE_STREAM_PATH}/api` as const;
/** First of the subprotocols that the page offers; the second is the session's second secret. */
export const PAGE_PROTOCOL = 'twapd.page';

/** Who opens a stream: browsers send the cookie, and no header but the subprotocols can be set. */
export async function verifyPageStream(
  request: IncomingMessage,
  from: string,
  { access, origins }: Pick<PageOptions, 'access' | 'origins'>,
): Promise<Verdict> {
  const cookie = cookieOf(request, origins);
  const [protocol, secret = ''] = (request.headers['sec-websocket-protocol'] ?? '').split(/, */);
  const isAsked = origins.isHost(request) && origins.isOwn(request) && protocol === PAGE_PROTOCOL;
  const open = isAsked ? await access.find(cookie, access.visitor(request, from)) : undefined;
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

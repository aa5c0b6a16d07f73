// Deribit's wire over HTTP, in the five forms its clients use: GET with a query, GET with a body, and POST to
// /api/v2/{method}, /api/v2 and /api/v2/. Every answer has Deribit's envelope. An error is answered with 400; 429 and
// 503 mean that the gateway did not read the request, 500 that it failed.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refusal } from '../../core/order/answer-class.ts';
import type { ActionLog } from '../../ports/action-log.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Instant } from '../../values/instant.ts';
import type { Authenticator } from '../auth/auth.ts';
import type { Desks } from '../desks/desks.ts';
import { readBody } from '../http/read-body.ts';
import type { FairTurns, Lane } from '../limits/fair-turns.ts';
import type { RidLimits } from '../limits/limits.ts';
import { refusalOf } from '../order-api/from-rejection.ts';
import { bytesOf } from '../order-api/method-envelope.ts';
import {
  CODES,
  internalError,
  methodNotFound,
  parseError,
  type Refusal,
  tooLarge,
} from '../order-api/refusals.ts';
import { sendPieces, sendText } from '../send-text.ts';
import { httpStatus } from '../wire/envelope.ts';
import { Refused } from '../wire/faults.ts';
import type { GatewayCounts } from '../wire/gateway-counts-port.ts';
import type { ReportError } from '../wire/http-faults.ts';
import { MalformedJson, parseJson } from '../wire/json.ts';
import { callDeribit } from './call/call-deribit.ts';
import {
  type Arrival,
  arrival,
  type DeribitReading,
  deribitAnswer,
  type IdText,
  readDeribitRequest,
} from './call/deribit-envelope.ts';
import { queryParams, typedParams } from './call/query-params.ts';
import type { CostOfRequest, RequestCosts } from './credits/request-costs.ts';
import { DERIBIT_METHODS } from './deribit-method-table.ts';
import { claimed, type HttpLogin, httpLogin } from './login/http-login.ts';
import type { Logins } from './login/logins.ts';

export const DERIBIT_PATH = '/api/v2';

export interface DeribitHttpOptions {
  readonly orders: Desks;
  readonly logins: Logins;
  readonly costs: RequestCosts;
  readonly authenticator: Pick<Authenticator, 'claim'>;
  readonly actions?: ActionLog | undefined;
  readonly now: () => Instant;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly report: ReportError;
  readonly counts: GatewayCounts;
  readonly limits: RidLimits;
  readonly turns: FairTurns;
}

const NO_BODY = Buffer.alloc(0);
/** What a request costs that reaches no method. */
const READING = { lane: 'query', pool: 'non_matching' } as const;

export async function serveDeribit(app: FastifyInstance, parts: DeribitHttpOptions): Promise<void> {
  await app.register(
    (scope, _options, done) => {
      scope.setValidatorCompiler(() => () => true);
      answerErrors(scope, parts);
      const lane = parts.turns.received();
      for (const url of ['/', '/*']) {
        scope.route({
          method: ['GET', 'POST'],
          url,
          bodyLimit: parts.limits.bodyBytesMax,
          config: { isCounted: true, changesByGet: true },
          schema: { hide: true },
          handler: (request, reply) => answered(request, reply, { parts, lane }),
        });
      }
      scope.setNotFoundHandler({}, (request, reply) => {
        const refused = methodNotFound(`${request.method} ${request.url}`);
        return send(reply, undefined, refused, arrival(parts.now()));
      });
      done();
    },
    { prefix: DERIBIT_PATH },
  );
}

async function answered(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts, lane }: { readonly parts: DeribitHttpOptions; readonly lane: Lane },
): Promise<FastifyReply> {
  const arrived = arrival(parts.now());
  const body = await bodyOf(request);
  const { id, cost, answer, workedMs } = await inTurn(lane, () => begun(request, body, parts));
  const content = answer instanceof Promise ? await answer : answer;
  const sent = deribitAnswer(id, content, arrived);
  cost.charge.done(bytesOf(sent), workedMs);
  return typeof sent === 'string'
    ? sendText(reply, statusOf(content), sent)
    : sendPieces(reply, sent);
}

/** Bodies arrive in any number at a time; what follows is done for a few of them in each turn of the event loop. */
const inTurn = <T>(lane: Lane, work: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    lane.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
  });

interface Begun {
  readonly id: IdText;
  readonly cost: CostOfRequest;
  /** In an object, so that the turn does not wait for it. */
  readonly answer: Reply<unknown> | Promise<Reply<unknown>>;
  readonly workedMs: number;
}

function begun(request: FastifyRequest, body: Buffer, parts: DeribitHttpOptions): Begun {
  const reading = readHttp(request, body);
  const [id, method] =
    reading.kind === 'request' ? [reading.request.id, reading.request.method] : [reading.id, ''];
  const { rawHeaders, url: target = '' } = request.raw;
  const by = { from: request.from, via: request.via };
  const known = httpLogin(parts.logins, { rawHeaders, method: request.method, target, body }, by);
  const login = known.kind === 'login' ? known.login : undefined;
  const cost = parts.costs.begin({ known: DERIBIT_METHODS, method, login, from: request.from });
  request.isRateTaken = true;
  const answer = called({ reading, known, by, cost }, parts);
  return { id, cost, answer, workedMs: cost.charge.elapsedMs };
}

interface Calling {
  readonly reading: DeribitReading;
  readonly known: HttpLogin;
  readonly by: { readonly from: string; readonly via: object | undefined };
  readonly cost: CostOfRequest;
}

function called(
  { reading, known, by, cost }: Calling,
  parts: DeribitHttpOptions,
): Reply<unknown> | Promise<Reply<unknown>> {
  if (known.kind === 'refused') return cost.take(READING, undefined) ?? known;
  const login = known.kind === 'login' ? known.login : undefined;
  if (reading.kind === 'faulty') return cost.take(READING, login) ?? reading.refusal;
  const { orders, now, version, exchangeId, logins, actions, report, costs, authenticator } = parts;
  const about = { now, version, exchangeId };
  const call = { ...about, orders, logins, actions, ...by, login, credits: costs.rules };
  const run = () => callDeribit(call, reading.request, { logins, report, take: cost.take });
  if (known.kind !== 'login' || known.signature === undefined) return run();
  return claimed(authenticator, known.signature).then((refused) => refused ?? run());
}

/** The body of a GET is not read by the framework. */
function bodyOf(request: FastifyRequest): Buffer | Promise<Buffer> {
  if (Buffer.isBuffer(request.body)) return request.body;
  const { headers, raw } = request;
  const isEmpty = (headers['content-length'] ?? '0') === '0' && !headers['transfer-encoding'];
  if (isEmpty || raw.readableDidRead) return NO_BODY;
  return new Promise((resolve, reject) => {
    readBody(request, raw, (error, read) =>
      error === null ? resolve(read ?? NO_BODY) : reject(error),
    );
  });
}

function readHttp(request: FastifyRequest, body: Buffer): DeribitReading {
  const path = (request.params as { '*'?: string })['*'] ?? '';
  const method = path === '' ? undefined : path;
  if (body.length > 0 || method === undefined) return readDeribitRequest(parseJson(body), method);
  const { url } = request;
  const at = url.indexOf('?');
  const params = at < 0 ? {} : queryParams(url.slice(at + 1));
  const known = DERIBIT_METHODS.get(method);
  const typed = known === undefined ? params : typedParams(known, params);
  return { kind: 'request', request: { id: undefined, method, params: typed } };
}

function statusOf(reply: Reply<unknown>): number {
  if (reply.kind === 'done') return 200;
  return reply.kind === 'refused' && reply.code === CODES.internal ? 500 : 400;
}

function send(
  reply: FastifyReply,
  id: IdText,
  content: Refusal,
  arrived: Arrival,
  status = statusOf(content),
): FastifyReply {
  return sendText(reply, status, String(deribitAnswer(id, content, arrived)));
}

/** Answers requests that fail before their method runs. */
function answerErrors(scope: FastifyInstance, parts: DeribitHttpOptions): void {
  const { report, counts, costs, now } = parts;
  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    const arrived = arrival(now());
    if (error instanceof Refused) {
      const [first] = error.rejections;
      if (first !== undefined) counts.refused(first.kind);
      const { retryAfterSec } = error;
      if (retryAfterSec !== undefined) void reply.header('retry-after', String(retryAfterSec));
      const refused = first === undefined ? internalError() : refusalOf(first);
      return send(reply, undefined, refused, arrived, httpStatus(first?.kind ?? 'internal'));
    }
    // An unreadable request counts towards the limits of a client without a login.
    if (!request.isRateTaken) {
      const known = DERIBIT_METHODS;
      const cost = costs.begin({ known, method: '', login: undefined, from: request.from });
      const limited = cost.take(READING, undefined);
      cost.charge.done(0);
      if (limited !== undefined) return send(reply, undefined, limited, arrived);
    }
    const refused = refusalFor(error, parts.limits);
    if (refused === undefined) report(error, `${request.method} ${DERIBIT_PATH}`);
    return send(reply, undefined, refused ?? internalError(), arrived);
  });
}

function refusalFor(error: FastifyError, { bodyBytesMax }: RidLimits): Refusal | undefined {
  if (error instanceof MalformedJson) return parseError(`the body ${error.message}`);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(bodyBytesMax);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusal(CODES.contentType, {
        param: 'Content-Type',
        reason: 'is another media type; accepted: application/json in UTF-8',
      });
    case 'ECONNRESET':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return parseError('the body is not as long as Content-Length says');
    default:
      return error.statusCode === 400 ? parseError('the request was cut short') : undefined;
  }
}

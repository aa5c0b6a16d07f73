// The order methods over HTTP: declares the methods of the table as routes POST /api/<method>, so that the
// documents show each with its params and result.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ActionLog } from '../ports/action-log.ts';
import type { Instant } from '../values/instant.ts';
import type { Authenticator } from './auth/auth.ts';
import { sentHeaders } from './auth/credentials.ts';
import type { Desks } from './desks/desks.ts';
import { SIGNED } from './docs/openapi.ts';
import type { IdempotencyStore } from './http/idempotency.ts';
import { verifySignedRequests } from './http/signed-request.ts';
import type { WorkLimits } from './http/work-limits.ts';
import type { FairTurns } from './limits/fair-turns.ts';
import type { RidLane, RidLimits } from './limits/limits.ts';
import { answerCall } from './order-api/answer-call.ts';
import { counted, rateRefusal } from './order-api/call-method.ts';
import { Charge } from './order-api/charge.ts';
import { refusalOf } from './order-api/from-rejection.ts';
import { statusOf } from './order-api/http-status.ts';
import type { Method } from './order-api/method.ts';
import {
  answerPieces,
  answerText,
  bytesOf,
  NO_RID,
  type RidText,
  readBody,
  retryAfterSecOf,
} from './order-api/method-envelope.ts';
import { METHODS } from './order-api/method-table.ts';
import {
  internalError,
  methodNotFound,
  parseError,
  type Refusal,
  tooLarge,
} from './order-api/refusals.ts';
import { ridOf } from './order-api/refused-rid.ts';
import { sendPieces, sendText } from './send-text.ts';
import { isForNow } from './wire/fault-answer.ts';
import { Refused } from './wire/faults.ts';
import type { GatewayCounts } from './wire/gateway-counts-port.ts';
import type { ReportError } from './wire/http-faults.ts';
import { MalformedJson, parseJson } from './wire/json.ts';

export const METHODS_PATH = '/api';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether a rate-limit token has already been taken for the request. */
    isRateTaken: boolean;
  }
}

export interface MethodOptions {
  readonly orders: Desks;
  readonly once?: IdempotencyStore | undefined;
  readonly actions?: ActionLog | undefined;
  readonly authenticator: Authenticator;
  readonly now: () => Instant;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly report: ReportError;
  readonly counts: GatewayCounts;
  readonly limits: RidLimits;
  /** Limits the cost of queries. */
  readonly work: WorkLimits;
  readonly turns: FairTurns;
}

export async function serveMethods(app: FastifyInstance, parts: MethodOptions): Promise<void> {
  app.decorateRequest('isRateTaken', false);
  await app.register(
    (scope, _options, done) => {
      answerErrors(scope, parts);
      scope.setValidatorCompiler(() => () => true);
      for (const method of METHODS.values()) {
        if (method.needs === 'nothing') addRoute(scope, method, parts);
      }
      scope.post('/*', { schema: { hide: true } }, (request, reply) => {
        const { '*': name } = request.params as { '*': string };
        const reading = readBody(bodyOf(request), name);
        const rid = reading.kind === 'faulty' ? reading.rid : reading.request.rid;
        return answer(reply, rid, methodNotFound(name));
      });
      done();
    },
    { prefix: METHODS_PATH },
  );
  await app.register(
    (scope, _options, done) => {
      answerErrors(scope, parts);
      scope.setValidatorCompiler(() => () => true);
      verifySignedRequests(scope, parts);
      for (const method of METHODS.values()) {
        if (method.needs !== 'nothing') addRoute(scope, method, parts);
      }
      done();
    },
    { prefix: METHODS_PATH },
  );
}

/** Declares these methods as routes of `scope`, which admits the callers. */
export function serveSomeMethods(
  scope: FastifyInstance,
  parts: MethodOptions,
  names: readonly string[],
): void {
  if (!scope.hasRequestDecorator('isRateTaken')) scope.decorateRequest('isRateTaken', false);
  answerErrors(scope, parts);
  scope.setValidatorCompiler(() => () => true);
  for (const name of names) {
    const method = METHODS.get(name);
    if (method !== undefined) addRoute(scope, method, parts);
  }
}

function addRoute(scope: FastifyInstance, method: Method, parts: MethodOptions): void {
  const { name, summary, needs, lane } = method;
  scope.post(
    `/${name}`,
    {
      bodyLimit: parts.limits.bodyBytesMax,
      config: needs === 'nothing' ? { isCounted: true } : { lane, needs },
      schema: {
        summary: method.isWebSocketOnly ? `${summary} (over /ws/api only)` : summary,
        tags: [name.split('/')[0] ?? ''],
        ...schemasOf(method),
        ...(needs === 'nothing' ? {} : { security: [...SIGNED] }),
      },
    },
    async (request, reply) => {
      const reading = readBody(bodyOf(request), name);
      const key = request.apiKey ?? undefined;
      const charge = new Charge(
        { work: parts.work, known: METHODS },
        { key, from: request.from },
        name,
      );
      const take = (): number | undefined => rateOf(request, parts, lane) ?? charge.take(lane);
      if (reading.kind === 'faulty') {
        return answer(reply, reading.rid, counted(reading.refusal, lane, take));
      }
      const { orders, actions, once, now, version, exchangeId, report } = parts;
      const onceKey = headerKey(request);
      const about = { version, exchangeId, now };
      const call = { ...about, orders, actions, once, key, from: request.from, onceKey };
      const asked = answerCall(call, reading.request, { take, report });
      const workedMs = charge.elapsedMs;
      const content = asked instanceof Promise ? await asked : asked;
      const pieces = answerPieces(reading.request.rid, content);
      charge.done(bytesOf(pieces), workedMs);
      return typeof pieces === 'string'
        ? answer(reply, reading.request.rid, content, pieces)
        : sendPieces(reply, pieces);
    },
  );
}

/** Takes a rate-limit token, unless the signature check of a signed request already has. */
function rateOf(
  request: FastifyRequest,
  { authenticator }: MethodOptions,
  lane: RidLane,
): number | undefined {
  // Absent if no route is signed.
  if (request.apiKey) return undefined;
  request.isRateTaken = true;
  return authenticator.take(undefined, lane, request.from);
}

/** The header's value; an unusable key is refused where it is used. */
function headerKey(request: FastifyRequest): string | undefined {
  return sentHeaders(request.raw.rawHeaders, 'idempotency-key')?.join(', ');
}

/** The parsed body; for signed requests the signature check has parsed it. */
function bodyOf(request: FastifyRequest): unknown {
  return Buffer.isBuffer(request.body) ? parseJson(request.body) : (request.body ?? {});
}

function answer(
  reply: FastifyReply,
  rid: RidText,
  content: Parameters<typeof answerText>[1],
  text = answerText(rid, content),
): FastifyReply {
  const status = statusOf(content);
  if (isForNow(status) && !reply.hasHeader('retry-after')) {
    void reply.header('retry-after', String(retryAfterSecOf(content)));
  }
  return sendText(reply, status, text);
}

/** Answers requests that fail before their method runs, in the envelope of the methods. */
function answerErrors(scope: FastifyInstance, parts: MethodOptions): void {
  const { report, counts, limits } = parts;
  scope.setErrorHandler<FastifyError>(async (error, request, reply) => {
    const refused = refusalFor(error, limits);
    // An unreadable body counts towards the limits of an unauthenticated client.
    if (request.routeOptions.config.isCounted && !request.isRateTaken) {
      const waitMs = rateOf(request, parts, 'query');
      if (waitMs !== undefined) return answer(reply, NO_RID, rateRefusal('query', waitMs));
    }
    if (error instanceof Refused) {
      for (const kind of new Set(error.rejections.map((one) => one.kind))) counts.refused(kind);
      if (error.retryAfterSec !== undefined) {
        void reply.header('retry-after', String(error.retryAfterSec));
      }
    }
    if (refused === undefined) {
      report(error, `${request.method} ${request.routeOptions.url ?? ''}`);
      return answer(reply, await ridOf(request), internalError());
    }
    return answer(reply, await ridOf(request), refused);
  });
}

function refusalFor(error: FastifyError, { bodyBytesMax }: RidLimits): Refusal | undefined {
  if (error instanceof Refused) {
    const [first] = error.rejections;
    return first === undefined ? undefined : refusalOf(first);
  }
  if (error instanceof MalformedJson) return parseError(`the body ${error.message}`);
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge(bodyBytesMax);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return parseError('the body has another media type; accepted: application/json in UTF-8');
    case 'ECONNRESET':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return parseError('the body is not as long as Content-Length says');
    default:
      return error.statusCode === 400 ? parseError('the request was cut short') : undefined;
  }
}

const rid = z
  .union([z.string(), z.int()])
  .nullable()
  .describe('Chosen by the client, echoed digit for digit; optional over HTTP');

interface MethodSchemas {
  readonly body: z.ZodType;
  readonly response: { readonly 200: z.ZodType };
}

/** Building them takes longer than declaring the route, and they are the same for every server of the process. */
const schemas = new WeakMap<Method, MethodSchemas>();

function schemasOf(method: Method): MethodSchemas {
  const made = schemas.get(method) ?? {
    body: bodySchema(method),
    response: { 200: answerSchema(method) },
  };
  schemas.set(method, made);
  return made;
}

const bodySchema = ({ name, params }: Method) =>
  z.object({ rid: rid.optional(), method: z.literal(name).optional(), params }).meta({
    description: 'The envelope; the params alone are accepted too',
  });

const answerSchema = ({ result }: Method) =>
  z.object({ rid, result }).describe('On success; otherwise {rid, error: {code, message, data?}}');

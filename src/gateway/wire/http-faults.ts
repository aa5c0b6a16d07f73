// Maps every failure of a request to an envelope with the right status. Client input never causes a 5xx, and no
// answer contains a stack trace or the text of an internal error.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type RejectionKind, reject } from '../../core/rejection.ts';
import { refusal, type TransportFault, transportFault } from './envelope.ts';
import { type FaultAnswer, faultAnswer } from './fault-answer.ts';
import { Refused } from './faults.ts';
import type { GatewayCounts } from './gateway-counts-port.ts';

/** Reports internal errors, which need an operator. */
export type ReportError = (error: unknown, where: string) => void;

const TRANSPORT: Readonly<Record<string, readonly [number, TransportFault, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'too_large', 'the body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'wrong_media_type',
    'the body has another media type; accepted: application/json in UTF-8',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'malformed',
    'the body is not as long as Content-Length says',
  ],
  FST_ERR_BAD_URL: [400, 'malformed', 'the address cannot be decoded'],
};

export interface FaultAnswerOptions {
  readonly report: ReportError;
  readonly counts: GatewayCounts;
  readonly bodyBytesMax: number;
}

export function answerFaults(app: FastifyInstance, parts: FaultAnswerOptions): void {
  const { report, counts, bodyBytesMax } = parts;
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof Refused) for (const kind of kindsOf(error)) counts.refused(kind);
    const meant = faultAnswer(error);
    if (meant !== undefined) return send(reply, meant);
    const known = TRANSPORT[error.code];
    if (known !== undefined) return sendTransport(reply, known, bodyBytesMax);
    if (isBrokenRequest(error)) {
      return reply.code(400).send(transportFault('malformed', 'the request was cut short'));
    }
    report(error, `${request.method} ${request.routeOptions.url ?? ''}`);
    return reply.code(500).send(refusal([reject('internal', '', 'internal error')]));
  });
  app.setNotFoundHandler((request, reply) => sendNotFound(app, request, reply));
}

/** Answers an undecodable address, before any route is known. */
export function badAddress(reply: FastifyReply): void {
  void reply
    .code(400)
    .type('application/json')
    .send(transportFault('malformed', 'the address cannot be decoded'));
}

/** Counts each kind once: a body with ten faults is one refusal. */
const kindsOf = ({ rejections }: Refused): ReadonlySet<RejectionKind> =>
  new Set(rejections.map((one) => one.kind));

function send(reply: FastifyReply, { status, envelope, retryAfterSec }: FaultAnswer): FastifyReply {
  if (retryAfterSec !== undefined) void reply.header('retry-after', String(retryAfterSec));
  return reply.code(status).send(envelope);
}

function sendTransport(
  reply: FastifyReply,
  [status, fault, message]: readonly [number, TransportFault, string],
  bodyBytesMax: number,
): FastifyReply {
  const accepted = fault === 'too_large' ? `; accepted: at most ${bodyBytesMax} bytes` : '';
  return reply.code(status).send(transportFault(fault, message + accepted));
}

/** The client disconnected or broke the framing while the body was read. */
const isBrokenRequest = (error: FastifyError): boolean =>
  error.code === 'ECONNRESET' || error.statusCode === 400;

function sendNotFound(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? '';
  const allowed = ['GET', 'POST'].filter((method) => app.hasRoute({ method, url: path }));
  if (allowed.length === 0) {
    return reply.code(404).send(transportFault('no_such_route', 'no such address'));
  }
  const message = `the HTTP method is not allowed here; accepted: ${allowed.join(', ')}`;
  return reply
    .code(405)
    .header('allow', allowed.join(', '))
    .send(transportFault('wrong_method', message));
}

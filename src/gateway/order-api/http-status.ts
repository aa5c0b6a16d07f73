// The HTTP status of an answer: 200 for success, 4xx for refusals. 5xx never means that the request was wrong.
import type { Reply } from '../../ports/trading-desk.ts';
import { asShown, CODES } from './refusals.ts';

const STATUS: ReadonlyMap<number, number> = new Map([
  [CODES.methodNotFound, 404],
  [CODES.unauthorized, 401],
  [CODES.forbidden, 403],
  [CODES.keyReused, 409],
  [CODES.tooManyRequests, 429],
  [CODES.retry, 503],
  [CODES.tooLarge, 413],
  [CODES.internal, 500],
]);

const REFUSED = 400;
const UNKNOWN_OUTCOME = 503;

export function statusOf(reply: Reply<unknown>): number {
  if (reply.kind === 'done') return 200;
  return reply.kind === 'unknown' ? UNKNOWN_OUTCOME : (STATUS.get(asShown(reply).code) ?? REFUSED);
}

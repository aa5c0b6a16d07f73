// The HTTP status an answer travels with: 200 for what was done, 4xx for what was refused. 5xx is never
// about the request.
import type { Reply } from '../../ports/trading-desk.ts';
import { CODES } from './refusals.ts';

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
  return reply.kind === 'unknown' ? UNKNOWN_OUTCOME : (STATUS.get(reply.code) ?? REFUSED);
}

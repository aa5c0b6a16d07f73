// Refusals by the gateway itself, for requests that never reach an exchange, with codes and names from the
// venue's table.

import { isUnsent, type Refused, refusal } from '../../core/order/answer-class.ts';
import { VENUE_CODES } from '../../core/order/venue-codes.ts';
import { REJECTION_CODES } from '../../core/rejection.ts';
import { must } from '../../values/assert.ts';
import { SECOND_MS } from '../../values/instant.ts';
import { cutText } from '../../values/text/text-length.ts';

export type Refusal = Refused;

export const CODES = {
  keyReused: REJECTION_CODES.key_reused,
  parseError: -32700,
  tooLarge: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  noSuchOrder: 10004,
  tooManyRequests: 10028,
  notOwner: 10029,
  needsWebSocket: 10030,
  retry: 10040,
  badRequest: 11050,
  otherError: 11031,
  internal: 11094,
  loginOverLimit: 12003,
  invalidCredentials: 13004,
  unauthorized: 13009,
  contentType: 13018,
  notFound: 13020,
  forbidden: 13021,
  outcomeUnknown: 13028,
  mmpRequired: 13040,
  rawNeedsLogin: 13778,
} as const;

/** The name of a code. */
export const nameOf = (code: number): string =>
  must(VENUE_CODES.get(code), `${code} is in the table`).name;

const refuse = (code: number, param: string, reason: string): Refusal =>
  refusal(code, { param, reason });

/** A refused parameter; `reason` states what would be accepted. */
export const invalidParam = (param: string, reason: string): Refusal =>
  refuse(CODES.invalidParams, param, reason);

export const parseError = (reason: string): Refusal => refuse(CODES.parseError, '', reason);

/** The envelope is malformed. */
export const badRequest = (param: string, reason: string): Refusal =>
  refuse(CODES.badRequest, param, reason);

export const tooLarge = (bytesMax: number): Refusal =>
  refuse(CODES.tooLarge, '', `accepted: at most ${bytesMax} bytes`);

export const methodNotFound = (name: string): Refusal =>
  refuse(
    CODES.methodNotFound,
    'method',
    `${JSON.stringify(cutText(name, 64))} is not known; accepted: the methods of /openapi.json`,
  );

/** An idempotency key was used for two different requests. */
export const keyReused = (param: string): Refusal =>
  refuse(
    CODES.keyReused,
    param,
    'was already used for a different request; accepted: a new key per request',
  );

/** The deployment has no market-maker protection. */
export const mmpRequired = (): Refusal =>
  refuse(CODES.mmpRequired, '', 'this deployment has no market-maker protection');

export const unauthorized = (param: string, reason: string): Refusal =>
  refuse(CODES.unauthorized, param, reason);

export const forbidden = (param: string, reason: string): Refusal =>
  refuse(CODES.forbidden, param, reason);

export function tooManyRequests(reason: string, waitMs: number = SECOND_MS): Refusal {
  const retryAfterSec = Math.ceil(waitMs / SECOND_MS);
  return refusal(CODES.tooManyRequests, { param: '', reason, retryAfterSec });
}

/** A temporary refusal; nothing was done. */
export const tryAgain = (reason: string): Refusal => refuse(CODES.retry, '', reason);

/**
 * A refusal as clients see it. To them the code of what was not sent means that the request may have been executed, and
 * this one was not.
 */
export const asShown = (refused: Refusal): Refusal =>
  isUnsent(refused) ? { ...refused, code: CODES.retry, message: nameOf(CODES.retry) } : refused;

/** The requested object does not exist for this client. */
export const notFound = (param: string, reason: string): Refusal =>
  refuse(CODES.notFound, param, reason);

export const needsWebSocket = (): Refusal =>
  refuse(CODES.needsWebSocket, 'method', 'acts on a connection; accepted: a call over /ws/api');

export const rawNeedsLogin = (channel: string): Refusal =>
  refuse(
    CODES.rawNeedsLogin,
    'channels',
    `${cutText(channel, 64)} needs a signed connection; accepted without: the intervals 100ms and agg2`,
  );

export const internalError = (): Refusal =>
  refuse(CODES.internal, '', 'internal error; the details are in the server log');

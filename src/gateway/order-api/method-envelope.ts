// Parses requests {rid, method, params} and writes their answers {rid, result} or {rid, error}. The rid is
// echoed digit for digit.

import type { Reply } from '../../ports/trading-desk.ts';
import { cutText } from '../../values/text/text-length.ts';
import { RETRY_SEC } from '../wire/fault-answer.ts';
import { shown } from '../wire/fields.ts';
import { NumberText } from '../wire/json.ts';
import { ReadyJson } from '../wire/ready-json.ts';
import { asShown, badRequest, CODES, nameOf, type Refusal } from './refusals.ts';

/** A rid as JSON text, ready to be inserted into an answer. */
export type RidText = string & { readonly ridText?: never };

export const NO_RID: RidText = 'null';
const RID_LENGTH_MAX = 64;

export interface RidRequest {
  readonly rid: RidText;
  readonly method: string;
  readonly params: unknown;
}

export type RequestReading =
  | { readonly kind: 'request'; readonly request: RidRequest }
  | { readonly kind: 'faulty'; readonly rid: RidText; readonly refusal: Refusal };

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['rid', 'method', 'params']);

/** Reads a frame, in which `rid` and `method` are required. */
export function readFrame(input: unknown): RequestReading {
  if (!isObject(input)) return faulty(NO_RID, '', `is ${shown(input)}; ${ENVELOPE}`);
  const rid = ridText(input['rid']);
  if (rid === undefined) return faulty(NO_RID, 'rid', ridFault(input['rid']));
  const { method } = input;
  if (typeof method !== 'string') return faulty(rid, 'method', `${wrong(method)}; ${A_METHOD}`);
  return checked({ rid, method, params: input['params'] ?? {} }, input);
}

/**
 * Reads an HTTP body for the method of the address: either the envelope, in which `rid` and `method` are
 * optional, or the params alone.
 */
export function readBody(input: unknown, method: string): RequestReading {
  if (!isObject(input)) return faulty(NO_RID, '', `is ${shown(input)}; ${ENVELOPE}`);
  if (!Object.keys(input).some((name) => ENVELOPE_KEYS.has(name))) {
    return { kind: 'request', request: { rid: NO_RID, method, params: input } };
  }
  const given = input['rid'] ?? undefined;
  const rid = given === undefined ? NO_RID : ridText(given);
  if (rid === undefined) return faulty(NO_RID, 'rid', ridFault(given));
  const named = input['method'] ?? method;
  if (named !== method) {
    return faulty(
      rid,
      'method',
      `is ${shown(named)}; accepted: the method of the address, ${method}`,
    );
  }
  return checked({ rid, method, params: input['params'] ?? {} }, input);
}

/** The pieces of a serialised answer; a large value is a buffer shared by all of its recipients. */
export type AnswerPieces = string | readonly [before: string, value: Buffer, after: string];

export function answerPieces(rid: RidText, reply: Reply<unknown>): AnswerPieces {
  if (reply.kind !== 'done' || !(reply.value instanceof ReadyJson)) return answerText(rid, reply);
  return [`{"rid":${rid},"result":`, reply.value.bytes, '}'];
}

/** Length in bytes; a rid may contain multi-byte characters. */
export const bytesOf = (pieces: AnswerPieces): number =>
  typeof pieces === 'string'
    ? Buffer.byteLength(pieces)
    : Buffer.byteLength(pieces[0]) + pieces[1].length + Buffer.byteLength(pieces[2]);

/** The whole answer as text. */
export function answerText(rid: RidText, reply: Reply<unknown>): string {
  switch (reply.kind) {
    case 'done':
      return `{"rid":${rid},"result":${JSON.stringify(reply.value)}}`;
    case 'refused':
      return `{"rid":${rid},"error":${JSON.stringify(errorOf(reply))}}`;
    case 'unknown':
      return `{"rid":${rid},"error":${JSON.stringify(unknownError(reply.reason))}}`;
  }
}

export interface RidError {
  readonly code: number;
  readonly message: string;
  readonly data: {
    readonly param: string;
    readonly reason: string;
    /** Set on temporary refusals. */
    readonly retryAfterSec?: number;
  };
}

/** Another account's order is reported as not found, so that guessing ids reveals nothing. */
function errorOf(refused: Refusal): RidError {
  const { code, message, details } = asShown(refused);
  const isById = code === CODES.noSuchOrder && details?.param !== 'label';
  if (code === CODES.notOwner || isById) {
    return { code: CODES.noSuchOrder, message: nameOf(CODES.noSuchOrder), data: NO_SUCH_ORDER };
  }
  if (REFUSED_FOR_NOW.has(code)) {
    const { param = '', reason = message, retryAfterSec = RETRY_SEC } = details ?? {};
    return { code, message, data: { param, reason, retryAfterSec } };
  }
  // Some venues send only a code and a name.
  const { param = '', reason = message } = details ?? {};
  return { code, message, data: { param, reason } };
}

/** The same text whether the order does not exist or belongs to another account. */
const NO_SUCH_ORDER = {
  param: 'orderId',
  reason: 'no order of this account has it; accepted: an id that an earlier answer gave',
} as const;

const REFUSED_FOR_NOW: ReadonlySet<number> = new Set([CODES.tooManyRequests, CODES.retry]);

/** Seconds after which a retry may succeed. */
export const retryAfterSecOf = (reply: Reply<unknown>): number =>
  (reply.kind === 'refused' ? reply.details?.retryAfterSec : undefined) ?? RETRY_SEC;

/** The request may have taken effect: a client that sent an order should query it by its label. */
function unknownError(reason: string): RidError {
  return {
    code: CODES.outcomeUnknown,
    message: nameOf(CODES.outcomeUnknown),
    data: { param: '', reason: `outcome unknown, it may have been done: ${reason}` },
  };
}

function checked(request: RidRequest, input: Record<string, unknown>): RequestReading {
  for (const name of Object.keys(input)) {
    if (!ENVELOPE_KEYS.has(name)) {
      return faulty(request.rid, cutText(name, RID_LENGTH_MAX), `is not known here; ${ENVELOPE}`);
    }
  }
  return { kind: 'request', request };
}

export function ridText(rid: unknown): RidText | undefined {
  if (typeof rid === 'string') {
    return rid.length <= RID_LENGTH_MAX ? JSON.stringify(rid) : undefined;
  }
  if (rid instanceof NumberText) {
    return /^-?\d+$/.test(rid.source) && rid.source.length <= RID_LENGTH_MAX
      ? rid.source
      : undefined;
  }
  return Number.isInteger(rid) ? String(rid) : undefined;
}

const ENVELOPE = 'accepted: an object with rid, method and params';
const A_METHOD = 'accepted: the name of a method';
const ridFault = (rid: unknown): string =>
  `${wrong(rid)}; accepted: a whole number or text, at most ${RID_LENGTH_MAX} characters`;

const wrong = (value: unknown): string =>
  value === undefined ? 'is missing' : `is ${shown(value)}`;

export const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' &&
  input !== null &&
  !Array.isArray(input) &&
  !(input instanceof NumberText);

const faulty = (rid: RidText, param: string, reason: string): RequestReading => ({
  kind: 'faulty',
  rid,
  refusal: badRequest(param, reason),
});

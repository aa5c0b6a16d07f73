// Requests {rid, method, params} and their answers {rid, result} or {rid, error}. The rid comes back
// digit for digit as it was sent.
import type { Reply } from '../../ports/trading-desk.ts';
import { RETRY_SEC } from '../wire/fault-answer.ts';
import { shown } from '../wire/fields.ts';
import { NumberText } from '../wire/json.ts';
import { ReadyJson } from '../wire/ready-json.ts';
import { badRequest, CODES, nameOf, type Refusal } from './refusals.ts';

/** As JSON text, ready to be put into an answer. */
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

/** A frame: `rid` and `method` are needed. */
export function readFrame(input: unknown): RequestReading {
  if (!isObject(input)) return faulty(NO_RID, '', `is ${shown(input)}; ${ENVELOPE}`);
  const rid = ridText(input['rid']);
  if (rid === undefined) return faulty(NO_RID, 'rid', ridFault(input['rid']));
  const { method } = input;
  if (typeof method !== 'string') return faulty(rid, 'method', `${wrong(method)}; ${A_METHOD}`);
  return checked({ rid, method, params: input['params'] ?? {} }, input);
}

/**
 * A body for the method of its address: the envelope, in which `rid` and `method` may be left out, or
 * the params alone.
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
    return faulty(rid, 'method', `is ${shown(named)}; accepted: that of the address, ${method}`);
  }
  return checked({ rid, method, params: input['params'] ?? {} }, input);
}

/** An answer in the pieces it is written in: large values are bytes already, shared by all who are sent them. */
export type AnswerPieces = string | readonly [before: string, value: Buffer, after: string];

export function answerPieces(rid: RidText, reply: Reply<unknown>): AnswerPieces {
  if (reply.kind !== 'done' || !(reply.value instanceof ReadyJson)) return answerText(rid, reply);
  return [`{"rid":${rid},"result":`, reply.value.bytes, '}'];
}

/** As it is sent; a rid may hold characters of several bytes. */
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
    /** Of what is refused for now. */
    readonly retryAfterSec?: number;
  };
}

/** An order of another is told as one that is not there: whoever guesses ids learns nothing of them. */
function errorOf({ code, message, details }: Refusal): RidError {
  const isById = code === CODES.noSuchOrder && details?.param !== 'label';
  if (code === CODES.notOwner || isById) {
    return { code: CODES.noSuchOrder, message: nameOf(CODES.noSuchOrder), data: NO_SUCH_ORDER };
  }
  if (REFUSED_FOR_NOW.has(code)) {
    const { param = '', reason = message, retryAfterSec = RETRY_SEC } = details ?? {};
    return { code, message, data: { param, reason, retryAfterSec } };
  }
  // Some venues give a code and a name alone.
  const { param = '', reason = message } = details ?? {};
  return { code, message, data: { param, reason } };
}

/** The same words whether the id is nobody's or somebody else's. */
const NO_SUCH_ORDER = {
  param: 'orderId',
  reason: 'no order of this account has it; accepted: an id that an earlier answer gave',
} as const;

const REFUSED_FOR_NOW: ReadonlySet<number> = new Set([CODES.tooManyRequests, CODES.retry]);

/** Of what may be answered otherwise later. */
export const retryAfterSecOf = (reply: Reply<unknown>): number =>
  (reply.kind === 'refused' ? reply.details?.retryAfterSec : undefined) ?? RETRY_SEC;

/** The request may have had its effect: whoever sent an order asks for its label. */
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
      return faulty(request.rid, name.slice(0, RID_LENGTH_MAX), `is not known here; ${ENVELOPE}`);
    }
  }
  return { kind: 'request', request };
}

function ridText(rid: unknown): RidText | undefined {
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

const ENVELOPE = 'accepted: an object of rid, method, params';
const A_METHOD = 'accepted: the name of a method as text';
const ridFault = (rid: unknown): string =>
  `${wrong(rid)}; accepted: a whole number or text, at most ${RID_LENGTH_MAX} characters`;

const wrong = (value: unknown): string =>
  value === undefined ? 'is missing' : `is ${shown(value)}`;

const isObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' &&
  input !== null &&
  !Array.isArray(input) &&
  !(input instanceof NumberText);

const faulty = (rid: RidText, param: string, reason: string): RequestReading => ({
  kind: 'faulty',
  rid,
  refusal: badRequest(param, reason),
});

// The envelope every answer of the portfolio operations has, and the numbers for what goes wrong
// before an operation is reached. `code` is 0 on success and never 0 otherwise.
import { REJECTION_CODES, type Rejection, type RejectionKind } from '../../core/rejection.ts';
import type { AsciiJson } from './ascii-json.ts';

export interface Fault {
  /** Path of the field; empty when no single one is at fault. */
  readonly field: string;
  readonly code: number;
  readonly message: string;
}

export interface Envelope<T = unknown> {
  readonly succ: boolean;
  readonly code: number;
  readonly message: string;
  readonly value: T | null;
  /** Only on refusals: every fault found, the first one is that of `code`. */
  readonly errors?: Fault[];
}

/** Faults of the request as such; five digits, HTTP status first, like the refusals' codes. */
export const TRANSPORT_CODES = {
  malformed: 40010,
  no_such_route: 40410,
  wrong_method: 40510,
  timed_out: 40810,
  too_large: 41310,
  wrong_media_type: 41510,
  headers_too_large: 43110,
} as const;

export type TransportFault = keyof typeof TRANSPORT_CODES;

const MESSAGES_MAX = 5;

export const success = <T>(value: T): Envelope<T> => ({ succ: true, code: 0, message: '', value });

/** The same of a value that is JSON already. */
export const successText = (value: AsciiJson): AsciiJson =>
  `{"succ":true,"code":0,"message":"","value":${value}}` as AsciiJson;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The first fault gives the code, the message tells the first five. */
export function refusal(rejections: readonly Rejection[]): Envelope<never> {
  const errors = rejections.map((one) => ({
    field: one.field,
    code: REJECTION_CODES[one.kind],
    message: one.message,
  }));
  const told = errors.slice(0, MESSAGES_MAX).map(sentence);
  if (errors.length > MESSAGES_MAX) told.push(`and ${errors.length - MESSAGES_MAX} more`);
  const code = errors[0]?.code ?? REJECTION_CODES.internal;
  return { succ: false, code, message: told.join('; '), value: null, errors };
}

export function transportFault(fault: TransportFault, message: string): Envelope<never> {
  const code = TRANSPORT_CODES[fault];
  return { succ: false, code, message, value: null, errors: [{ field: '', code, message }] };
}

/** The HTTP status a refusal travels with: business refusals are answers, and answers are 200. */
export function httpStatus(kind: RejectionKind): number {
  switch (kind) {
    case 'signature':
    case 'timestamp':
    case 'nonce_reused':
      return 401;
    case 'forbidden':
      return 403;
    case 'key_reused':
      return 409;
    case 'too_many_requests':
      return 429;
    case 'unavailable':
      return 503;
    case 'internal':
      return 500;
    default:
      return 200;
  }
}

const sentence = (fault: Fault): string =>
  fault.field === '' ? fault.message : `${fault.field}: ${fault.message}`;

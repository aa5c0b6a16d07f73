// The envelope of all answers of the portfolio operations, and the codes for requests that fail before they
// reach an operation. `code` is 0 on success and never 0 otherwise.
import { REJECTION_CODES, type Rejection, type RejectionKind } from '../../core/rejection.ts';

export interface Fault {
  /** Path of the field; empty if no single field is at fault. */
  readonly field: string;
  readonly code: number;
  readonly message: string;
}

export interface Envelope<T = unknown> {
  readonly succ: boolean;
  readonly code: number;
  readonly message: string;
  readonly value: T | null;
  /** On refusals only: every fault found; `code` is that of the first one. */
  readonly errors?: Fault[];
}

/**
 * Codes of transport faults: five digits, the first three being the HTTP status, like the codes of refusals.
 */
export const TRANSPORT_CODES = {
  malformed: 40010,
  no_such_route: 40410,
  wrong_method: 40510,
  timed_out: 40810,
  too_large: 41310,
  wrong_media_type: 41510,
  wrong_host: 42110,
  headers_too_large: 43110,
} as const;

export type TransportFault = keyof typeof TRANSPORT_CODES;

const MESSAGES_MAX = 5;

export const success = <T>(value: T): Envelope<T> => ({ succ: true, code: 0, message: '', value });

/** Same as {@link success}, for a value that is already JSON. */
export const successText = (value: string): string =>
  `{"succ":true,"code":0,"message":"","value":${value}}`;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Builds a refusal: the code is that of the first fault, and the message lists the first five. */
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

/** The HTTP status of a refusal: business refusals are regular answers, with status 200. */
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

// A client of the order methods: signs and sends single requests. Every outcome is a value; a request is sent only once, so
// its outcome may be unknown.
import { throwProgrammingError } from '../../values/errors/programming-error.ts';
import { type ClientKey, signedHeaders } from '../auth/signed-stamp.ts';
import { isObject } from './answer-shapes.ts';
import { type ClientTls, sendHttp } from './secure-http.ts';

export interface MethodClientOptions extends ClientKey {
  /** For example `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** How a gateway that serves TLS is trusted. */
  readonly tls?: ClientTls | undefined;
  readonly timeoutMs?: number;
  /** Unix milliseconds; defaults to the clock of this machine. */
  readonly now?: () => number;
}

export type MethodAnswer<T = unknown> =
  | { readonly kind: 'done'; readonly value: T }
  | {
      readonly kind: 'refused';
      readonly code: number;
      readonly message: string;
      readonly param: string;
      readonly reason: string;
      /** Set on temporary refusals. */
      readonly retryAfterSec?: number | undefined;
    }
  /** The request was sent and may have taken effect. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** The connection could not be made: nothing was done. */
  | { readonly kind: 'unreachable'; readonly reason: string };

const TIMEOUT_MS = 15_000;
const OUTCOME_UNKNOWN = 13028;

type WrittenError = Parameters<typeof refusalOf>[0];

const isWhole = (value: unknown): boolean => Number.isInteger(value);

/** Checked without the schema library, which costs a short command more than its request. */
const isError = (value: unknown): value is WrittenError =>
  isObject(value) &&
  isWhole(value['code']) &&
  typeof value['message'] === 'string' &&
  (value['data'] === undefined || isErrorData(value['data']));

const isErrorData = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['param'] === 'string' &&
  typeof value['reason'] === 'string' &&
  (value['retryAfterSec'] === undefined || isWhole(value['retryAfterSec']));

/** Sends one request. The gateway's own tests guarantee the shape of the value. */
export async function requestMethod<T = unknown>(
  options: MethodClientOptions,
  method: string,
  params: object,
): Promise<MethodAnswer<T>> {
  const target = `/api/${method}`;
  const text = JSON.stringify(params);
  const nowMs = (options.now ?? Date.now)();
  const headers = {
    ...signedHeaders(options, nowMs, { method: 'POST', target, body: Buffer.from(text) }),
    'Content-Type': 'application/json',
  };
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    const request = { method: 'POST', headers, body: text, signal } as const;
    const response = await sendHttp(options, target, request);
    const answer: unknown = await response.json();
    if (isObject(answer) && isError(answer['error'])) return refusalOf(answer['error']);
    return isObject(answer) && 'result' in answer
      ? { kind: 'done', value: answer['result'] as T }
      : { kind: 'unknown', reason: `HTTP ${response.status}: no answer` };
  } catch (error) {
    // An answer that is not JSON leaves the outcome unknown, as none would.
    if (!(error instanceof SyntaxError)) throwProgrammingError(error);
    return failureOf(error as Error);
  }
}

function refusalOf(error: {
  readonly code: number;
  readonly message: string;
  readonly data?:
    | {
        readonly param: string;
        readonly reason: string;
        readonly retryAfterSec?: number | undefined;
      }
    | undefined;
}): MethodAnswer<never> {
  const { code, message, data = { param: '', reason: message, retryAfterSec: undefined } } = error;
  if (code === OUTCOME_UNKNOWN) return { kind: 'unknown', reason: data.reason };
  const { param, reason, retryAfterSec } = data;
  const wait = retryAfterSec === undefined ? {} : { retryAfterSec };
  return { kind: 'refused', code, message, param, reason, ...wait };
}

/** Only a connection that was never made proves that nothing was done. */
function failureOf({ message, cause }: Error): MethodAnswer<never> {
  const reason = cause instanceof Error ? cause.message || message : message;
  const wasRefused = (cause as { readonly code?: unknown } | undefined)?.code === 'ECONNREFUSED';
  return { kind: wasRefused ? 'unreachable' : 'unknown', reason };
}

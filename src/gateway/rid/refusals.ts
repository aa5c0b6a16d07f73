// What the gateway itself refuses, with the numbers and names of the venue's code table: requests that
// never reach an exchange.
import type { Reply } from '../../ports/trading-desk.ts';

export type Refusal = Extract<Reply<never>, { readonly kind: 'refused' }>;

const refuse = (code: number, message: string, param: string, reason: string): Refusal => ({
  kind: 'refused',
  code,
  message,
  details: { param, reason },
});

export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  orderNotFound: 10004,
  tooManyRequests: 10028,
  needsWebSocket: 10030,
  cancelOnDisconnectFailed: 10049,
  otherError: 11031,
  internal: 11094,
  unauthorized: 13009,
  forbidden: 13021,
  unavailable: 13028,
  rawNeedsLogin: 13778,
} as const;

/** One parameter and what would be accepted. */
export const invalidParam = (param: string, reason: string): Refusal =>
  refuse(CODES.invalidParams, 'Invalid params', param, reason);

export const parseError = (reason: string): Refusal =>
  refuse(CODES.parseError, 'Parse error', '', reason);

/** The envelope is not one. */
export const invalidRequest = (param: string, reason: string): Refusal =>
  refuse(CODES.invalidRequest, 'Invalid Request', param, reason);

export const tooLarge = (bytesMax: number): Refusal =>
  refuse(
    CODES.invalidRequest,
    'request entity too large',
    '',
    `accepted: at most ${bytesMax} bytes`,
  );

export const methodNotFound = (name: string): Refusal =>
  refuse(
    CODES.methodNotFound,
    'Method not found',
    'method',
    `${JSON.stringify(name.slice(0, 64))} is not known; accepted: the methods of /openapi.json`,
  );

export const unauthorized = (param: string, reason: string): Refusal =>
  refuse(CODES.unauthorized, 'unauthorized', param, reason);

export const forbidden = (param: string, reason: string): Refusal =>
  refuse(CODES.forbidden, 'forbidden', param, reason);

export const tooManyRequests = (reason: string): Refusal =>
  refuse(CODES.tooManyRequests, 'too_many_requests', '', reason);

export const unavailable = (reason: string): Refusal =>
  refuse(CODES.unavailable, 'temporarily_unavailable', '', reason);

export const needsWebSocket = (): Refusal =>
  refuse(
    CODES.needsWebSocket,
    'must_be_websocket_request',
    'method',
    'acts on a connection; accepted: over /ws/api',
  );

export const rawNeedsLogin = (channel: string): Refusal =>
  refuse(
    CODES.rawNeedsLogin,
    'raw_subscriptions_not_available_for_unauthorized',
    'channels',
    `${channel.slice(0, 64)} needs a signed connection; accepted without: the intervals 100ms and agg2`,
  );

export const instrumentNotFound = (param = 'instrumentName'): Refusal =>
  invalidParam(param, 'instrument not found; accepted: a name of public/get_instruments');

export const internalError = (): Refusal =>
  refuse(CODES.internal, 'internal_server_error', '', 'a fault of ours; the log has it');

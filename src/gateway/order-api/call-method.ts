// Executes one request through the method table: looks up the method, authorizes the caller, parses the params,
// resolves the account and runs the method. Nothing here waits for an instrument that is known, so orders reach the
// order API in order of arrival.
import type { Asker } from '../../ports/deployment/engine-line.ts';
import { assert } from '../../values/assert.ts';
import { acceptedScopes, isChange, satisfies } from '../auth/key-needs.ts';
import { type ApiKey, owns } from '../auth/key-store.ts';
import { forRequest } from '../http/request-scope.ts';
import type { RidLane } from '../limits/limits.ts';
import type { AccountCall, Call, Method, MethodAnswer } from './method.ts';
import type { RidRequest, RidText } from './method-envelope.ts';
import { METHODS } from './method-table.ts';
import { recorded } from './record-action.ts';
import {
  forbidden,
  invalidParam,
  methodNotFound,
  needsWebSocket,
  type Refusal,
  tooManyRequests,
  unauthorized,
} from './refusals.ts';

/** Takes a token of the lane; returns the milliseconds to wait if there is none. */
export type TakeToken = (lane: RidLane) => number | undefined;

export function callMethod(call: Call, request: RidRequest, take: TakeToken): MethodAnswer {
  const method = METHODS.get(request.method);
  if (method === undefined) return counted(methodNotFound(request.method), 'query', take);
  const refused = mayCall(method, call);
  if (refused !== undefined) return counted(refused, method.lane, take);
  const params = method.read(request.params);
  if ('refusal' in params) return counted(params.refusal, method.lane, take);
  const waitMs = take(method.lane);
  if (waitMs !== undefined) return rateRefusal(method.lane, waitMs);
  const name = method.lane === 'order_cancel' ? undefined : method.instrumentOf(params.value);
  const run = (): MethodAnswer => runMethod(call, method, { request, params: params.value });
  // Waits only for an instrument that was listed a moment ago, or that does not exist. A cancel does not wait.
  return name === undefined || call.orders.knows(name)
    ? run()
    : call.orders.findInstrument(name).then(run);
}

function runMethod(
  call: Call,
  method: Method,
  { request, params }: { readonly request: RidRequest; readonly params: unknown },
): MethodAnswer {
  if (method.needs === 'nothing') {
    const run = (): MethodAnswer => method.run(call, params);
    return call.key === undefined ? run() : forRequest(inHandOf(call.key, method, request), run);
  }
  const at = accountCall(call, method, params);
  if ('refusal' in at) return at.refusal;
  return forRequest(inHandOf(at.call.key, method, request), () =>
    isChange(method.needs) ? recorded(at.call, method, params) : method.run(at.call, params),
  );
}

const inHandOf = ({ uid, scopes }: ApiKey, { name }: Method, { rid }: RidRequest): Asker => ({
  rid: asChosen(rid),
  method: name,
  uid,
  scopes,
});

/** A request that is refused for other reasons still counts towards the rate limit. */
export function counted(refusal: Refusal, lane: RidLane, take: TakeToken): Refusal {
  const waitMs = take(lane);
  return waitMs === undefined ? refusal : rateRefusal(lane, waitMs);
}

/** The rid as the client wrote it, without the quotes of a string. */
const asChosen = (rid: RidText): string =>
  rid.startsWith('"') ? (JSON.parse(rid) as string) : rid;

export const rateRefusal = (lane: RidLane, waitMs: number): Refusal =>
  tooManyRequests(
    `too many requests of the kind ${lane}; accepted: a retry after ${waitMs} ms`,
    waitMs,
  );

function mayCall(method: Method, { key, session }: Call): Refusal | undefined {
  if (method.isWebSocketOnly && session === undefined) return needsWebSocket();
  if (method.needs === 'nothing') return undefined;
  if (key === undefined) {
    return unauthorized('method', `${method.name} needs a signed request or connection`);
  }
  if (satisfies(key, method.needs)) return undefined;
  const accepted = acceptedScopes(method.needs);
  return forbidden('method', `this key lacks the scope; accepted: a key with ${accepted}`);
}

function accountCall(
  call: Call,
  method: Method,
  params: unknown,
): { readonly call: AccountCall } | { readonly refusal: Refusal } {
  const { key, orders } = call;
  assert(key !== undefined, `${method.name} was let through without a key`);
  const account = method.accountOf(params) ?? firstWithDesk(call, key);
  if (account === undefined || !owns(key, account)) {
    const reason = 'is not an account of this key; accepted: an account of this key';
    return { refusal: forbidden('accountId', reason) };
  }
  const desk = orders.forAccount(account);
  if (desk !== undefined) return { call: { ...call, key, account, desk } };
  const reason = `${account} has no exchange behind it; accepted: an account other than a dummy account`;
  return { refusal: invalidParam('accountId', reason) };
}

function firstWithDesk({ orders }: Call, key: ApiKey) {
  return key.accounts.find((account) => orders.forAccount(account) !== undefined);
}

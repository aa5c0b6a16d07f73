// Executes one request through the table of Deribit's methods: looks up the method, checks how it may be called and by
// whom, parses the params, takes rate and credits, and runs it. Never throws, never rejects. Nothing here waits for an
// instrument that is known, so orders reach the order API in order of arrival.

import { isPeerAway } from '../../../ports/deployment/engine-peers.ts';
import { MarketUnanswered } from '../../../ports/market-reads.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import { isProgrammingError } from '../../../values/errors/programming-error.ts';
import { cutText } from '../../../values/text/text-length.ts';
import { forRequest } from '../../http/request-scope.ts';
import type { RidLane } from '../../limits/limits.ts';
import { recordedCall, recordIn } from '../../order-api/record-action.ts';
import {
  forbidden,
  internalError,
  methodNotFound,
  needsWebSocket,
  type Refusal,
  tryAgain,
  unauthorized,
} from '../../order-api/refusals.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import { DERIBIT_METHODS } from '../deribit-method-table.ts';
import { type Logins, wrongToken } from '../login/logins.ts';
import type { CreditPool } from '../method/credit-rules.ts';
import { allows, type Login } from '../method/deribit-login.ts';
import type { DeribitAnswer, DeribitCall, DeribitMethod } from '../method/deribit-method.ts';
import type { DeribitRequest } from './deribit-envelope.ts';

export interface DeribitCosts {
  readonly lane: RidLane;
  readonly pool: CreditPool;
}

export interface DeribitAnswering {
  readonly logins: Pick<Logins, 'byToken'>;
  /** Takes what a call costs; returns the refusal if it is not there. */
  readonly take: (costs: DeribitCosts, login: Login | undefined) => Refusal | undefined;
  readonly report: ReportError;
}

const UNKNOWN_METHOD: DeribitCosts = { lane: 'query', pool: 'non_matching' };
const PRIVATE = 'private/';
const RID_SHOWN = 64;

/** Synchronous if the method does not have to wait. */
export function callDeribit(
  call: DeribitCall,
  request: DeribitRequest,
  answering: DeribitAnswering,
): DeribitAnswer {
  const failed = (error: unknown): Reply<unknown> => {
    if (!isProgrammingError(error)) {
      if (error instanceof MarketUnanswered) return tryAgain('the venue does not answer');
      if (isPeerAway(error)) return tryAgain('the engine does not answer');
    }
    const { method } = request;
    answering.report(error, `deribit ${DERIBIT_METHODS.has(method) ? method : 'unknown'}`);
    return internalError();
  };
  try {
    const answer = started(call, request, answering);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

function started(
  call: DeribitCall,
  request: DeribitRequest,
  { logins, take }: DeribitAnswering,
): DeribitAnswer {
  const method = DERIBIT_METHODS.get(request.method);
  const login = loginOf(call, request, logins);
  if (method === undefined) {
    return take(UNKNOWN_METHOD, login) ?? methodNotFound(request.method);
  }
  const refused = mayCall(method, request, { call, login });
  if (refused !== undefined) return take(method, login) ?? refused;
  const params = method.read(request.params);
  if ('refusal' in params) return take(method, login) ?? params.refusal;
  const limited = take(method, login);
  if (limited !== undefined) return limited;
  const { value } = params;
  const run = (): DeribitAnswer =>
    runMethod({ ...call, login }, { method, request, params: value });
  // Waits only for an instrument that was listed a moment ago, or that does not exist. A cancel does not wait.
  const name = method.lane === 'order_cancel' ? undefined : method.instrumentOf(value);
  return name === undefined || call.orders.knows(name)
    ? run()
    : call.orders.findInstrument(name).then(run);
}

/** The login of a request: its own token's, or else that of the connection or the header. */
function loginOf(
  call: DeribitCall,
  { method, params }: DeribitRequest,
  logins: Pick<Logins, 'byToken'>,
): Login | undefined {
  const token = params['access_token'];
  if (typeof token !== 'string' || !method.startsWith(PRIVATE)) return call.login;
  const login = logins.byToken(token, call);
  if (login !== undefined) call.session?.loggedIn(login);
  return login;
}

function mayCall(
  { name, scope, isWebSocketOnly }: DeribitMethod,
  { params }: DeribitRequest,
  { call, login }: { readonly call: DeribitCall; readonly login: Login | undefined },
): Refusal | undefined {
  if (isWebSocketOnly && call.session === undefined) return needsWebSocket();
  if (!name.startsWith(PRIVATE)) return undefined;
  if (login === undefined) {
    return params['access_token'] === undefined
      ? unauthorized('', `${name} needs a login; accepted: public/auth first, or a header`)
      : wrongToken('access_token');
  }
  if (scope === undefined || allows(login, scope)) return undefined;
  return forbidden('scope', `this login lacks ${scope}; accepted: a token that has it`);
}

interface Running {
  readonly method: DeribitMethod;
  readonly request: DeribitRequest;
  readonly params: unknown;
}

function runMethod(call: DeribitCall, running: Running): DeribitAnswer {
  const { method, request, params } = running;
  const { login } = call;
  if (login === undefined) return method.run(call, params);
  const { account, key } = login;
  const inHand = {
    rid: cutText(request.id ?? '', RID_SHOWN),
    method: method.name,
    uid: key.uid,
    scopes: key.scopes,
  };
  if (method.scope === undefined) return forRequest(inHand, () => method.run(call, params));
  const desk = call.orders.forAccount(account);
  if (desk === undefined) return forbidden('', `account ${account} has no exchange behind it`);
  const own = { ...call, login, account, desk };
  const run = (): DeribitAnswer => method.run(own, params);
  return forRequest(inHand, () => {
    const about = method.about?.(params);
    if (about === undefined) return run();
    return recordedCall({
      client: { ...call, key },
      account,
      lane: method.lane,
      run,
      method: `deribit ${method.name}`,
      about: (result) => {
        const got = recordIn(result) as ChangedOrder | undefined;
        return {
          instrument: about.instrument ?? got?.instrument_name,
          label: about.label ?? (got?.label || undefined),
          orderId: about.id ?? got?.order_id,
        };
      },
    });
  });
}

/** What the answer to a change may say about the order. */
interface ChangedOrder {
  readonly instrument_name?: string;
  readonly label?: string;
  readonly order_id?: string;
}

// Executes a call and returns its answer. An unexpected error of the order API or the method table is our
// fault: it is reported to the operator and not shown to the client. A venue that does not answer is not: the
// client may retry.

import { isPeerAway } from '../../ports/deployment/engine-peers.ts';
import { MarketUnanswered } from '../../ports/market-reads.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import type { ReportError } from '../wire/http-faults.ts';
import { callMethod, type TakeToken } from './call-method.ts';
import type { Call } from './method.ts';
import type { RidRequest } from './method-envelope.ts';
import { METHODS } from './method-table.ts';
import { internalError, tryAgain } from './refusals.ts';

export interface Answering {
  readonly take: TakeToken;
  readonly report: ReportError;
}

/** Synchronous if the method does not have to wait. Never throws, never rejects. */
export function answerCall(
  call: Call,
  request: RidRequest,
  { take, report }: Answering,
): Reply<unknown> | Promise<Reply<unknown>> {
  const failed = (error: unknown): Reply<unknown> => {
    if (!isProgrammingError(error)) {
      if (error instanceof MarketUnanswered) return tryAgain('the venue does not answer');
      if (isPeerAway(error)) return tryAgain('the engine does not answer');
    }
    report(error, METHODS.has(request.method) ? request.method : 'rid');
    return internalError();
  };
  try {
    const answer = callMethod(call, request, take);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}

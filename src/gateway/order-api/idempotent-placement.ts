// Places an order with an idempotency key once; a repetition of the request gets the first answer.

import { LedgerFailure } from '../../ports/ledger.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import { IDEMPOTENCY_KEY } from '../http/idempotency.ts';
import type { AccountCall, MethodAnswer } from './method.ts';
import { invalidParam, keyReused, tryAgain } from './refusals.ts';

export interface IdempotentRequest {
  readonly method: string;
  /** The parsed params, including `idempotencyKey`. */
  readonly params: Readonly<Record<string, unknown>> & {
    readonly idempotencyKey?: string | undefined;
  };
  readonly act: () => Promise<Reply<unknown>>;
}

const PARAM = 'idempotencyKey';
const UNANSWERED =
  'a request with this idempotency key was started and its outcome is unknown: query its order first';

/** Synchronous without a key, so that orders keep their order. */
export function placeIdempotently(
  call: AccountCall,
  { method, params, act }: IdempotentRequest,
): MethodAnswer {
  const { idempotencyKey = call.onceKey, ...asked } = params;
  if (idempotencyKey === undefined) return act();
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return invalidParam(PARAM, 'is not usable; accepted: 1 to 64 visible characters, once');
  }
  if (call.onceKey !== undefined && call.onceKey !== idempotencyKey) {
    return invalidParam(
      PARAM,
      'differs from the header Idempotency-Key; accepted: the same key in both, or only one of them',
    );
  }
  if (call.once === undefined)
    return invalidParam(PARAM, 'is not supported here; accepted: a request without it');
  const body = { ...asked, method, accountId: call.account };
  return answeredOnce(call, `order:${call.key.id}:${idempotencyKey}`, { body, act });
}

async function answeredOnce(
  { once }: AccountCall,
  key: string,
  { body, act }: { readonly body: unknown; readonly act: () => Promise<Reply<unknown>> },
): Promise<Reply<unknown>> {
  try {
    const answer = await once?.run({ key, body, act, isDone: ({ kind }) => kind !== 'refused' });
    if (answer?.kind === 'answered') return answer.answer;
    return answer?.kind === 'other' ? keyReused(PARAM) : { kind: 'unknown', reason: UNANSWERED };
  } catch (error) {
    if (!(error instanceof LedgerFailure) || isProgrammingError(error)) throw error;
    return tryAgain('the ledger is not available; nothing was sent');
  }
}

// An order with an idempotency key is placed once; the same request again gets the first answer.
import { LedgerFailure } from '../../ports/ledger.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import { IDEMPOTENCY_KEY } from '../http/idempotency.ts';
import type { AccountCall, MethodAnswer } from './method.ts';
import { invalidParam, keyReused, tryAgain } from './refusals.ts';

export interface OnceAsked {
  readonly method: string;
  /** As they were read; `idempotencyKey` among them. */
  readonly params: Readonly<Record<string, unknown>> & {
    readonly idempotencyKey?: string | undefined;
  };
  readonly act: () => Promise<Reply<unknown>>;
}

const PARAM = 'idempotencyKey';
const UNANSWERED =
  'the request with this idempotency key was begun and has no answer: look for its order first';

/** At once where there is no key, so that orders keep their order. */
export function oncePerKey(call: AccountCall, { method, params, act }: OnceAsked): MethodAnswer {
  const { idempotencyKey = call.onceKey, ...asked } = params;
  if (idempotencyKey === undefined) return act();
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return invalidParam(PARAM, 'is not usable; accepted: 1 to 64 visible characters, once');
  }
  if (call.onceKey !== undefined && call.onceKey !== idempotencyKey) {
    return invalidParam(PARAM, 'is another than the header Idempotency-Key; accepted: one key');
  }
  if (call.once === undefined) return invalidParam(PARAM, 'is not kept here; accepted: none');
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
    if (!(error instanceof LedgerFailure)) throw error;
    return tryAgain('the ledger is not available; nothing was sent');
  }
}

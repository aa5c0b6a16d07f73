// Records calls that may change an order, with their outcome, as they are answered. The log writes them in
// batches shortly afterwards, so that no order waits for it. When too many records wait to be written, new
// calls are refused, except cancels.
import type { Reply } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { AccountCall, Call, Method, MethodAnswer } from './method.ts';
import { tryAgain } from './refusals.ts';

/** `params` is the result of the method's `read`. */
export function recorded(call: AccountCall, method: Method, params: unknown): MethodAnswer {
  const { actions } = call;
  if (actions === undefined) return method.run(call, params);
  if (actions.isBehind && method.lane === 'order') {
    return tryAgain('the audit trail cannot be written now; cancels are accepted');
  }
  return answeredAndNoted(call, { method, params, answer: method.run(call, params) });
}

/** Records the end of a connection that cancels the orders made over it. */
export async function recordDisconnect(call: Call, account: AccountId): Promise<void> {
  const { actions, now, key, from = '' } = call;
  if (key === undefined) return;
  const who = { keyId: key.id, uid: key.uid, nickname: key.nickname, address: from, account };
  await actions?.record({ at: now(), ...who, method: 'cancel_on_disconnect', outcome: 'done' });
}

interface Made {
  readonly method: Method;
  readonly params: unknown;
  readonly answer: MethodAnswer;
}

async function answeredAndNoted(call: AccountCall, made: Made): Promise<Reply<unknown>> {
  try {
    const reply = await made.answer;
    note(call, { ...made, outcome: outcomeOf(reply) }, reply);
    return reply;
  } catch (error) {
    note(call, { ...made, outcome: 'fault' });
    throw error;
  }
}

function note(
  { actions, now, key, account, from = '' }: AccountCall,
  { method, params, outcome }: Omit<Made, 'answer'> & { readonly outcome: string },
  reply?: Reply<unknown>,
): void {
  const asked = params as Named;
  const got = reply?.kind === 'done' ? orderIn(reply.value) : undefined;
  void actions?.record({
    ...{ at: now(), keyId: key.id, uid: key.uid, nickname: key.nickname, address: from, account },
    method: method.name,
    instrument: asked.instrumentName ?? got?.instrumentName ?? asked.indexName,
    label: asked.label ?? got?.label,
    orderId: idIn(asked) ?? (got && idIn(got)),
    outcome,
  });
}

interface Named {
  readonly instrumentName?: string;
  /** Set on calls that do not concern a single instrument. */
  readonly indexName?: string;
  readonly label?: string;
  readonly orderId?: string;
  readonly quoteId?: string;
  readonly blockRfqId?: string;
}

/** The most specific id: an order, a quote or an RFQ. */
const idIn = ({ orderId, quoteId, blockRfqId }: Named): string | undefined =>
  orderId ?? quoteId ?? blockRfqId;

/**
 * The order of an answer: `{order, trades}`, or the order alone; answers that are numbers or text have none.
 */
function orderIn(value: unknown): Named | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return 'order' in value ? (value.order as Named) : (value as Named);
}

function outcomeOf(reply: Reply<unknown>): string {
  return reply.kind === 'refused' ? `refused ${reply.code}` : reply.kind;
}

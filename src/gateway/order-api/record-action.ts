// Records calls that may change an order, with their outcome, as they are answered. The log writes them in
// batches shortly afterwards, so that no order waits for it. When too many records wait to be written, new
// calls are refused, except cancels.
import type { Action, ActionLog } from '../../ports/action-log.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { ApiKey } from '../auth/key-store.ts';
import type { RidLane } from '../limits/limits.ts';
import type { AccountCall, Method, MethodAnswer } from './method.ts';
import { tryAgain } from './refusals.ts';

/** Who acts, and where it is recorded. */
export interface ActingClient {
  readonly actions?: ActionLog | undefined;
  readonly now: () => Instant;
  readonly key: ApiKey;
  /** The client's address. */
  readonly from?: string | undefined;
}

/** What a record says about the order, quote or RFQ. */
export type ActedOn = Pick<Action, 'instrument' | 'label' | 'orderId'>;

export interface RecordedCall {
  readonly client: ActingClient;
  readonly account: AccountId;
  /** As recorded. */
  readonly method: string;
  readonly lane: RidLane;
  readonly run: () => MethodAnswer;
  /** `result` is absent if the call was not done. */
  readonly about: (result: unknown) => ActedOn;
}

/** Runs a call and records it. */
export function recordedCall(call: RecordedCall): MethodAnswer {
  const { actions } = call.client;
  if (actions === undefined) return call.run();
  if (actions.isBehind && call.lane === 'order') {
    return tryAgain('the audit trail cannot be written now; cancels are accepted');
  }
  return answeredAndNoted(call, call.run());
}

/** `params` is the result of the method's `read`. */
export function recorded(call: AccountCall, method: Method, params: unknown): MethodAnswer {
  const asked = params as Named;
  return recordedCall({
    client: call,
    account: call.account,
    method: method.name,
    lane: method.lane,
    run: () => method.run(call, params),
    about: (result) => {
      const got = orderIn(result);
      return {
        instrument: asked.instrumentName ?? got?.instrumentName ?? asked.indexName,
        label: asked.label ?? got?.label,
        orderId: idIn(asked) ?? (got && idIn(got)),
      };
    },
  });
}

/** Records the end of a connection that cancels the orders made over it. */
export async function recordDisconnect(client: ActingClient, account: AccountId): Promise<void> {
  await client.actions?.record({
    ...stampOf(client, account),
    method: 'cancel_on_disconnect',
    outcome: 'done',
  });
}

async function answeredAndNoted(call: RecordedCall, answer: MethodAnswer): Promise<Reply<unknown>> {
  try {
    const reply = await answer;
    note(call, outcomeOf(reply), reply);
    return reply;
  } catch (error) {
    note(call, 'fault');
    throw error;
  }
}

function note(call: RecordedCall, outcome: string, reply?: Reply<unknown>): void {
  const { client, account, method, about } = call;
  const result = reply?.kind === 'done' ? reply.value : undefined;
  void client.actions?.record({
    ...stampOf(client, account),
    method,
    ...about(result),
    outcome,
  });
}

const stampOf = ({ now, key, from = '' }: ActingClient, account: AccountId) => ({
  at: now(),
  keyId: key.id,
  uid: key.uid,
  nickname: key.nickname,
  address: from,
  account,
});

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

const orderIn = (result: unknown): Named | undefined => recordIn(result) as Named | undefined;

/**
 * The order of an answer: `{order, trades}`, or the order alone; answers that are numbers or text have none.
 */
export function recordIn(result: unknown): object | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  return 'order' in result ? (result.order as object) : result;
}

function outcomeOf(reply: Reply<unknown>): string {
  return reply.kind === 'refused' ? `refused ${reply.code}` : reply.kind;
}

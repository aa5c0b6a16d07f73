// The frames that a venue sends: answers, notifications, heartbeats. Any other frame is malformed.
import { z } from 'zod';
import { type AccountId, accountId } from '../../../values/ids.ts';
import { MalformedAnswer, type Outcome, readAs } from '../outcome.ts';

export type Frame =
  | { readonly kind: 'answer'; readonly rid: number; readonly outcome: Outcome }
  | { readonly kind: 'message'; readonly message: ChannelMessage }
  /** The channel may have missed messages. */
  | { readonly kind: 'gap' }
  | { readonly kind: 'heartbeat'; readonly wantsAnswer: boolean };

export interface ChannelMessage {
  readonly channel: string;
  /** Set for the channels of an account. */
  readonly account?: AccountId | undefined;
  readonly data: unknown;
}

const error = z.object({
  code: z.int(),
  message: z.string(),
  data: z.object({ param: z.string(), reason: z.string() }).optional(),
});
const answer = z
  .object({ rid: z.int(), result: z.unknown().optional(), error: error.optional() })
  .refine((one) => (one.result === undefined) !== (one.error === undefined), {
    message: 'has not one of result and error',
  });

const channel = {
  channel: z.string(),
  accountId: z.string().transform(accountId).optional(),
};
const notification = z.discriminatedUnion('method', [
  z.object({
    method: z.literal('subscription'),
    params: z.object({ ...channel, data: z.unknown() }),
  }),
  z.object({ method: z.literal('gap'), params: z.object(channel) }),
  z.object({
    method: z.literal('heartbeat'),
    params: z.object({ type: z.enum(['heartbeat', 'test_request']) }),
  }),
]);

export function readFrame(text: string): { value: Frame } | { fault: MalformedAnswer } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { fault: new MalformedAnswer('a frame is not JSON') };
  }
  const isNotification = typeof json === 'object' && json !== null && 'method' in json;
  return isNotification ? readNotification(json) : readAnswer(json);
}

function readAnswer(json: unknown): { value: Frame } | { fault: MalformedAnswer } {
  const read = readAs(answer, json, 'an answer');
  if ('fault' in read) return read;
  const { rid, result, error: failed } = read.value;
  if (failed === undefined) {
    return { value: { kind: 'answer', rid, outcome: { kind: 'result', value: result } } };
  }
  const { data: details, ...named } = failed;
  return { value: { kind: 'answer', rid, outcome: { kind: 'error', ...named, details } } };
}

function readNotification(json: unknown): { value: Frame } | { fault: MalformedAnswer } {
  const read = readAs(notification, json, 'a notification');
  if ('fault' in read) return read;
  const frame = read.value;
  switch (frame.method) {
    case 'subscription': {
      const { channel: name, accountId: account, data } = frame.params;
      return { value: { kind: 'message', message: { channel: name, account, data } } };
    }
    case 'gap':
      return { value: { kind: 'gap' } };
    case 'heartbeat':
      return { value: { kind: 'heartbeat', wantsAnswer: frame.params.type === 'test_request' } };
  }
}

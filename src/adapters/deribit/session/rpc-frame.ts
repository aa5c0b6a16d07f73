// The frames of JSON-RPC 2.0 as Deribit sends them: answers, notifications of channels, heartbeats. Members it adds are
// ignored.

import { parseExact } from '../../../ports/deribit-wire/exact-json.ts';
import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { cutText } from '../../../values/text/text-length.ts';
import type { Outcome } from '../outcome.ts';

export type Frame =
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome }
  | { readonly kind: 'message'; readonly channel: string; readonly data: unknown }
  | { readonly kind: 'heartbeat'; readonly wantsAnswer: boolean }
  /** A notification of a method that is not known. */
  | { readonly kind: 'other' };

/** @throws MalformedMessage for what is no frame. */
export function readFrame(text: string, tally: WireTally): Frame {
  let json: unknown;
  try {
    json = parseExact(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new MalformedMessage('a frame is not JSON');
  }
  const frame = new Fields('a frame', json, tally);
  return frame.has('method') ? notification(frame) : answer(frame);
}

function notification(frame: Fields): Frame {
  switch (frame.text('method')) {
    case 'subscription': {
      const params = frame.in('params');
      return { kind: 'message', channel: params.text('channel'), data: params.raw('data') };
    }
    case 'heartbeat':
      return { kind: 'heartbeat', wantsAnswer: frame.in('params').text('type') === 'test_request' };
    default:
      frame.tally.count(`a frame: method is ${cutText(frame.text('method'), 40)}`);
      return { kind: 'other' };
  }
}

function answer(frame: Fields): Frame {
  return { kind: 'answer', id: frame.whole('id'), outcome: outcomeIn(frame) };
}

/** The outcome in an answer, over either transport. @throws MalformedMessage if it has neither result nor error. */
export function outcomeIn(frame: Fields): Outcome {
  const error = frame.inIf('error');
  if (error !== undefined) {
    const code = error.whole('code');
    return { kind: 'error', code, message: error.text('message'), details: detailsIn(error) };
  }
  const value = frame.raw('result');
  if (value === undefined) throw new MalformedMessage('an answer has neither result nor error');
  return { kind: 'result', value, testnet: frame.flagIf('testnet') };
}

/** `data` is an object for refused parameters, and may be anything for the rest. */
function detailsIn(error: Fields): { param: string; reason: string } | undefined {
  const data = error.raw('data');
  if (typeof data === 'string') return { param: '', reason: cutText(data, DETAIL_LENGTH_MAX) };
  if (typeof data !== 'object' || data === null) return undefined;
  const { param, reason } = data as { readonly param?: unknown; readonly reason?: unknown };
  if (param === undefined && reason === undefined) return undefined;
  return { param: callersName(shown(param)), reason: shown(reason) };
}

const DETAIL_LENGTH_MAX = 200;
const shown = (value: unknown): string =>
  value === undefined ? '' : cutText(String(value), DETAIL_LENGTH_MAX);

// The names of refused parameters as the callers of the ports know them: `amount` of the wire is `quantity` there.

/** Names that are other words, not only another spelling. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  amount: 'quantity',
  block_rfq_quote_id: 'quoteId',
  direction: 'side',
  display_amount: 'displayQuantity',
};

/** `legs[0].instrument_name` as `legs[0].instrumentName`; what is no name is left as it is. */
const callersName = (param: string): string =>
  param.replace(
    /[a-z]\w*/gi,
    (word) =>
      OTHER_WORDS[word] ?? word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );

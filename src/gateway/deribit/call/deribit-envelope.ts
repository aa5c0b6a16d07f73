// JSON-RPC as Deribit speaks it: requests {jsonrpc, id, method, params} and answers with the microseconds of entry and
// exit. An id is echoed as it was written. Members that are not known are ignored, and so is a missing `jsonrpc`.
//
// Decisions where Deribit's documents leave room: a request without an id is answered without one, over a WebSocket
// too; a body that names another method than its address is refused.
import type { Reply } from '../../../ports/trading-desk.ts';
import type { Instant } from '../../../values/instant.ts';
import { type AnswerPieces, isObject, ridText } from '../../order-api/method-envelope.ts';
import { badRequest, invalidParam, type Refusal } from '../../order-api/refusals.ts';
import { shown } from '../../wire/fields.ts';
import { ReadyJson } from '../../wire/ready-json.ts';
import { deribitError } from './deribit-error.ts';

/** The id as JSON text; `undefined` if there was none. */
export type IdText = string | undefined;

export type DeribitParams = Readonly<Record<string, unknown>>;

export interface DeribitRequest {
  readonly id: IdText;
  readonly method: string;
  readonly params: DeribitParams;
}

export type DeribitReading =
  | { readonly kind: 'request'; readonly request: DeribitRequest }
  | { readonly kind: 'faulty'; readonly id: IdText; readonly refusal: Refusal };

const NO_PARAMS: DeribitParams = {};

/** Reads a frame or a body; `method` is the one of the address, if that names one. */
export function readDeribitRequest(input: unknown, method?: string): DeribitReading {
  if (!isObject(input)) {
    const refusal = badRequest(
      '',
      `is ${shown(input)}; accepted: one object of id, method and params`,
    );
    return { kind: 'faulty', id: undefined, refusal };
  }
  const id = idText(input['id']);
  if (id.kind === 'faulty') return id;
  const named = input['method'] ?? method;
  if (typeof named !== 'string' || (method !== undefined && named !== method)) {
    const accepted = method ?? 'the name of a method';
    const refusal = badRequest('method', `is ${shown(named)}; accepted: ${accepted}`);
    return { kind: 'faulty', id: id.text, refusal };
  }
  const params = input['params'] ?? NO_PARAMS;
  if (!isObject(params)) {
    const refusal = invalidParam('params', `is ${shown(params)}; accepted: params by name`);
    return { kind: 'faulty', id: id.text, refusal };
  }
  return { kind: 'request', request: { id: id.text, method: named, params } };
}

function idText(
  id: unknown,
): { readonly kind: 'read'; readonly text: IdText } | Extract<DeribitReading, { kind: 'faulty' }> {
  if (id === undefined || id === null) return { kind: 'read', text: undefined };
  const text = ridText(id);
  if (text !== undefined) return { kind: 'read', text };
  const refusal = badRequest('id', `is ${shown(id)}; accepted: a whole number or short text`);
  return { kind: 'faulty', id: undefined, refusal };
}

/** When a request arrived: by the server's clock, and by one that measures. */
export interface Arrival {
  readonly at: Instant;
  readonly startMs: number;
}

export const arrival = (at: Instant): Arrival => ({ at, startMs: performance.now() });

const US_PER_MS = 1_000;

/** The pieces of an answer; a result that is serialised already is not copied. */
export function deribitAnswer(
  id: IdText,
  reply: Reply<unknown>,
  { at, startMs }: Arrival,
): AnswerPieces {
  const inUs = at * US_PER_MS;
  const tookUs = Math.max(0, Math.round((performance.now() - startMs) * US_PER_MS));
  const head = `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}`;
  const tail = `,"usIn":${inUs},"usOut":${inUs + tookUs},"usDiff":${tookUs},"testnet":true}`;
  if (reply.kind !== 'done') return `${head}"error":${JSON.stringify(deribitError(reply))}${tail}`;
  const { value } = reply;
  if (value instanceof ReadyJson) return [`${head}"result":`, value.bytes, tail];
  return `${head}"result":${JSON.stringify(value)}${tail}`;
}

// Checks everything that passes over Deribit's wire against the table of shapes: envelopes, results, notifications.
// Faults are collected, so that one wrong field does not hide the next.
import { parse } from 'lossless-json';
import { channelShape } from './channel-shapes.ts';
import type { Shape } from './json-shape.ts';
import { METHOD_SHAPES } from './method-shapes.ts';
import { WIRE } from './wire-objects.ts';

const STAMPS = 'usIn:int usOut:int usDiff:int testnet:bool';
const ANSWER = WIRE.shape(
  `{jsonrpc:2.0 id?:int|str result:any ${STAMPS}}|` +
    `{jsonrpc:2.0 id?:int|str|null error:{code:int message:id data?:{reason?:str param?:str}|null} ${STAMPS}}`,
);
const NOTIFICATION = WIRE.shape(
  '{jsonrpc:2.0 method:subscription params:{channel:id data:any label?:str}}|' +
    '{jsonrpc:2.0 method:heartbeat params:{type:heartbeat|test_request}}',
);

interface Parsed {
  readonly result?: unknown;
  readonly error?: { readonly code: unknown; readonly message: string; readonly data?: unknown };
  readonly method?: string;
  readonly params?: { readonly channel?: string; readonly data?: unknown };
}

export class WireCheck {
  readonly #shapes = new Map<string, Shape>();
  /** Each with the method or channel and the path of the member. */
  readonly faults = new Set<string>();
  /** Methods answered with a result, with the number of results. */
  readonly answered = new Map<string, number>();
  readonly channels = new Map<string, number>();
  /** `Name.member` of the members of named shapes that occurred. */
  readonly seen = new Set<string>();

  answer(method: string, text: string): void {
    const parsed = read(text);
    this.#note(method, ANSWER, parsed.whole);
    if (parsed.error !== undefined || parsed.result === undefined) return;
    this.answered.set(method, (this.answered.get(method) ?? 0) + 1);
    const known = METHOD_SHAPES[method];
    if (known === undefined) this.faults.add(`${method}: not in the table of methods`);
    else this.#note(method, this.#shape(known.result), parsed.result);
  }

  /** A frame without an id. */
  notification(text: string): void {
    const { whole, params } = read(text);
    this.#note('notification', NOTIFICATION, whole);
    const { channel, data } = params ?? {};
    if (channel === undefined) return;
    const found = channelShape(channel);
    if (found === undefined) {
      this.faults.add(`${channel}: not in the table of channels`);
      return;
    }
    this.channels.set(found.pattern, (this.channels.get(found.pattern) ?? 0) + 1);
    this.#note(found.pattern, this.#shape(found.data), data);
  }

  #note(where: string, shape: Shape, value: unknown): void {
    // Of an array the faults of one entry are enough.
    for (const fault of WIRE.faults(shape, value, this.seen)) {
      this.faults.add(`${where} ${fault.replaceAll(/\[\d+\]/g, '[]')}`);
    }
  }

  #shape(written: string): Shape {
    const known = this.#shapes.get(written) ?? WIRE.shape(written);
    this.#shapes.set(written, known);
    return known;
  }
}

function read(text: string): Parsed & { readonly whole: unknown } {
  const whole = parse(text) as Parsed;
  return { ...whole, whole };
}

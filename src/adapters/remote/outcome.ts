// How a request over the wire ended, and what that means for the caller. Only two outcomes prove that the
// request had no effect: it was never written to a socket, or the venue itself refused it.
import type { z } from 'zod';
import { answerOfCode, unsent as notSent } from '../../core/order/answer-class.ts';
import type { Reply } from '../../ports/trading-desk.ts';

export type Params = Readonly<Record<string, unknown>>;

/** `result`, `error`: the venue's reply. `unknown`: sent, without a usable answer. `unsent`: not a byte was sent. */
export type Outcome =
  | { readonly kind: 'result'; readonly value: unknown }
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly message: string;
      readonly details?: { readonly param: string; readonly reason: string } | undefined;
    }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'unsent'; readonly reason: string };

/** One request, sent at most once. */
export type Ask = (method: string, params: Params) => Promise<Outcome>;

export const unsent = (reason: string): Outcome => ({ kind: 'unsent', reason });

/** What is wrong with an answer that does not have the promised shape. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

export type Read<T> = { readonly value: T } | { readonly fault: MalformedAnswer };

/** The parsed value, or the reason why it could not be parsed; the venue's text is quoted in part only. */
export function readAs<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: string,
): Read<z.output<S>> {
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data };
  const [issue] = read.error.issues;
  const at = issue === undefined ? '' : ` at ${issue.path.join('.')}: ${issue.message}`;
  return { fault: new MalformedAnswer(`${what} cannot be read${at}`.slice(0, 200)) };
}

/** As the port replies it. Codes that do not prove that nothing happened are unknown outcomes. */
export function replyOf<S extends z.ZodType>(
  outcome: Outcome,
  schema: S,
  what: string,
): { readonly reply: Reply<z.output<S>>; readonly fault?: MalformedAnswer } {
  switch (outcome.kind) {
    case 'result': {
      const read = readAs(schema, outcome.value, what);
      if ('value' in read) return { reply: { kind: 'done', value: read.value } };
      return { reply: { kind: 'unknown', reason: read.fault.message }, fault: read.fault };
    }
    case 'error':
      return { reply: answerOfCode(outcome.code, outcome.message, outcome.details) };
    case 'unknown':
      return { reply: outcome };
    case 'unsent':
      return { reply: notSent(outcome.reason) };
  }
}

// How a request ended, and what that means to the caller. Only two outcomes prove that it had no effect: not a byte of it
// was sent, or the venue itself refused it.
import { answerOfCode, unsent as notSent, type Unknown } from '../../core/order/answer-class.ts';
import { MalformedMessage } from '../../ports/deribit-wire/message-fields.ts';
import type { Reply } from '../../ports/trading-desk.ts';

export type Params = Readonly<Record<string, unknown>>;

/** `result`, `error`: the venue's answer. `unknown`: sent, without a usable answer. `unsent`: not a byte was sent. */
export type Outcome =
  | { readonly kind: 'result'; readonly value: unknown; readonly testnet?: boolean | undefined }
  | {
      readonly kind: 'error';
      readonly code: number;
      readonly message: string;
      readonly details?: { readonly param: string; readonly reason: string } | undefined;
    }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'unsent'; readonly reason: string };

/** One request, sent at most once. */
export type SendRequest = (method: string, params: Params) => Promise<Outcome>;

export const unsent = (reason: string): Outcome => ({ kind: 'unsent', reason });

/** As the port replies it. A code that does not prove that nothing happened is an unknown outcome. */
export function replyOf<T>(
  outcome: Outcome,
  read: (value: unknown) => T,
  onFault: (error: unknown) => void,
): Reply<T> {
  switch (outcome.kind) {
    case 'result':
      try {
        return { kind: 'done', value: read(outcome.value) };
      } catch (error) {
        if (!(error instanceof MalformedMessage)) throw error;
        onFault(error);
        return { kind: 'unknown', reason: error.message };
      }
    case 'error':
      return answerOfCode(outcome.code, outcome.message, outcome.details);
    case 'unknown':
      return outcome;
    case 'unsent':
      return notSent(outcome.reason);
  }
}

/** Of lists that are read per currency: without the instruments no currency is known, and no list would be read. */
export const NOT_LISTED_YET: Unknown = {
  kind: 'unknown',
  reason: 'the venue has not listed its instruments yet',
};

/** The result of a request that must succeed; throws the reason otherwise. */
export function resultOf(outcome: Outcome, method: string): unknown {
  if (outcome.kind === 'result') return outcome.value;
  throw new Error(`${method}: ${whyFailed(outcome)}`);
}

export const whyFailed = (outcome: Exclude<Outcome, { kind: 'result' }>): string => {
  if ('reason' in outcome) return outcome.reason;
  const { code, message, details } = outcome;
  const about = details === undefined ? '' : ` (${`${details.param} ${details.reason}`.trim()})`;
  return `${code} ${message}${about}`;
};

/** The same reply with another value in it. */
export const mapped = <T, U>(reply: Reply<T>, view: (value: T) => U): Reply<U> =>
  reply.kind === 'done' ? { kind: 'done', value: view(reply.value) } : reply;

// Answers that are not success: what a refusal proves about its request, and what is unknown. The adapter of a venue
// decides the class; codes of the table have theirs there.
import { must } from '../../values/assert.ts';
import { type AnswerClass, VENUE_CODES } from './venue-codes.ts';

/** The parameter that was refused, by the callers' name: `quantity`, `triggerPrice`; empty if it is none. */
export interface RefusalDetails {
  readonly param: string;
  readonly reason: string;
  /** When the same request may be accepted. */
  readonly retryAfterSec?: number | undefined;
}

/** The request had no effect, and will have none. */
export interface Refused {
  readonly kind: 'refused';
  /** A code of the table, and its name there; 0 if the engine held the request back. */
  readonly code: number;
  readonly message: string;
  readonly details?: RefusalDetails | undefined;
  /**
   * `final`: the same request will be refused again. `later`: it may be accepted later. `done`: the order is already
   * closed.
   */
  readonly class: Exclude<AnswerClass, 'unknown'>;
}

/** No usable answer: the request may or may not have taken effect. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** Anything not listed is unknown: a wrong "refused" would place an order twice. */
export const answerClass = (code: number): AnswerClass =>
  VENUE_CODES.get(code)?.answer ?? 'unknown';

/** What a venue's error code proves; one that does not prove that nothing happened is an unknown outcome. */
export function answerOfCode(
  code: number,
  message: string,
  details?: RefusalDetails,
): Refused | Unknown {
  const known = isSpeedBumped(message, details) ? 'later' : answerClass(code);
  return known === 'unknown'
    ? { kind: 'unknown', reason: `${code} ${refusalText({ message, details })}` }
    : { kind: 'refused', code, message, details, class: known };
}

/** Of an edit of an order in its speed bump: no source states the code, and milliseconds later the edit is accepted. */
const isSpeedBumped = (message: string, details: RefusalDetails | undefined): boolean =>
  /speed_bumped/i.test(refusalText({ message, details }));

/** A refusal of our own, before anything was sent, with a code of the table. */
export function refusal(code: number, details?: RefusalDetails): Refused {
  const { name, answer } = must(VENUE_CODES.get(code), `${code} is in the table`);
  const refusedAs = answer === 'unknown' ? 'later' : answer;
  return { kind: 'refused', code, message: name, details, class: refusedAs };
}

const TEMPORARILY_UNAVAILABLE = 13028;

/** A request that an adapter could not send: not a byte left, and the same may be sent later. */
export const unsent = (why: string): Refused =>
  refusal(TEMPORARILY_UNAVAILABLE, { param: '', reason: `not sent: ${why}` });

/** From a venue this code proves nothing, so that a refusal with it is {@link unsent}. */
export const isUnsent = ({ code }: Refused): boolean => code === TEMPORARILY_UNAVAILABLE;

/** A request that the engine held back; the same may be sent later. */
export const notSent = (why: string, code = 0): Refused => ({
  kind: 'refused',
  code,
  message: `not sent: ${why}`,
  class: 'later',
});

/** The text of a refusal, with its details about a parameter. */
export const refusalText = ({ message, details }: Pick<Refused, 'message' | 'details'>): string =>
  details === undefined ? message : `${message}: ${details.param} ${details.reason}`;

/** Why there is no value: code, name and details, or what is unknown. */
export const whyNot = (answer: Refused | Unknown): string =>
  answer.kind === 'unknown' ? answer.reason : `${answer.code} ${refusalText(answer)}`;

// What the judges of captured answers share.

import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { type Outcome, whyFailed } from '../outcome.ts';
import type { Answer, Verdict } from './capture-point.ts';

export const agrees = (seen: string): Verdict => ({ kind: 'agrees', seen });
export const differs = (seen: string): Verdict => ({ kind: 'differs', seen });
export const undecided = (seen: string): Verdict => ({ kind: 'undecided', seen });

/** The answers to one method, in the order of their questions. */
export const answersTo = (answers: readonly Answer[], method: string): readonly Answer[] =>
  answers.filter((one) => one.method === method);

/**
 * Judges the result, which is the member `result` of what the judge is given. A refusal or a request that was not sent
 * leaves the point undecided; a result of another shape differs.
 */
export function ofResult(answer: Answer | undefined, judge: (of: Fields) => Verdict): Verdict {
  if (answer === undefined) return undecided('not tested completely');
  const { method, outcome } = answer;
  if (outcome.kind !== 'result') return undecided(`${method}: ${whyFailed(outcome)}`);
  try {
    // What is unknown there was counted when it was received.
    const tally = new WireTally(() => undefined);
    return judge(new Fields(`the answer to ${method}`, { result: outcome.value }, tally));
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    return differs(error.message);
  }
}

/** How long a list was before it was shortened; the path of the result itself is empty. */
export const lengthAt = (
  { lengths }: Pick<Answer, 'lengths'>,
  path: string,
  kept: readonly unknown[],
): number => lengths?.[path] ?? kept.length;

// Answers may have any shape: a member that is not there, or is of another kind, is none.

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Numbers too, which are texts of digits here. */
export function textIn(value: unknown, member: string): string | undefined {
  const found = membersOf(value)[member];
  return typeof found === 'string' ? found : undefined;
}

export function listIn(value: unknown, member: string): readonly unknown[] {
  const found = membersOf(value)[member];
  return Array.isArray(found) ? found : [];
}

/** The order in the answer to its placement. */
export const placedIn = (outcome: Outcome): unknown =>
  outcome.kind === 'result' ? membersOf(outcome.value)['order'] : undefined;

// The order methods through a gateway: one call by its bytes, with its answer in the form of the
// engine's.
import { answerOfCode } from '../../../src/core/order/answer-class.ts';
import { VENUE_CODES } from '../../../src/core/order/venue-codes.ts';
import type { Reply } from '../../../src/ports/trading-desk.ts';
import type { Doors, Reachable } from './door-client.ts';
import { METHODS } from './front-door.ts';

export interface MethodCall {
  readonly keyId: string;
  readonly method: string;
  readonly params: object;
  readonly onceKey?: string | undefined;
}

export type CallMethod = (call: MethodCall) => Promise<Reply<Readonly<Record<string, unknown>>>>;

const OK = 200;
const REFUSED = 400;

/** A temporary refusal by the gateway is reported as unknown: an earlier copy may have been executed. */
export const methodsByDoor =
  (doors: Doors, at: Reachable, alive: readonly Reachable[]): CallMethod =>
  async ({ keyId, method, params, onceKey }) => {
    const target = `${METHODS}/${method}`;
    const body = { rid: 1, method, params };
    const told = await doors.request(at, { keyId, verb: 'POST', target, body, onceKey }, alive);
    if (told === undefined) return { kind: 'unknown', reason: 'no answer came' };
    const answer = JSON.parse(told.body) as {
      readonly result?: Readonly<Record<string, unknown>>;
      readonly error?: { readonly code: number };
    };
    if (told.status === OK) return { kind: 'done', value: answer.result ?? {} };
    const code = answer.error?.code ?? 0;
    if (told.status !== REFUSED) return { kind: 'unknown', reason: `answered ${told.status}` };
    return answerOfCode(code, VENUE_CODES.get(code)?.name ?? 'unnamed');
  };

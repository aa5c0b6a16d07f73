// The order methods as a person at the front door has them: one call by its bytes, its answer as the engine
// would have given it.
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

/** What is refused at the door for a moment is told as unknown: something sent before may have been done. */
export const methodsByDoor =
  (doors: Doors, at: Reachable, alive: readonly Reachable[]): CallMethod =>
  async ({ keyId, method, params, onceKey }) => {
    const target = `${METHODS}/${method}`;
    const body = { rid: 1, method, params };
    const told = await doors.ask(at, { keyId, verb: 'POST', target, body, onceKey }, alive);
    if (told === undefined) return { kind: 'unknown', reason: 'no answer came' };
    const answer = JSON.parse(told.body) as {
      readonly result?: Readonly<Record<string, unknown>>;
      readonly error?: { readonly code: number };
    };
    if (told.status === OK) return { kind: 'done', value: answer.result ?? {} };
    const code = answer.error?.code ?? 0;
    if (told.status !== REFUSED) return { kind: 'unknown', reason: `answered ${told.status}` };
    return { kind: 'refused', code, message: VENUE_CODES.get(code)?.name ?? 'unnamed' };
  };

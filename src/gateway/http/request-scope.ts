// Tracks the request on whose behalf code is running, so that log lines can name it and the engine learns whose request it
// carries out, without passing it along. The scope ends with the answer: timers, connections and queues created in it live
// on, and their later work belongs to no request.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Asker } from '../../ports/deployment/engine-line.ts';

/** What log lines name. */
export interface RequestScope {
  /** As chosen by the client. */
  readonly rid: string;
  readonly method: string;
}

interface Held {
  readonly asker: Asker;
  isAnswered: boolean;
}

const scope = new AsyncLocalStorage<Held>();

/** On whose behalf code is running; `undefined` outside of any request. */
export function askerInHand(): Asker | undefined {
  const held = scope.getStore();
  return held === undefined || held.isAnswered ? undefined : held.asker;
}

/** Whether code is running for a key: in its request, or in what its request has left behind, such as a subscription. */
export const isForKey = (): boolean => scope.getStore() !== undefined;

/** `work` as later work for the client that is served now, whatever causes it then. */
export const forSameClient = <T>(work: () => T): (() => T) => AsyncLocalStorage.bind(work);

/** The current request by its id; `undefined` outside of any request, and for one whose interface has no ids. */
export function requestInHand(): RequestScope | undefined {
  const { rid, method = '' } = askerInHand() ?? {};
  return rid === undefined ? undefined : { rid, method };
}

/** Runs `work` in the scope of this request, until its result is available. */
export function forRequest<T>({ rid, method, uid, scopes }: Asker, work: () => T): T {
  const held: Held = { asker: { rid, method, uid, scopes }, isAnswered: false };
  const end = (): void => {
    held.isAnswered = true;
  };
  const result = scope.run(held, work);
  // Unexamined: the caller gets the result, and so its error.
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}

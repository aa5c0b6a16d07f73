// Tracks the request on whose behalf code is running, so that log lines can name it without passing it along.
// The scope ends with the answer: timers, connections and queues created in it live on, and their later work
// belongs to no request.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestScope {
  /** As chosen by the client. */
  readonly rid: string;
  readonly method: string;
}

interface Held {
  readonly request: RequestScope;
  isAnswered: boolean;
}

const scope = new AsyncLocalStorage<Held>();

/** The current request; `undefined` outside of any request. */
export function requestInHand(): RequestScope | undefined {
  const held = scope.getStore();
  return held === undefined || held.isAnswered ? undefined : held.request;
}

/** Runs `work` in the scope of this request, until its result is available. */
export function forRequest<T>(request: RequestScope, work: () => T): T {
  const held: Held = { request, isAnswered: false };
  const end = (): void => {
    held.isAnswered = true;
  };
  const result = scope.run(held, work);
  if (result instanceof Promise) result.then(end, end);
  else end();
  return result;
}

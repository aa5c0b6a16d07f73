// Which request the work of the moment is done for, so that log lines can say so without anybody handing it on. The
// scope ends with the answer: a timer, a connection or a queue that was made on the way lives on, and what it does
// later is for nobody.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestScope {
  /** As the client chose it. */
  readonly rid: string;
  readonly method: string;
}

interface Held {
  readonly request: RequestScope;
  isAnswered: boolean;
}

const scope = new AsyncLocalStorage<Held>();

/** `undefined` where the work is for no request. */
export function requestInHand(): RequestScope | undefined {
  const held = scope.getStore();
  return held === undefined || held.isAnswered ? undefined : held.request;
}

/** Everything that begins within `work` is done for this request, until `work` has its result. */
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

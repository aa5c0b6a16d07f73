// Which request the work of the moment is done for, so that log lines can say so without anybody handing it on.
import { AsyncLocalStorage } from 'node:async_hooks';

export interface RequestScope {
  /** As the client chose it. */
  readonly rid: string;
  readonly method: string;
}

const scope = new AsyncLocalStorage<RequestScope>();

/** `undefined` where the work is for no request. */
export const requestInHand = (): RequestScope | undefined => scope.getStore();

/** Everything that begins within `work` is done for this request. */
export const forRequest = <T>(request: RequestScope, work: () => T): T => scope.run(request, work);

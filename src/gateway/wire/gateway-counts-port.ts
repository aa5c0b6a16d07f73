// What the gateway tells about its own work, for metrics. Nothing in it comes from what a caller wrote.
import type { FastifyInstance } from 'fastify';
import type { RejectionKind } from '../../core/rejection.ts';

export interface AnsweredRequest {
  /** The template of the route; absent when none matched. */
  readonly route?: string | undefined;
  readonly method: string;
  readonly code: number;
  readonly elapsedMs: number;
}

export type SocketEnd =
  | 'slow'
  | 'silent'
  | 'protocol'
  | 'unauthorised'
  | 'unavailable'
  | 'shutdown';

export type SocketPath = '/ws/api' | '/ws/portfolio';

export interface GatewayCounts {
  /** A request came in; told of again when nothing more is done for it. */
  began(): void;
  ended(): void;
  answered(request: AnsweredRequest): void;
  refused(kind: RejectionKind): void;
  socketOpened(path: SocketPath): void;
  socketClosed(path: SocketPath): void;
  /** The gateway ended it. */
  socketDropped(why: SocketEnd): void;
  /** How to find out how many bytes the clients of a path have not read yet. */
  backlog(path: SocketPath, bytes: () => number): void;
}

const nothing = (): void => undefined;

export const NO_COUNTS: GatewayCounts = {
  began: nothing,
  ended: nothing,
  answered: nothing,
  refused: nothing,
  socketOpened: nothing,
  socketClosed: nothing,
  socketDropped: nothing,
  backlog: nothing,
};

export function countAnswers(app: FastifyInstance, counts: GatewayCounts): void {
  app.addHook('onResponse', (request, reply, done) => {
    counts.answered({
      route: request.routeOptions.url,
      method: request.method,
      code: reply.statusCode,
      elapsedMs: reply.elapsedTime,
    });
    done();
  });
}

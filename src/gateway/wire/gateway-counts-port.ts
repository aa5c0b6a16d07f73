// What the gateway reports about its own work, for metrics. None of it is text from a client.
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

export type SocketPath = '/ws/api' | '/ws/api/v2' | '/ws/portfolio' | '/page/ws' | '/page/ws/api';

export interface GatewayCounts {
  /** A request was received; {@link ended} is called when it is finished. */
  began(): void;
  ended(): void;
  answered(request: AnsweredRequest): void;
  refused(kind: RejectionKind): void;
  socketOpened(path: SocketPath): void;
  socketClosed(path: SocketPath): void;
  /** The gateway closed a WebSocket. */
  socketDropped(why: SocketEnd): void;
  /** Registers a function that returns the unread bytes of the clients of a path. */
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

// The counters of the gateway as plain functions, so that it knows nothing of metrics. Labels are route
// templates, codes and kinds, never text from a caller.
import type { RejectionKind } from '../../../core/rejection.ts';
import type { Metrics } from './metrics.ts';

interface AnsweredRequest {
  /** The template, for example `/portfolios/:id`; absent if no route matched. */
  readonly route?: string | undefined;
  readonly method: string;
  readonly code: number;
  readonly elapsedMs: number;
}

type SocketPath = '/ws/api' | '/ws/api/v2' | '/ws/portfolio' | '/page/ws' | '/page/ws/api';
type SocketEnd = 'slow' | 'silent' | 'protocol' | 'unauthorised' | 'unavailable' | 'shutdown';

export interface GatewayCounts {
  began(): void;
  ended(): void;
  answered(request: AnsweredRequest): void;
  /** Counts every refusal; refusals of credentials also count as authentication failures. */
  refused(kind: RejectionKind): void;
  socketOpened(path: SocketPath): void;
  socketClosed(path: SocketPath): void;
  /** The daemon closed the socket for this reason. */
  socketDropped(why: SocketEnd): void;
  backlog(path: SocketPath, bytes: () => number): void;
}

const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  // A request over a WebSocket.
  'FRAME',
]);
const AUTH_KINDS: ReadonlySet<RejectionKind> = new Set([
  'signature',
  'timestamp',
  'nonce_reused',
  'forbidden',
  'too_many_requests',
]);

export function gatewayCounts(metrics: Metrics): GatewayCounts {
  return {
    began: () => metrics.httpInFlight.inc(),
    ended: () => metrics.httpInFlight.dec(),
    backlog: (path, bytes) => metrics.wsBacklog.read({ path }, bytes),
    answered({ route = 'none', method, code, elapsedMs }) {
      const known = METHODS.has(method) ? method : 'other';
      metrics.httpRequests.inc({ route, method: known, code: String(code) });
      metrics.httpSeconds.observe({ route }, elapsedMs / 1_000);
    },
    refused(kind) {
      metrics.refusals.inc({ kind });
      if (AUTH_KINDS.has(kind)) metrics.authFailures.inc({ reason: kind });
    },
    socketOpened: (path) => metrics.wsClients.inc({ path }),
    socketClosed: (path) => metrics.wsClients.dec({ path }),
    socketDropped: (why) => metrics.wsDropped.inc({ reason: why }),
  };
}

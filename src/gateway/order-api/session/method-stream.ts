// The order methods over WebSocket: /ws/api. Credentials are in the headers of the handshake, or in the query
// of the address for clients that cannot set headers; without credentials a client may call public methods.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Rejection, reject } from '../../../core/rejection.ts';
import type { Lifetime } from '../../../lifetime/lifetime.ts';
import type { ActionLog } from '../../../ports/action-log.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Authenticator, Verdict } from '../../auth/auth.ts';
import { fromHeaders, fromQuery, hasHeaders, hasQuery } from '../../auth/credentials.ts';
import { satisfies } from '../../auth/key-needs.ts';
import type { ApiKey, KeyStore } from '../../auth/key-store.ts';
import type { Desks } from '../../desks/desks.ts';
import type { IdempotencyStore } from '../../http/idempotency.ts';
import type { WorkLimits } from '../../http/work-limits.ts';
import type { AddressOf } from '../../limits/client-address.ts';
import type { FairTurns } from '../../limits/fair-turns.ts';
import type { RidLimits } from '../../limits/limits.ts';
import { httpStatus } from '../../wire/envelope.ts';
import { isForNow, RETRY_SEC } from '../../wire/fault-answer.ts';
import type { GatewayCounts, SocketPath } from '../../wire/gateway-counts-port.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import { answerRawText } from '../../wire/raw-answer.ts';
import { AccountMemories } from '../channels/account-memories.ts';
import { ChannelSource } from '../channels/channel-source.ts';
import { refusalOf } from '../from-rejection.ts';
import { answerText, NO_RID } from '../method-envelope.ts';
import { METHODS } from '../method-table.ts';
import { internalError } from '../refusals.ts';
import type { AccountRules } from './disconnect-rules.ts';
import { OpenConnections } from './open-connections.ts';
import type { AcceptedSocket } from './request-connection.ts';
import { RidConnection } from './rid-connection.ts';

export const METHOD_STREAM_PATH = '/ws/api';

export interface MethodStreamOptions {
  readonly orders: Desks;
  readonly once?: IdempotencyStore | undefined;
  readonly actions?: ActionLog | undefined;
  readonly accountRules: AccountRules;
  readonly authenticator: Authenticator;
  readonly keys: KeyStore;
  readonly addressOf: AddressOf;
  readonly now: () => Instant;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly report: ReportError;
  readonly counts: GatewayCounts;
  readonly limits: RidLimits;
  readonly turns: FairTurns;
  readonly work: WorkLimits;
  /** Where it is served if not at {@link METHOD_STREAM_PATH}, and what takes the place of a signature there. */
  readonly other?:
    | {
        readonly path: SocketPath;
        /** The methods that are answered there. */
        readonly methods: ReadonlySet<string>;
        verify(request: IncomingMessage, from: string): Promise<Verdict>;
        /** Called for every connection that was accepted. */
        opened(request: IncomingMessage, accepted: AcceptedSocket, end: () => void): void;
      }
    | undefined;
}

type Admission =
  | { readonly kind: 'admitted'; readonly key: ApiKey | undefined }
  | Extract<Verdict, { readonly kind: 'refused' }>;

const NO_BODY = Buffer.alloc(0);

export class MethodStream implements Lifetime {
  readonly #parts: MethodStreamOptions;
  readonly #connections: OpenConnections;
  readonly #channels: ChannelSource;

  constructor(parts: MethodStreamOptions) {
    this.#parts = parts;
    const { now, limits } = parts;
    const memories = new AccountMemories({ now, ...limits });
    this.#channels = new ChannelSource({ ...parts, memories });
    this.#connections = new OpenConnections({ ...parts, path: this.#path });
  }

  /** Handles an upgrade to {@link METHOD_STREAM_PATH}. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    this.#admit(request, socket, head).catch((error: unknown) => {
      this.#parts.report(error, this.#path);
      answerRawText(socket, 500, answerText(NO_RID, internalError()));
    });
  };

  /** Closes the connections whose key or secret is no longer in force, with 4401. */
  recheckKeys(): void {
    this.#connections.recheckKeys();
  }

  start(): Promise<void> {
    return this.#connections.start();
  }

  /** Closes every connection, and waits until the orders of cancel-on-disconnect have been cancelled. */
  drain(): Promise<void> {
    return this.#connections.drain();
  }

  stop(): void {
    this.#connections.stop();
    this.#channels.close();
  }

  async #admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const from = this.#parts.addressOf(request);
    const admission = await this.#verify(request, from);
    if (admission.kind === 'refused') return this.#refuse(socket, admission);
    const { key } = admission;
    const rejection = this.#connections.faultOf(key, from) ?? lackOf(key);
    if (rejection !== undefined) return this.#refuse(socket, { kind: 'refused', rejection });
    const { counts, other } = this.#parts;
    this.#connections.accept({ request, socket, head, from }, (accepted) => {
      const connection = new RidConnection({
        ...this.#parts,
        ...accepted,
        key,
        only: other?.methods,
        channels: this.#channels,
        answered: (method, code, elapsedMs) => {
          const route = METHODS.has(method) ? `${this.#path} ${method}` : undefined;
          counts.answered({ route, method: 'FRAME', code, elapsedMs });
        },
        dropped: (why) => counts.socketDropped(why),
      });
      other?.opened(request, accepted, () => connection.end('revoked'));
      return connection;
    });
  }

  get #path(): SocketPath {
    return this.#parts.other?.path ?? METHOD_STREAM_PATH;
  }

  async #verify(request: IncomingMessage, from: string): Promise<Admission> {
    const { other } = this.#parts;
    if (other !== undefined) return admissionOf(await other.verify(request, from));
    const address = URL.parse(request.url ?? '', 'ws://gateway');
    const query = address?.searchParams ?? new URLSearchParams();
    const isSigned = hasHeaders(request.rawHeaders);
    if (!isSigned && !hasQuery(query)) return { kind: 'admitted', key: undefined };
    const presented = isSigned ? fromHeaders(request.rawHeaders) : fromQuery(query);
    // A signature in the query cannot cover the query, so a bound signature covers the path alone.
    const bound = { method: 'GET', target: address?.pathname ?? '', body: NO_BODY };
    const asking = { lane: 'query', bound, from, via: request.socket } as const;
    return admissionOf(await this.#parts.authenticator.verify(presented, asking));
  }

  #refuse(socket: Duplex, { rejection, retryAfterSec }: Verdict & { kind: 'refused' }): void {
    this.#parts.counts.refused(rejection.kind);
    this.#parts.counts.socketDropped('unauthorised');
    const status = httpStatus(rejection.kind);
    const again = isForNow(status) ? (retryAfterSec ?? RETRY_SEC) : undefined;
    const headers: Record<string, string> =
      again === undefined ? {} : { 'Retry-After': String(again) };
    answerRawText(socket, status, answerText(NO_RID, refusalOf(rejection)), headers);
  }
}

const admissionOf = (verdict: Verdict): Admission =>
  verdict.kind === 'known' ? { kind: 'admitted', key: verdict.key } : verdict;

function lackOf(key: ApiKey | undefined): Rejection | undefined {
  if (key === undefined || satisfies(key, 'rfqRead')) return undefined;
  return reject('forbidden', '', 'this key lacks the scope; accepted: read, trade or blockRfq');
}

// The order methods over WebSocket: /ws/api. Credentials are in the headers of the handshake, or in the query
// of the address for clients that cannot set headers; without credentials a client may call public methods.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Rejection, reject } from '../../../core/rejection.ts';
import type { ActionLog } from '../../../ports/action-log.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Authenticator, Verdict } from '../../auth/auth.ts';
import { fromHeaders, fromQuery, hasHeaders, hasQuery } from '../../auth/credentials.ts';
import { satisfies } from '../../auth/key-needs.ts';
import { type ApiKey, isInForce, type KeyStore, NO_LONGER_IN_FORCE } from '../../auth/key-store.ts';
import type { Desks } from '../../desks/desks.ts';
import type { IdempotencyStore } from '../../http/idempotency.ts';
import type { WorkLimits } from '../../http/work-limits.ts';
import { type AddressOf, clientNetwork } from '../../limits/client-address.ts';
import type { FairTurns } from '../../limits/fair-turns.ts';
import type { RidLimits } from '../../limits/limits.ts';
import { httpStatus } from '../../wire/envelope.ts';
import { isForNow, RETRY_SEC } from '../../wire/fault-answer.ts';
import type { GatewayCounts } from '../../wire/gateway-counts-port.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import { answerRawText } from '../../wire/raw-answer.ts';
import { AccountMemories } from '../channels/account-memories.ts';
import { ChannelSource } from '../channels/channel-source.ts';
import { refusalOf } from '../from-rejection.ts';
import { answerText, NO_RID } from '../method-envelope.ts';
import { METHODS } from '../method-table.ts';
import { internalError } from '../refusals.ts';
import { RidConnection, type RidConnectionParts } from './rid-connection.ts';

export const METHOD_STREAM_PATH = '/ws/api';

export interface MethodStreamOptions {
  readonly orders: Desks;
  readonly once?: IdempotencyStore | undefined;
  readonly actions?: ActionLog | undefined;
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
}

type Admission =
  | { readonly kind: 'admitted'; readonly key: ApiKey | undefined }
  | Extract<Verdict, { readonly kind: 'refused' }>;

/** An oversized frame still gets an answer up to this multiple of the accepted size. */
const FRAME_SIZES_READ = 8;
const NO_BODY = Buffer.alloc(0);

export class MethodStream {
  readonly #parts: MethodStreamOptions;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<RidConnection>();
  readonly #ending = new Set<Promise<void>>();
  readonly #accountRules = new Set<AccountId>();
  readonly #channels: ChannelSource;
  readonly #check: NodeJS.Timeout;
  #isClosed = false;

  constructor(parts: MethodStreamOptions) {
    this.#parts = parts;
    const { now, limits } = parts;
    const memories = new AccountMemories({ now, ...limits });
    this.#channels = new ChannelSource({ ...parts, memories });
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: parts.limits.bodyBytesMax * FRAME_SIZES_READ,
      perMessageDeflate: false,
    });
    parts.counts.backlog(METHOD_STREAM_PATH, () => this.#backlogBytes());
    this.#check = setInterval(() => {
      for (const connection of this.#connections) connection.check();
    }, parts.limits.checkMs);
    this.#check.unref();
  }

  /** Handles an upgrade to {@link METHOD_STREAM_PATH}. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    this.#admit(request, socket, head).catch((error: unknown) => {
      this.#parts.report(error, METHOD_STREAM_PATH);
      answerRawText(socket, 500, answerText(NO_RID, internalError()));
    });
  };

  /** Closes the connections whose key or secret is no longer in force, with 4401. */
  recheckKeys(): void {
    const { keys, now } = this.#parts;
    for (const connection of this.#connections) {
      const { key } = connection;
      if (key !== undefined && !isInForce(keys, key, now())) connection.end('revoked');
    }
  }

  /**
   * Closes every connection with 1012, and waits until the orders of cancel-on-disconnect have been cancelled.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#check);
    for (const connection of this.#connections) connection.end('shutdown');
    while (this.#connections.size > 0 || this.#ending.size > 0) {
      await Promise.race([...this.#ending, new Promise((resolve) => setTimeout(resolve, 5))]);
    }
    this.#channels.close();
  }

  async #admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const from = this.#parts.addressOf(request);
    const admission = await this.#verify(request, from);
    if (admission.kind === 'refused') return this.#refuse(socket, admission);
    const { key } = admission;
    const rejection = this.#fault(key, from);
    if (rejection !== undefined) return this.#refuse(socket, { kind: 'refused', rejection });
    this.#sockets.handleUpgrade(request, socket, head, (client) =>
      this.#connect(client, { socket, key, from }),
    );
  }

  async #verify(request: IncomingMessage, from: string): Promise<Admission> {
    const address = URL.parse(request.url ?? '', 'ws://gateway');
    const query = address?.searchParams ?? new URLSearchParams();
    const isSigned = hasHeaders(request.rawHeaders);
    if (!isSigned && !hasQuery(query)) return { kind: 'admitted', key: undefined };
    const presented = isSigned ? fromHeaders(request.rawHeaders) : fromQuery(query);
    // A signature in the query cannot cover the query, so a bound signature covers the path alone.
    const bound = { method: 'GET', target: address?.pathname ?? '', body: NO_BODY };
    const asking = { lane: 'query', bound, from, via: request.socket } as const;
    const verdict = await this.#parts.authenticator.verify(presented, asking);
    return verdict.kind === 'known' ? { kind: 'admitted', key: verdict.key } : verdict;
  }

  #backlogBytes(): number {
    let sum = 0;
    for (const { backlogBytes } of this.#connections) sum += backlogBytes;
    return sum;
  }

  #fault(key: ApiKey | undefined, from: string): Rejection | undefined {
    const { limits, keys, now } = this.#parts;
    if (this.#isClosed) return reject('unavailable', '', 'shutting down; try again');
    if (key !== undefined && !isInForce(keys, key, now())) return NO_LONGER_IN_FORCE;
    if (key !== undefined && !satisfies(key, 'rfqRead')) {
      return reject('forbidden', '', 'this key lacks the scope; accepted: read, trade or blockRfq');
    }
    const alike = [...this.#connections].filter((other) => other.key?.id === key?.id);
    if (key !== undefined) return full(alike.length, limits.connectionsPerKeyMax, 'per key');
    const near = alike.filter((other) => clientNetwork(other.from) === clientNetwork(from));
    return (
      full(near.length, limits.connectionsPerStrangerMax, 'without a key per address') ??
      full(alike.length, limits.connectionsOfStrangersMax, 'without a key')
    );
  }

  #connect(client: WebSocket, of: Pick<RidConnectionParts, 'socket' | 'key' | 'from'>): void {
    const { counts } = this.#parts;
    const connection = new RidConnection({
      ...this.#parts,
      ...of,
      client,
      channels: this.#channels,
      accountRules: this.#accountRules,
      answered: (method, code, elapsedMs) => {
        const route = METHODS.has(method) ? `${METHOD_STREAM_PATH} ${method}` : undefined;
        counts.answered({ route, method: 'FRAME', code, elapsedMs });
      },
      dropped: (why) => counts.socketDropped(why),
    });
    this.#connections.add(connection);
    counts.socketOpened(METHOD_STREAM_PATH);
    client.on('close', () => {
      counts.socketClosed(METHOD_STREAM_PATH);
      const ending = this.#ended(connection);
      this.#ending.add(ending);
      void ending.finally(() => this.#ending.delete(ending));
      this.#connections.delete(connection);
    });
  }

  async #ended(connection: RidConnection): Promise<void> {
    try {
      await connection.gone();
    } catch (error) {
      this.#parts.report(error, METHOD_STREAM_PATH);
    }
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

const full = (open: number, most: number, whose: string): Rejection | undefined =>
  open < most
    ? undefined
    : reject('too_many_requests', '', `accepted: ${most} connections ${whose}`);

// The open connections of one WebSocket address: how many each client may have, which end with their key, and what a
// drain waits for.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Rejection, reject } from '../../../core/rejection.ts';
import { InFlight } from '../../../lifetime/in-flight.ts';
import type { Lifetime } from '../../../lifetime/lifetime.ts';
import type { Instant } from '../../../values/instant.ts';
import { type ApiKey, isInForce, type KeyStore, NO_LONGER_IN_FORCE } from '../../auth/key-store.ts';
import { clientNetwork } from '../../limits/client-address.ts';
import type { RidLimits } from '../../limits/limits.ts';
import type { GatewayCounts, SocketPath } from '../../wire/gateway-counts-port.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import type { AcceptedSocket } from './request-connection.ts';

export interface OpenConnection {
  /** Of clients with a key. */
  readonly key?: ApiKey | undefined;
  /** The keys that have been used on it: it ends when one of them is no longer in force. */
  readonly keys: Iterable<ApiKey>;
  /** The client's address. */
  readonly from: string;
  /** Bytes the client has not read yet. */
  readonly backlogBytes: number;
  /** Called periodically: ends a dead connection. */
  check(): void;
  end(why: 'revoked' | 'shutdown'): void;
  /** Called once it is closed; resolves when everything that its end requires has been done. */
  gone(): Promise<void>;
}

type ConnectionLimits = Pick<
  RidLimits,
  | 'bodyBytesMax'
  | 'checkMs'
  | 'connectionsPerKeyMax'
  | 'connectionsPerStrangerMax'
  | 'connectionsOfStrangersMax'
>;

export interface OpenConnectionsOptions {
  readonly path: SocketPath;
  readonly keys: KeyStore;
  readonly now: () => Instant;
  readonly limits: ConnectionLimits;
  /** Frames are read up to this multiple of the accepted size, so that an oversized one gets an answer; default 8. */
  readonly frameSizesRead?: number;
  readonly counts: GatewayCounts;
  readonly report: ReportError;
}

const FRAME_SIZES_READ = 8;

export class OpenConnections implements Lifetime {
  readonly #parts: OpenConnectionsOptions;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<OpenConnection>();
  /** Counts each connection until everything that its end requires has been done. */
  readonly #inFlight = new InFlight();
  #timer: NodeJS.Timeout | undefined;
  #isDraining = false;

  constructor(parts: OpenConnectionsOptions) {
    this.#parts = parts;
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: parts.limits.bodyBytesMax * (parts.frameSizesRead ?? FRAME_SIZES_READ),
      perMessageDeflate: false,
    });
    parts.counts.backlog(parts.path, () => this.#backlogBytes());
  }

  start(): Promise<void> {
    this.#timer = setInterval(() => {
      for (const connection of this.#connections) connection.check();
    }, this.#parts.limits.checkMs);
    this.#timer.unref();
    return Promise.resolve();
  }

  /** Closes every connection with 1012: clients should reconnect to the next process. */
  drain(): Promise<void> {
    this.#isDraining = true;
    this.stop();
    for (const connection of this.#connections) connection.end('shutdown');
    return this.#inFlight.idle();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Closes the connections whose key or secret is no longer in force, with 4401. */
  recheckKeys(): void {
    const { keys, now } = this.#parts;
    for (const connection of this.#connections) {
      const isOver = [...connection.keys].some((key) => !isInForce(keys, key, now()));
      if (isOver) connection.end('revoked');
    }
  }

  /** Why a client may not have one more connection. `key` is absent for a client without one. */
  faultOf(key: ApiKey | undefined, from: string): Rejection | undefined {
    const { limits, keys, now } = this.#parts;
    if (this.#isDraining) return reject('unavailable', '', 'shutting down; try again');
    if (key !== undefined && !isInForce(keys, key, now())) return NO_LONGER_IN_FORCE;
    const alike = [...this.#connections].filter((other) => other.key?.id === key?.id);
    if (key !== undefined) return full(alike.length, limits.connectionsPerKeyMax, 'per key');
    const near = alike.filter((other) => clientNetwork(other.from) === clientNetwork(from));
    return (
      full(near.length, limits.connectionsPerStrangerMax, 'without a key per address') ??
      full(alike.length, limits.connectionsOfStrangersMax, 'without a key')
    );
  }

  /** Whether a client that logs in may have its connection alongside the others of the key. */
  mayJoin(key: ApiKey): boolean {
    return this.faultOf(key, '') === undefined;
  }

  /** Completes an upgrade; `open` makes the connection. */
  accept(
    { request, socket, head, from }: Upgrading,
    open: (accepted: AcceptedSocket) => OpenConnection,
  ): void {
    this.#sockets.handleUpgrade(request, socket, head, (client) =>
      this.#add(open({ client, socket, from }), client),
    );
  }

  #add(connection: OpenConnection, client: WebSocket): void {
    const { counts, path } = this.#parts;
    this.#connections.add(connection);
    this.#inFlight.enter();
    counts.socketOpened(path);
    client.on('close', () => {
      counts.socketClosed(path);
      this.#connections.delete(connection);
      void this.#ended(connection);
    });
  }

  async #ended(connection: OpenConnection): Promise<void> {
    try {
      await connection.gone();
    } catch (error) {
      this.#parts.report(error, this.#parts.path);
    } finally {
      this.#inFlight.leave();
    }
  }

  #backlogBytes(): number {
    let sum = 0;
    for (const { backlogBytes } of this.#connections) sum += backlogBytes;
    return sum;
  }
}

/** An upgrade that has been admitted. */
export interface Upgrading {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  /** The client's address. */
  readonly from: string;
}

const full = (open: number, most: number, whose: string): Rejection | undefined =>
  open < most
    ? undefined
    : reject('too_many_requests', '', `accepted: ${most} connections ${whose}`);

// News of portfolios over WebSocket. Credentials are in the query of the address; a connection receives only
// news of the accounts of its key.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { reject } from '../../core/rejection.ts';
import type { SequencedNews } from '../../engine/interface/news-api.ts';
import type { Instant } from '../../values/instant.ts';
import type { Authenticator, Verdict } from '../auth/auth.ts';
import { fromQueryOnly } from '../auth/credentials.ts';
import { satisfies } from '../auth/key-needs.ts';
import { type ApiKey, isInForce, type KeyStore, NO_LONGER_IN_FORCE } from '../auth/key-store.ts';
import type { Desks } from '../desks/desks.ts';
import type { AddressOf } from '../limits/client-address.ts';
import type { StreamLimits } from '../limits/limits.ts';
import { ChannelSource } from '../order-api/channels/channel-source.ts';
import type { AccountDirectory } from '../portfolios/portfolio-record.ts';
import { Broadcast } from '../wire/broadcast.ts';
import { httpStatus, refusal } from '../wire/envelope.ts';
import { isForNow, RETRY_SEC } from '../wire/fault-answer.ts';
import type { GatewayCounts } from '../wire/gateway-counts-port.ts';
import type { ReportError } from '../wire/http-faults.ts';
import { answerRaw } from '../wire/raw-answer.ts';
import { NewsChannel } from './news-channel.ts';
import { newsFrame } from './news-frame.ts';
import type { NewsHub } from './news-hub.ts';
import { OrdersChannel } from './orders-channel.ts';
import type { Outlet, StreamChannel } from './stream-channel.ts';
import { StreamConnection } from './stream-connection.ts';
import type { Channel } from './stream-frames.ts';

export const STREAM_PATH = '/ws/portfolio';

export interface StreamParts {
  readonly news: NewsHub;
  readonly orders: Desks;
  readonly authenticator: Authenticator;
  readonly keys: KeyStore;
  readonly addressOf: AddressOf;
  readonly accounts: AccountDirectory;
  readonly now: () => Instant;
  readonly report: ReportError;
  readonly counts: GatewayCounts;
  readonly limits: StreamLimits;
}

const IDLE_CHECKS_PER_LIMIT = 6;
const NO_BODY = Buffer.alloc(0);

export class PortfolioStream {
  readonly #parts: StreamParts;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<StreamConnection>();
  readonly #outboxes = new Broadcast();
  readonly #idleCheck: NodeJS.Timeout;
  readonly #source: ChannelSource;
  #written: { readonly news: SequencedNews; readonly text: string } | undefined;
  #closed = false;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#sockets = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: parts.limits.frameBytesMax,
      perMessageDeflate: false,
    });
    this.#source = new ChannelSource(parts);
    parts.counts.backlog(STREAM_PATH, () => this.#backlogBytes());
    this.#idleCheck = setInterval(() => {
      for (const connection of this.#connections) connection.checkIdle();
    }, parts.limits.idleMs / IDLE_CHECKS_PER_LIMIT);
    this.#idleCheck.unref();
  }

  /** Handles an upgrade to {@link STREAM_PATH}. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    this.#admit(request, socket, head).catch((error: unknown) => {
      this.#parts.report(error, STREAM_PATH);
      answerRaw(socket, 500, refusal([reject('internal', '', 'internal error')]));
    });
  };

  /** Closes the connections whose key or secret is no longer in force, with 4401. */
  recheckKeys(): void {
    const { keys, now } = this.#parts;
    for (const connection of this.#connections) {
      if (!isInForce(keys, connection.key, now())) connection.close('revoked');
    }
  }

  /** Closes every connection with 1012: clients should reconnect to the next process. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#idleCheck);
    for (const connection of this.#connections) connection.close('shutdown');
    this.#source.close();
  }

  async #admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = new URL(request.url ?? '', 'ws://gateway');
    const verdict = await this.#verify(request, address);
    if (verdict.kind === 'refused') return this.#refuse(socket, verdict);
    const rejection = this.#fault(verdict.key);
    if (rejection !== undefined) return this.#refuse(socket, { kind: 'refused', rejection });
    this.#sockets.handleUpgrade(request, socket, head, (client) =>
      this.#connect(client, socket, verdict.key),
    );
  }

  async #verify(request: IncomingMessage, address: URL): Promise<Verdict> {
    const { rawHeaders } = request;
    const presented = fromQueryOnly(address.searchParams, { path: STREAM_PATH, rawHeaders });
    // The query contains the signature itself, so a bound signature covers the path alone.
    const bound = { method: 'GET', target: address.pathname, body: NO_BODY };
    const { authenticator, addressOf } = this.#parts;
    const [from, via] = [addressOf(request), request.socket];
    return await authenticator.verify(presented, { lane: 'read', bound, from, via });
  }

  #backlogBytes(): number {
    let sum = 0;
    for (const { backlogBytes } of this.#connections) sum += backlogBytes;
    return sum;
  }

  #fault(key: ApiKey) {
    const { keys, now } = this.#parts;
    const { connectionsPerKeyMax } = this.#parts.limits;
    if (this.#closed) return reject('unavailable', '', 'shutting down; try again');
    if (!isInForce(keys, key, now())) return NO_LONGER_IN_FORCE;
    if (!satisfies(key, 'read'))
      return reject('forbidden', '', 'this key lacks the scope read or trade');
    const open = [...this.#connections].filter((other) => other.key.id === key.id).length;
    return open < connectionsPerKeyMax
      ? undefined
      : reject('too_many_requests', '', `accepted: ${connectionsPerKeyMax} connections per key`);
  }

  #connect(client: WebSocket, socket: Duplex, key: ApiKey): void {
    const { limits, now, counts, report } = this.#parts;
    const connection = new StreamConnection(client, {
      ...{ key, limits, nowMs: now, report },
      outbox: this.#outboxes.open(socket),
      dropped: counts.socketDropped.bind(counts),
      channels: (outlet) => this.#channels(outlet),
    });
    this.#connections.add(connection);
    counts.socketOpened(STREAM_PATH);
    client.on('close', () => {
      this.#connections.delete(connection);
      counts.socketClosed(STREAM_PATH);
    });
  }

  #channels(outlet: Outlet): Readonly<Record<Channel, StreamChannel>> {
    const { news, orders, now, report, limits } = this.#parts;
    const { missedMax } = limits;
    const frameText = (one: SequencedNews): string => this.#frameText(one);
    return {
      'trade-news': new NewsChannel({ hub: news, outlet, frameText, missedMax, report }),
      'order.change.any': new OrdersChannel({ orders, source: this.#source, outlet, now }),
    };
  }

  /** Serialised once for all subscribers of the same message. */
  #frameText(news: SequencedNews): string {
    if (this.#written?.news !== news) {
      const text = JSON.stringify(newsFrame(news, this.#parts.accounts));
      this.#written = { news, text };
    }
    return this.#written.text;
  }

  #refuse(socket: Duplex, { rejection, retryAfterSec }: Verdict & { kind: 'refused' }): void {
    this.#parts.counts.refused(rejection.kind);
    this.#parts.counts.socketDropped('unauthorised');
    const status = httpStatus(rejection.kind);
    const again = isForNow(status) ? (retryAfterSec ?? RETRY_SEC) : undefined;
    const headers: Record<string, string> =
      again === undefined ? {} : { 'Retry-After': String(again) };
    answerRaw(socket, status, refusal([rejection]), headers);
  }
}

// News of portfolios over WebSocket. Credentials are in the query of the address; a connection receives only
// news of the accounts of its key.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Rejection, reject } from '../../core/rejection.ts';
import type { SequencedNews } from '../../engine/interface/news-api.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Instant } from '../../values/instant.ts';
import type { Authenticator, Verdict } from '../auth/auth.ts';
import { fromQueryOnly } from '../auth/credentials.ts';
import { satisfies } from '../auth/key-needs.ts';
import type { ApiKey, KeyStore } from '../auth/key-store.ts';
import type { Desks } from '../desks/desks.ts';
import type { AddressOf } from '../limits/client-address.ts';
import type { StreamLimits } from '../limits/limits.ts';
import { ChannelSource } from '../order-api/channels/channel-source.ts';
import { OpenConnections } from '../order-api/session/open-connections.ts';
import type { AcceptedSocket } from '../order-api/session/request-connection.ts';
import type { AccountDirectory } from '../portfolios/portfolio-record.ts';
import { Broadcast } from '../wire/broadcast.ts';
import { httpStatus, refusal } from '../wire/envelope.ts';
import { isForNow, RETRY_SEC } from '../wire/fault-answer.ts';
import type { GatewayCounts, SocketPath } from '../wire/gateway-counts-port.ts';
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

export interface PortfolioStreamOptions {
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
  /** Where it is served if not at {@link STREAM_PATH}, and what takes the place of a signature there. */
  readonly other?:
    | {
        readonly path: SocketPath;
        verify(request: IncomingMessage, from: string): Promise<Verdict>;
        /** Called for every connection that was accepted. */
        opened(request: IncomingMessage, accepted: AcceptedSocket, end: () => void): void;
      }
    | undefined;
}

const IDLE_CHECKS_PER_LIMIT = 6;
const NO_BODY = Buffer.alloc(0);

export class PortfolioStream implements Lifetime {
  readonly #parts: PortfolioStreamOptions;
  readonly #connections: OpenConnections;
  readonly #outboxes = new Broadcast();
  readonly #source: ChannelSource;
  #written: { readonly news: SequencedNews; readonly text: string } | undefined;

  constructor(parts: PortfolioStreamOptions) {
    this.#parts = parts;
    const { frameBytesMax, idleMs, connectionsPerKeyMax } = parts.limits;
    this.#connections = new OpenConnections({
      ...parts,
      path: parts.other?.path ?? STREAM_PATH,
      frameSizesRead: 1,
      limits: {
        bodyBytesMax: frameBytesMax,
        checkMs: idleMs / IDLE_CHECKS_PER_LIMIT,
        connectionsPerKeyMax,
        connectionsPerStrangerMax: 0,
        connectionsOfStrangersMax: 0,
      },
    });
    this.#source = new ChannelSource(parts);
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
    this.#connections.recheckKeys();
  }

  start(): Promise<void> {
    return this.#connections.start();
  }

  drain(): Promise<void> {
    return this.#connections.drain();
  }

  stop(): void {
    this.#connections.stop();
    this.#source.close();
  }

  async #admit(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const address = new URL(request.url ?? '', 'ws://gateway');
    const from = this.#parts.addressOf(request);
    const verdict = await this.#verify(request, address, from);
    if (verdict.kind === 'refused') return this.#refuse(socket, verdict);
    const { key } = verdict;
    const rejection = this.#connections.faultOf(key, from) ?? lackOf(key);
    if (rejection !== undefined) return this.#refuse(socket, { kind: 'refused', rejection });
    this.#connections.accept({ request, socket, head, from }, (accepted) => {
      const connection = this.#connection(accepted, key);
      this.#parts.other?.opened(request, accepted, () => connection.end('revoked'));
      return connection;
    });
  }

  async #verify(request: IncomingMessage, address: URL, from: string): Promise<Verdict> {
    const { other } = this.#parts;
    if (other !== undefined) return await other.verify(request, from);
    const { rawHeaders } = request;
    const presented = fromQueryOnly(address.searchParams, { path: STREAM_PATH, rawHeaders });
    // The query contains the signature itself, so a bound signature covers the path alone.
    const bound = { method: 'GET', target: address.pathname, body: NO_BODY };
    const asking = { lane: 'read', bound, from, via: request.socket } as const;
    return await this.#parts.authenticator.verify(presented, asking);
  }

  #connection({ client, socket, from }: AcceptedSocket, key: ApiKey): StreamConnection {
    const { limits, now, counts, report } = this.#parts;
    return new StreamConnection(client, {
      key,
      from,
      limits,
      nowMs: now,
      report,
      outbox: this.#outboxes.open(socket),
      dropped: counts.socketDropped.bind(counts),
      channels: (outlet) => this.#channels(outlet),
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

const lackOf = (key: ApiKey): Rejection | undefined =>
  satisfies(key, 'read')
    ? undefined
    : reject('forbidden', '', 'this key lacks the scope read or trade');

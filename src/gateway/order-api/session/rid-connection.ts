// One client of /ws/api: its requests, subscriptions and lifetime. Requests start in order of arrival and are
// answered as they finish; the requests of a client that reads its answers too slowly wait in its socket.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { ActionLog } from '../../../ports/action-log.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Authenticator } from '../../auth/auth.ts';
import type { ApiKey } from '../../auth/key-store.ts';
import type { Desks } from '../../desks/desks.ts';
import type { IdempotencyStore } from '../../http/idempotency.ts';
import type { WorkLimits } from '../../http/work-limits.ts';
import type { FairTurns, Lane } from '../../limits/fair-turns.ts';
import type { RidLane, RidLimits } from '../../limits/limits.ts';
import { ClientSocket, readFrameJson } from '../../wire/client-socket.ts';
import type { SocketEnd } from '../../wire/gateway-counts-port.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import { answerCall } from '../answer-call.ts';
import { counted } from '../call-method.ts';
import type { ChannelSource } from '../channels/channel-source.ts';
import { Charge } from '../charge.ts';
import { statusOf } from '../http-status.ts';
import type { Call } from '../method.ts';
import {
  answerPieces,
  bytesOf,
  NO_RID,
  type RequestReading,
  type RidRequest,
  type RidText,
  readFrame,
} from '../method-envelope.ts';
import { recordDisconnect } from '../record-action.ts';
import { CODES, parseError, tooLarge } from '../refusals.ts';
import { type AccountRules, DisconnectRules } from './disconnect-rules.ts';
import { Liveness } from './liveness.ts';
import { Outgoing } from './outgoing.ts';
import type { DisconnectScope, RidSession, Subscribing } from './session.ts';
import { SessionOrders } from './session-orders.ts';
import { Subscriptions } from './subscriptions.ts';

/** Why the gateway closes a connection: the reason sent to the client. */
const REASONS = {
  binary: 'text frames only',
  silent: 'silent for too long',
  unanswered: 'test request not answered',
  flood: 'too_many_requests',
  shutdown: 'restarting',
  slow: 'connection_too_slow',
  revoked: 'key_no_longer_in_force',
} as const;

/** Frames waiting to be processed above which the socket is no longer read. */
const PAUSED_FRAMES = 64;
/**
 * Frames already read when the socket was paused; more than fit into one read of the socket are a flood of
 * empty frames.
 */
const WAITING_MAX = 4_096;

export interface RidConnectionParts {
  readonly client: WebSocket;
  readonly socket: Duplex;
  /** Absent for an unauthenticated client. */
  readonly key: ApiKey | undefined;
  /** The client's address. */
  readonly from: string;
  readonly orders: Desks;
  readonly once?: IdempotencyStore | undefined;
  readonly actions?: ActionLog | undefined;
  readonly channels: ChannelSource;
  readonly accountRules: AccountRules;
  readonly authenticator: Pick<Authenticator, 'take'>;
  /** Shares the event loop between connections. */
  readonly turns: FairTurns;
  /** Limits the cost of queries. */
  readonly work: WorkLimits;
  readonly now: () => Instant;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly limits: RidLimits;
  readonly report: ReportError;
  /** Called for each request, with the status it would have over HTTP. */
  readonly answered: (method: string, status: number, elapsedMs: number) => void;
  /** Called when the gateway closes the connection. */
  readonly dropped: (why: SocketEnd) => void;
}

export class RidConnection implements RidSession {
  readonly key: ApiKey | undefined;
  readonly from: string;
  readonly #parts: RidConnectionParts;
  readonly #socket: ClientSocket<keyof typeof REASONS>;
  readonly #out: Outgoing;
  readonly #call: Call;
  readonly #lane: Lane;
  readonly #liveness: Liveness;
  readonly #made: SessionOrders;
  readonly #rules: DisconnectRules;
  readonly #subscriptions: Subscriptions;
  #inFlight = 0;
  #isPaused = false;
  #isFlooding = false;
  #whenIdle: (() => void) | undefined;

  constructor(parts: RidConnectionParts) {
    const { client, socket, key, orders, now, version, limits } = parts;
    this.key = key;
    this.from = parts.from;
    this.#parts = parts;
    // The socket's `drain` is no substitute: it is not emitted when less than its own threshold was waiting.
    this.#out = new Outgoing(client, socket, () => this.#resume());
    const { actions, once, from, exchangeId } = parts;
    const about = { version, exchangeId, now };
    this.#call = { ...about, orders, actions, once, key, from, session: this };
    this.#lane = parts.turns.lane({
      isKnown: () => key !== undefined,
      // Requests sent before the client disconnected are completed, whether or not it reads.
      canWork: () => !this.#out.isOpen || !this.#isBusy(1),
    });
    this.#liveness = new Liveness(limits.idleMs, now());
    this.#made = new SessionOrders(orders);
    this.#rules = new DisconnectRules(parts.accountRules, key?.accounts ?? []);
    const send = (text: string): void => this.#notify(text);
    this.#subscriptions = new Subscriptions({ source: parts.channels, send, limits, key });
    this.#socket = new ClientSocket({
      client,
      reasons: REASONS,
      heard: () => {
        this.#liveness.heard(now());
        return true;
      },
      received: (frame) => this.#receive(frame),
      leaving: (why) => {
        if (why !== 'shutdown') this.#lane.clear();
      },
      dropped: parts.dropped,
    });
  }

  /** Bytes the client has not read yet. */
  get backlogBytes(): number {
    return this.#out.waitingBytes;
  }

  subscribe(wish: Subscribing): Reply<readonly string[]> {
    return this.#subscriptions.subscribe(wish);
  }

  unsubscribe(channels: readonly string[], account?: AccountId): readonly string[] {
    return this.#subscriptions.unsubscribe(channels, account);
  }

  unsubscribeAll(): void {
    this.#subscriptions.close();
  }

  setHeartbeat(intervalSec: number): void {
    this.#liveness.setInterval(intervalSec * 1_000, this.#parts.now());
  }

  tested(): void {
    this.#liveness.tested();
  }

  created(order: OrderRecord): void {
    this.#made.note(order);
  }

  cancelOnDisconnect(account: AccountId, scope: DisconnectScope, enabled: boolean): void {
    this.#rules.set(account, scope, enabled);
  }

  cancelsOnDisconnect(account: AccountId, scope: DisconnectScope): boolean {
    return this.#rules.has(account, scope);
  }

  /** Must be called periodically. */
  check(): void {
    const verdict = this.#liveness.check(this.#parts.now());
    if (verdict === 'idle') this.end('silent');
    else if (verdict === 'unanswered') this.end('unanswered');
    else if (verdict === 'beat') this.#notify(HEARTBEAT);
    else if (verdict === 'ask') this.#notify(TEST_REQUEST);
  }

  end(why: keyof typeof REASONS): void {
    // The sources of the channels are closed soon, whether or not the client has disconnected by then.
    if (why === 'shutdown') this.#subscriptions.close();
    this.#socket.end(why);
  }

  /** Called after the socket has closed: waits for requests in flight, then cancels the orders. */
  async gone(): Promise<void> {
    this.#subscriptions.close();
    if (this.key === undefined) this.#lane.clear();
    this.#lane.wake();
    if (!this.#isIdle) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    for (const account of this.#rules.inForce()) {
      await this.#made.cancelAll(account);
      await recordDisconnect(this.#call, account);
    }
  }

  #receive(frame: Buffer): void {
    if (this.#lane.waiting >= WAITING_MAX) return this.end('flood');
    this.#lane.push(() => this.#work(frame));
    this.#pause();
  }

  /** Processes one frame. */
  #work(frame: Buffer): void {
    this.#obey(this.#read(frame));
    this.#resume();
    this.#tellQuiet();
  }

  #obey(reading: RequestReading): void {
    if (reading.kind === 'faulty') {
      const take = (lane: RidLane): number | undefined => this.#take(lane);
      this.#answer(reading.rid, counted(reading.refusal, 'query', take));
      return;
    }
    const { request } = reading;
    const { report, work } = this.#parts;
    const charge = new Charge(work, this, request.method);
    const take = (lane: RidLane): number | undefined => this.#take(lane) ?? charge.take(lane);
    const fromMs = performance.now();
    const answer = answerCall(this.#call, request, { take, report });
    if (!(answer instanceof Promise)) {
      charge.done(this.#finish(request, answer, fromMs));
      return;
    }
    const workedMs = charge.elapsedMs;
    this.#inFlight += 1;
    void answer.then((reply) => {
      this.#inFlight -= 1;
      charge.done(this.#finish(request, reply, fromMs), workedMs);
      this.#resume();
      this.#tellQuiet();
    });
  }

  #read(frame: Buffer): RequestReading {
    const { bodyBytesMax } = this.#parts.limits;
    if (frame.length > bodyBytesMax) {
      return { kind: 'faulty', rid: NO_RID, refusal: tooLarge(bodyBytesMax) };
    }
    const input = readFrameJson(frame);
    return 'value' in input
      ? readFrame(input.value)
      : { kind: 'faulty', rid: NO_RID, refusal: parseError(input.fault) };
  }

  /** Sends the answer; returns its size in bytes. */
  #finish(request: RidRequest, reply: Reply<unknown>, fromMs: number): number {
    const elapsedMs = performance.now() - fromMs;
    this.#parts.answered(request.method, statusOf(reply), elapsedMs);
    return this.#answer(request.rid, reply);
  }

  #answer(rid: RidText, reply: Reply<unknown>): number {
    const pieces = answerPieces(rid, reply);
    this.#out.send(pieces);
    if (reply.kind === 'refused' && reply.code === CODES.tooManyRequests && this.#isFlooding) {
      this.end('flood');
    }
    return bytesOf(pieces);
  }

  #take(lane: RidLane): number | undefined {
    const waitMs = this.#parts.authenticator.take(this.key, lane, this.from);
    this.#isFlooding ||= waitMs !== undefined;
    return waitMs;
  }

  /** Notifications are not requested, so only the client's reading limits them. */
  #notify(text: string): void {
    if (this.#out.waitingBytes > this.#parts.limits.bufferedBytesMax) this.end('slow');
    else this.#out.send(text);
  }

  #isBusy(share: number): boolean {
    const { inFlightMax, pausedBytes } = this.#parts.limits;
    return this.#inFlight >= inFlightMax * share || this.#out.waitingBytes > pausedBytes * share;
  }

  #isFull(share: number): boolean {
    return this.#isBusy(share) || this.#lane.waiting >= PAUSED_FRAMES * share;
  }

  /** Stops reading the socket. Frames already read wait in the lane. */
  #pause(): void {
    if (this.#isPaused || !this.#isFull(1)) return;
    this.#isPaused = true;
    this.#parts.client.pause();
  }

  #resume(): void {
    this.#lane.wake();
    if (!this.#isPaused || this.#isFull(0.5)) return;
    this.#isPaused = false;
    this.#parts.client.resume();
  }

  get #isIdle(): boolean {
    return this.#inFlight === 0 && this.#lane.waiting === 0;
  }

  #tellQuiet(): void {
    if (this.#isIdle) this.#whenIdle?.();
  }
}

const HEARTBEAT = JSON.stringify({ method: 'heartbeat', params: { type: 'heartbeat' } });
const TEST_REQUEST = JSON.stringify({ method: 'heartbeat', params: { type: 'test_request' } });

// One client of a WebSocket that takes requests, whatever their form: its lifetime, the order of its requests, what it
// may have in flight and unread, heartbeats, and the orders cancelled when it closes. Requests start in order of
// arrival and are answered as they finish; those of a client that reads too slowly wait in its socket.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { ApiKey } from '../../auth/key-store.ts';
import type { Desks } from '../../desks/desks.ts';
import type { FairTurns, Lane } from '../../limits/fair-turns.ts';
import type { RidLimits } from '../../limits/limits.ts';
import { ClientSocket } from '../../wire/client-socket.ts';
import type { SocketEnd } from '../../wire/gateway-counts-port.ts';
import type { AnswerPieces } from '../method-envelope.ts';
import { type AccountRules, DisconnectRules } from './disconnect-rules.ts';
import { Liveness } from './liveness.ts';
import { Outgoing } from './outgoing.ts';
import type { DisconnectScope } from './session.ts';
import { SessionOrders } from './session-orders.ts';

/** Why the gateway closes a connection: the reason sent to the client. */
const REASONS = {
  binary: 'text frames only',
  silent: 'silent for too long',
  unanswered: 'test request not answered',
  flood: 'too_many_requests',
  shutdown: 'restarting',
  slow: 'connection_too_slow',
  revoked: 'key_no_longer_in_force',
  logout: 'logged out',
} as const;

export type ConnectionEnd = keyof typeof REASONS;

/** Frames waiting to be processed above which the socket is no longer read. */
const PAUSED_FRAMES = 64;
/**
 * Frames already read when the socket was paused; more than fit into one read of the socket are a flood of
 * empty frames.
 */
const WAITING_MAX = 4_096;

/** The accepted connection. */
export interface AcceptedSocket {
  readonly client: WebSocket;
  readonly socket: Duplex;
  /** The client's address. */
  readonly from: string;
}

export interface RequestConnectionParts extends AcceptedSocket {
  readonly orders: Desks;
  readonly accountRules: AccountRules;
  /** Shares the event loop between connections. */
  readonly turns: FairTurns;
  readonly now: () => Instant;
  readonly limits: RidLimits;
  /** Called when the gateway closes the connection. */
  readonly dropped: (why: SocketEnd) => void;
}

/** The text of the frames of a heartbeat. */
export interface HeartbeatFrames {
  readonly beat: string;
  /** Asks the client for a sign of life. */
  readonly ask: string;
}

export abstract class RequestConnection {
  readonly from: string;
  readonly #parts: RequestConnectionParts;
  readonly #heartbeats: HeartbeatFrames;
  readonly #socket: ClientSocket<ConnectionEnd>;
  readonly #out: Outgoing;
  readonly #lane: Lane;
  readonly #liveness: Liveness;
  readonly #made: SessionOrders;
  readonly #rules: DisconnectRules;
  #inFlight = 0;
  #isPaused = false;
  #whenIdle: (() => void) | undefined;

  constructor(parts: RequestConnectionParts, heartbeats: HeartbeatFrames) {
    const { client, socket, from, now, limits } = parts;
    this.from = from;
    this.#parts = parts;
    this.#heartbeats = heartbeats;
    // The socket's `drain` is no substitute: it is not emitted when less than its own threshold was waiting.
    this.#out = new Outgoing(client, socket, () => this.#resume());
    this.#lane = parts.turns.lane({
      isKnown: () => this.key !== undefined,
      // Requests sent before the client disconnected are completed, whether or not it reads.
      canWork: () => !this.isHeld && (!this.#out.isOpen || !this.#isBusy(1)),
    });
    this.#liveness = new Liveness(limits.idleMs, now());
    this.#made = new SessionOrders(parts.orders);
    this.#rules = new DisconnectRules(parts.accountRules);
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

  /** Whether further frames wait for the answer to an earlier one. */
  protected get isHeld(): boolean {
    return false;
  }

  /** The key that has authenticated, if any. */
  abstract readonly key: ApiKey | undefined;

  /** Every key that has authenticated; the connection ends when one is no longer in force. */
  get keys(): Iterable<ApiKey> {
    return this.key === undefined ? [] : [this.key];
  }

  /** Processes one frame and answers it. The promise, if there is one, resolves after the answer. */
  protected abstract obey(frame: Buffer): Promise<void> | undefined;

  protected abstract closeSubscriptions(): void;

  /** Called after the orders of an account were cancelled because the connection closed. */
  protected abstract recordCancel(account: AccountId): Promise<void>;

  /** Bytes the client has not read yet. */
  get backlogBytes(): number {
    return this.#out.waitingBytes;
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

  /** Applies the rules of scope account; called when the client has shown that it may use the accounts. */
  protected adopt(accounts: readonly AccountId[]): void {
    this.#rules.adopt(accounts);
  }

  /** No order is cancelled when the connection closes. */
  protected keepOrders(): void {
    this.#rules.clear();
  }

  /** Must be called periodically. */
  check(): void {
    const verdict = this.#liveness.check(this.#parts.now());
    if (verdict === 'idle') this.end('silent');
    else if (verdict === 'unanswered') this.end('unanswered');
    else if (verdict === 'beat') this.notify(this.#heartbeats.beat);
    else if (verdict === 'ask') this.notify(this.#heartbeats.ask);
  }

  end(why: ConnectionEnd): void {
    // The sources of the channels are closed soon, whether or not the client has disconnected by then.
    if (why === 'shutdown') this.closeSubscriptions();
    this.#socket.end(why);
  }

  /** Called after the socket has closed: waits for requests in flight, then cancels the orders. */
  async gone(): Promise<void> {
    this.closeSubscriptions();
    if (this.key === undefined) this.#lane.clear();
    this.#lane.wake();
    if (!this.#isIdle) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    for (const account of this.#rules.inForce()) {
      await this.#made.cancelAll(account);
      await this.recordCancel(account);
    }
  }

  protected send(answer: AnswerPieces): void {
    this.#out.send(answer);
  }

  /** Notifications are not requested, so only the client's reading limits them. */
  protected notify(text: string): void {
    if (this.#mayNotify()) this.#out.send(text);
  }

  /** Same as {@link notify}, for a frame that is shared by its recipients. */
  protected notifyFrame(frame: Buffer): void {
    if (this.#mayNotify()) this.#out.sendFrame(frame);
  }

  #mayNotify(): boolean {
    if (this.#out.waitingBytes <= this.#parts.limits.bufferedBytesMax) return true;
    this.end('slow');
    return false;
  }

  #receive(frame: Buffer): void {
    if (this.#lane.waiting >= WAITING_MAX) return this.end('flood');
    this.#lane.push(() => this.#work(frame));
    this.#pause();
  }

  /** Processes one frame. */
  #work(frame: Buffer): void {
    const answering = this.obey(frame);
    if (answering !== undefined) {
      this.#inFlight += 1;
      void answering.then(() => {
        this.#inFlight -= 1;
        this.#resume();
        this.#tellQuiet();
      });
    }
    this.#resume();
    this.#tellQuiet();
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

// One client of /ws/api: its requests, its channels, its life. Requests are begun in the order they
// came and answered as they finish; a client that asks faster than it reads waits in its own socket.
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import type { OrderRecord } from '../../core/order/order-record.ts';
import type { OrderOperations } from '../../engine/order-operations.ts';
import type { ActionLog } from '../../ports/action-log.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { AnswerOnce } from '../answer-once.ts';
import type { Authenticator } from '../auth.ts';
import type { SocketEnd } from '../counts.ts';
import type { ReportError } from '../http-faults.ts';
import { MalformedJson, parseJsonText } from '../json.ts';
import type { ApiKey } from '../key-store.ts';
import type { RidLane, RidLimits } from '../limits.ts';
import { type Answering, answerCall } from './answer-call.ts';
import { rateRefusal } from './call-method.ts';
import type { ChannelSource } from './channel-source.ts';
import { type AccountRules, DisconnectRules } from './disconnect-rules.ts';
import {
  answerText,
  NO_RID,
  type RequestReading,
  type RidRequest,
  type RidText,
  readFrame,
} from './envelope.ts';
import { statusOf } from './http-status.ts';
import { Liveness } from './liveness.ts';
import { MadeOrders } from './made-orders.ts';
import type { Call } from './method.ts';
import { Outgoing } from './outgoing.ts';
import { recordDisconnect } from './record-action.ts';
import { CODES, parseError, tooLarge } from './refusals.ts';
import type { DisconnectScope, RidSession, Subscribing } from './session.ts';
import { Subscriptions } from './subscriptions.ts';

/** Why the gateway ends a connection: close code, what the client is told, and what is counted. */
const ENDS = {
  binary: { code: 1003, reason: 'text frames only', count: 'protocol' },
  idle: { code: 1008, reason: 'silent for too long', count: 'silent' },
  unanswered: { code: 1008, reason: 'test request not answered', count: 'silent' },
  flood: { code: 1008, reason: 'too_many_requests', count: 'protocol' },
  shutdown: { code: 1012, reason: 'restarting', count: 'shutdown' },
  slow: { code: 1013, reason: 'connection_too_slow', count: 'slow' },
  revoked: { code: 4401, reason: 'key_no_longer_in_force', count: 'unauthorised' },
} as const satisfies Record<string, { code: number; reason: string; count: SocketEnd }>;

/** A close frame behind a full buffer is never read: the socket ends soon after all the same. */
const TERMINATE_AFTER_MS = 1_000;

export interface RidConnectionParts {
  readonly client: WebSocket;
  readonly socket: Duplex;
  /** Absent for a stranger. */
  readonly key: ApiKey | undefined;
  /** The address it comes from. */
  readonly from: string;
  readonly orders: OrderOperations;
  readonly once?: AnswerOnce | undefined;
  readonly actions?: ActionLog | undefined;
  readonly channels: ChannelSource;
  readonly accountRules: AccountRules;
  readonly authenticator: Pick<Authenticator, 'take'>;
  readonly now: () => Instant;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly limits: RidLimits;
  readonly report: ReportError;
  /** Told of each request, with the status it would have over HTTP. */
  readonly answered: (method: string, status: number, elapsedMs: number) => void;
  /** Told when the gateway ends the connection. */
  readonly dropped: (why: SocketEnd) => void;
}

export class RidConnection implements RidSession {
  readonly key: ApiKey | undefined;
  readonly from: string;
  readonly #parts: RidConnectionParts;
  readonly #out: Outgoing;
  readonly #call: Call;
  readonly #answering: Answering;
  readonly #liveness: Liveness;
  readonly #made: MadeOrders;
  readonly #rules: DisconnectRules;
  readonly #subscriptions: Subscriptions;
  #inFlight = 0;
  #isPaused = false;
  #isFlooding = false;
  #whenQuiet: (() => void) | undefined;

  constructor(parts: RidConnectionParts) {
    const { client, socket, key, orders, now, version, limits, report } = parts;
    this.key = key;
    this.from = parts.from;
    this.#parts = parts;
    // Not by the socket's `drain`, which does not come where less than its own bound was waiting.
    this.#out = new Outgoing(client, socket, () => this.#resume());
    const { actions, once, from, exchangeId } = parts;
    const about = { version, exchangeId, now };
    this.#call = { ...about, orders, actions, once, key, from, session: this };
    this.#answering = { take: (lane) => this.#take(lane), report };
    this.#liveness = new Liveness(limits.idleMs, now());
    this.#made = new MadeOrders(orders);
    this.#rules = new DisconnectRules(parts.accountRules, key?.accounts ?? []);
    const send = (text: string): void => this.#notify(text);
    this.#subscriptions = new Subscriptions({ source: parts.channels, send, limits, key });
    client.on('message', (raw, isBinary) => this.#receive(raw, isBinary));
    client.on('ping', () => this.#liveness.heard(now()));
    // Broken frames and resets: ws closes the connection itself, with the code that fits.
    client.on('error', () => client.terminate());
  }

  /** What the client has not read yet. */
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

  /** To be called now and then. */
  check(): void {
    const verdict = this.#liveness.check(this.#parts.now());
    if (verdict === 'idle' || verdict === 'unanswered') this.end(verdict);
    else if (verdict === 'beat') this.#notify(HEARTBEAT);
    else if (verdict === 'ask') this.#notify(TEST_REQUEST);
  }

  end(why: keyof typeof ENDS): void {
    // What channels read is closed soon, whether or not the client has gone by then.
    if (why === 'shutdown') this.#subscriptions.close();
    if (!this.#out.isOpen) return;
    const { client, dropped } = this.#parts;
    const { code, reason, count } = ENDS[why];
    dropped(count);
    client.close(code, reason);
    setTimeout(() => client.terminate(), TERMINATE_AFTER_MS).unref();
  }

  /** After the socket is gone: what is under way is waited for, then orders are taken back. */
  async gone(): Promise<void> {
    this.#subscriptions.close();
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#whenQuiet = resolve;
      });
    }
    for (const account of this.#rules.inForce()) {
      await this.#made.takeBack(account);
      await recordDisconnect(this.#call, account);
    }
  }

  #receive(raw: RawData, isBinary: boolean): void {
    if (!this.#out.isOpen) return;
    this.#liveness.heard(this.#parts.now());
    if (isBinary) return this.end('binary');
    const reading = this.#read(raw);
    if (reading.kind === 'faulty') {
      const waitMs = this.#take('query');
      this.#answer(
        reading.rid,
        waitMs === undefined ? reading.refusal : rateRefusal('query', waitMs),
      );
      return;
    }
    const { request } = reading;
    const fromMs = performance.now();
    const answer = answerCall(this.#call, request, this.#answering);
    if (!(answer instanceof Promise)) return this.#finish(request, answer, fromMs);
    this.#inFlight += 1;
    this.#pause();
    void answer.then((reply) => {
      this.#inFlight -= 1;
      this.#finish(request, reply, fromMs);
      if (this.#inFlight === 0) this.#whenQuiet?.();
    });
  }

  #read(raw: RawData): RequestReading {
    const { bodyBytesMax } = this.#parts.limits;
    const bytes = raw as Buffer;
    if (bytes.length > bodyBytesMax) {
      return { kind: 'faulty', rid: NO_RID, refusal: tooLarge(bodyBytesMax) };
    }
    try {
      return readFrame(parseJsonText(bytes.toString()));
    } catch (error) {
      if (!(error instanceof MalformedJson)) throw error;
      const refusal = parseError(`the frame ${error.message}`);
      return { kind: 'faulty', rid: NO_RID, refusal };
    }
  }

  #finish(request: RidRequest, reply: Reply<unknown>, fromMs: number): void {
    const elapsedMs = performance.now() - fromMs;
    this.#parts.answered(request.method, statusOf(reply), elapsedMs);
    this.#answer(request.rid, reply);
  }

  #answer(rid: RidText, reply: Reply<unknown>): void {
    this.#out.send(answerText(rid, reply));
    if (reply.kind === 'refused' && reply.code === CODES.tooManyRequests && this.#isFlooding) {
      this.end('flood');
    } else if (this.#isPaused) this.#resume();
    else this.#pause();
  }

  #take(lane: RidLane): number | undefined {
    const waitMs = this.#parts.authenticator.take(this.key, lane, this.from);
    this.#isFlooding ||= waitMs !== undefined;
    return waitMs;
  }

  /** Nobody asked for it at this moment, so nothing but the client's reading holds it up. */
  #notify(text: string): void {
    if (this.#out.waitingBytes > this.#parts.limits.bufferedBytesMax) this.end('slow');
    else this.#out.send(text);
  }

  #isBusy(share: number): boolean {
    const { inFlightMax, pausedBytes } = this.#parts.limits;
    return this.#inFlight >= inFlightMax * share || this.#out.waitingBytes > pausedBytes * share;
  }

  #pause(): void {
    if (this.#isPaused || !this.#isBusy(1)) return;
    this.#isPaused = true;
    this.#parts.client.pause();
  }

  #resume(): void {
    if (!this.#isPaused || this.#isBusy(0.5)) return;
    this.#isPaused = false;
    this.#parts.client.resume();
  }
}

const HEARTBEAT = JSON.stringify({ method: 'heartbeat', params: { type: 'heartbeat' } });
const TEST_REQUEST = JSON.stringify({ method: 'heartbeat', params: { type: 'test_request' } });

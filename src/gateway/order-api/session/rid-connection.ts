// One client of /ws/api: its requests and subscriptions.
import type { ActionLog } from '../../../ports/action-log.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { Authenticator } from '../../auth/auth.ts';
import type { ApiKey } from '../../auth/key-store.ts';
import type { IdempotencyStore } from '../../http/idempotency.ts';
import type { WorkLimits } from '../../http/work-limits.ts';
import type { RidLane } from '../../limits/limits.ts';
import { readFrameJson } from '../../wire/client-socket.ts';
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
import { METHODS } from '../method-table.ts';
import { recordDisconnect } from '../record-action.ts';
import { CODES, methodNotFound, parseError, tooLarge } from '../refusals.ts';
import { RequestConnection, type RequestConnectionParts } from './request-connection.ts';
import type { RidSession, Subscribing } from './session.ts';
import { Subscriptions } from './subscriptions.ts';

export interface RidConnectionOptions extends RequestConnectionParts {
  /** Of authenticated clients. */
  readonly key: ApiKey | undefined;
  readonly once?: IdempotencyStore | undefined;
  readonly actions?: ActionLog | undefined;
  readonly channels: ChannelSource;
  /** The methods that are answered; absent: all. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly authenticator: Pick<Authenticator, 'take'>;
  /** Limits the cost of queries. */
  readonly work: WorkLimits;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly report: ReportError;
  /** Called for each request, with the status it would have over HTTP. */
  readonly answered: (method: string, status: number, elapsedMs: number) => void;
}

export class RidConnection extends RequestConnection implements RidSession {
  readonly key: ApiKey | undefined;
  readonly #parts: RidConnectionOptions;
  readonly #call: Call;
  readonly #subscriptions: Subscriptions;
  #isFlooding = false;

  constructor(parts: RidConnectionOptions) {
    super(parts, HEARTBEATS);
    const { key, orders, actions, once, from, exchangeId, now, version, limits } = parts;
    this.key = key;
    this.#parts = parts;
    const about = { version, exchangeId, now };
    this.#call = { ...about, orders, actions, once, key, from, session: this };
    this.adopt(key?.accounts ?? []);
    const send = (text: string): void => this.notify(text);
    this.#subscriptions = new Subscriptions({ source: parts.channels, send, limits, key });
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

  protected override closeSubscriptions(): void {
    this.#subscriptions.close();
  }

  protected override async recordCancel(account: AccountId): Promise<void> {
    const { key } = this;
    if (key !== undefined) await recordDisconnect({ ...this.#call, key }, account);
  }

  protected override obey(frame: Buffer): Promise<void> | undefined {
    const reading = this.#read(frame);
    if (reading.kind === 'faulty') {
      const take = (lane: RidLane): number | undefined => this.#take(lane);
      this.#answer(reading.rid, counted(reading.refusal, 'query', take));
      return undefined;
    }
    const { request } = reading;
    const { report, work, only } = this.#parts;
    if (only?.has(request.method) === false) {
      const take = (lane: RidLane): number | undefined => this.#take(lane);
      this.#answer(request.rid, counted(methodNotFound(request.method), 'query', take));
      return undefined;
    }
    const charge = new Charge({ work, known: METHODS }, this, request.method);
    const take = (lane: RidLane): number | undefined => this.#take(lane) ?? charge.take(lane);
    const fromMs = performance.now();
    const answer = answerCall(this.#call, request, { take, report });
    if (!(answer instanceof Promise)) {
      charge.done(this.#finish(request, answer, fromMs));
      return undefined;
    }
    const workedMs = charge.elapsedMs;
    return answer.then((reply) => charge.done(this.#finish(request, reply, fromMs), workedMs));
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
    this.send(pieces);
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
}

const HEARTBEATS = {
  beat: JSON.stringify({ method: 'heartbeat', params: { type: 'heartbeat' } }),
  ask: JSON.stringify({ method: 'heartbeat', params: { type: 'test_request' } }),
} as const;

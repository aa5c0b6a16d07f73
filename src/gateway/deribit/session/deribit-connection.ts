// One client of Deribit's wire over WebSocket: its login, requests and subscriptions.
import type { ActionLog } from '../../../ports/action-log.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { ApiKey } from '../../auth/key-store.ts';
import { statusOf } from '../../order-api/http-status.ts';
import { bytesOf } from '../../order-api/method-envelope.ts';
import { recordDisconnect } from '../../order-api/record-action.ts';
import { CODES, parseError, tooLarge, unauthorized } from '../../order-api/refusals.ts';
import {
  RequestConnection,
  type RequestConnectionParts,
} from '../../order-api/session/request-connection.ts';
import { readFrameJson } from '../../wire/client-socket.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import { callDeribit } from '../call/call-deribit.ts';
import {
  type Arrival,
  arrival,
  type DeribitReading,
  deribitAnswer,
  type IdText,
  readDeribitRequest,
} from '../call/deribit-envelope.ts';
import type { ChannelFamily } from '../channels/deribit-channel.ts';
import type { CostOfRequest, RequestCosts } from '../credits/request-costs.ts';
import { DERIBIT_METHODS } from '../deribit-method-table.ts';
import type { Logins } from '../login/logins.ts';
import type { Login } from '../method/deribit-login.ts';
import type { DeribitAnswer } from '../method/deribit-method.ts';
import type { DeribitSession } from '../method/deribit-session.ts';
import { DeribitSubscriptions } from './deribit-subscriptions.ts';
import type { NotificationFrames } from './notification-frames.ts';

export interface DeribitConnectionParts extends RequestConnectionParts {
  readonly logins: Logins;
  readonly costs: RequestCosts;
  readonly families: readonly ChannelFamily[];
  readonly frames: NotificationFrames;
  /** Public methods only, as on Deribit's nodes for market data. */
  readonly isPublic: boolean;
  readonly actions?: ActionLog | undefined;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly report: ReportError;
  /** Whether the key may have this connection alongside its others. */
  readonly mayJoin: (key: ApiKey) => boolean;
  /** Called for each request, with the status it would have over HTTP. */
  readonly answered: (method: string, status: number, elapsedMs: number) => void;
}

const NEEDS_LOGIN = /^(?:private\/|public\/(?:auth|exchange_token|fork_token)$)/;

export class DeribitConnection extends RequestConnection implements DeribitSession {
  readonly #parts: DeribitConnectionParts;
  readonly #subscriptions: DeribitSubscriptions;
  /** The keys that have been used here, by account; the last one first. */
  readonly #keys = new Map<AccountId, ApiKey>();
  #key: ApiKey | undefined;
  #isFlooding = false;
  /** Logins under way. */
  #logins = 0;

  constructor(parts: DeribitConnectionParts) {
    super(parts, HEARTBEATS);
    this.#parts = parts;
    const send = (frame: Buffer): void => this.notifyFrame(frame);
    this.#subscriptions = new DeribitSubscriptions({ ...parts, send });
  }

  /** Requests behind a login are made as its key. */
  protected override get isHeld(): boolean {
    return this.#logins > 0;
  }

  /** The key that has logged in last. */
  get key(): ApiKey | undefined {
    return this.#key;
  }

  override get keys(): Iterable<ApiKey> {
    return this.#keys.values();
  }

  loggedIn({ key, account }: Login): void {
    const isJoining = this.#key?.id !== key.id;
    if (isJoining && !this.#parts.mayJoin(key)) return this.end('flood');
    this.#key = key;
    this.#keys.set(account, key);
    this.adopt([account]);
  }

  logOut(wish: { readonly invalidatesToken: boolean }): void {
    this.#parts.logins.logOut(this, wish);
    this.keepOrders();
    this.end('logout');
  }

  subscribe(wish: Parameters<DeribitSession['subscribe']>[0]): Reply<readonly string[]> {
    const isKnown = wish.login !== undefined || this.#login() !== undefined;
    return this.#subscriptions.subscribe({ ...wish, isKnown });
  }

  unsubscribe(channels: readonly string[]): readonly string[] {
    return this.#subscriptions.unsubscribe(channels);
  }

  unsubscribeAll(): void {
    this.#subscriptions.close();
  }

  override check(): void {
    super.check();
    this.#subscriptions.prune((login) => this.#parts.logins.isInForce(login, this.from));
  }

  protected override closeSubscriptions(): void {
    this.#subscriptions.close();
  }

  override async gone(): Promise<void> {
    await super.gone();
    this.#parts.logins.left(this);
  }

  protected override async recordCancel(account: AccountId): Promise<void> {
    const key = this.#keys.get(account);
    if (key !== undefined) await recordDisconnect({ ...this.#parts, key }, account);
  }

  protected override obey(frame: Buffer): Promise<void> | undefined {
    const { now, costs } = this.#parts;
    const arrived = arrival(now());
    const reading = this.#read(frame);
    const [id, method] =
      reading.kind === 'request' ? [reading.request.id, reading.request.method] : [reading.id, ''];
    const login = this.#login();
    const cost = costs.begin({ known: DERIBIT_METHODS, method, login, from: this.from });
    const take: CostOfRequest['take'] = (of, by) => {
      const refused = cost.take(of, by);
      this.#isFlooding ||= refused !== undefined;
      return refused;
    };
    const answer = this.#answerTo(reading, { login, take });
    if (!(answer instanceof Promise)) {
      cost.charge.done(this.#finish({ id, method }, answer, arrived));
      return undefined;
    }
    const workedMs = cost.charge.elapsedMs;
    const logins = method === 'public/auth' ? 1 : 0;
    this.#logins += logins;
    return answer.then((reply) => {
      this.#logins -= logins;
      cost.charge.done(this.#finish({ id, method }, reply, arrived), workedMs);
    });
  }

  #answerTo(
    reading: DeribitReading,
    { login, take }: Pick<CostOfRequest, 'take'> & { readonly login: Login | undefined },
  ): DeribitAnswer {
    if (reading.kind === 'faulty') return take(READING, login) ?? reading.refusal;
    const { request } = reading;
    const { orders, now, version, exchangeId, actions, logins, report } = this.#parts;
    const { socket, isPublic } = this.#parts;
    if (isPublic && NEEDS_LOGIN.test(request.method)) {
      const refused = unauthorized('method', 'is not served here; accepted: /ws/api/v2');
      return take(READING, login) ?? refused;
    }
    const call = {
      orders,
      now,
      version,
      exchangeId,
      login,
      logins,
      actions,
      from: this.from,
      credits: this.#parts.costs.rules,
      via: socket,
      session: this,
    };
    return callDeribit(call, request, { logins, report, take });
  }

  #login(): Login | undefined {
    return this.#parts.logins.ofSession(this, this.from);
  }

  #read(frame: Buffer): DeribitReading {
    const { bodyBytesMax } = this.#parts.limits;
    if (frame.length > bodyBytesMax) {
      return { kind: 'faulty', id: undefined, refusal: tooLarge(bodyBytesMax) };
    }
    const input = readFrameJson(frame);
    return 'value' in input
      ? readDeribitRequest(input.value)
      : { kind: 'faulty', id: undefined, refusal: parseError(input.fault) };
  }

  /** Sends the answer; returns its size in bytes. Without credits the session ends, as at Deribit. */
  #finish(
    { id, method }: { readonly id: IdText; readonly method: string },
    reply: Reply<unknown>,
    arrived: Arrival,
  ): number {
    this.#parts.answered(method, statusOf(reply), performance.now() - arrived.startMs);
    const pieces = deribitAnswer(id, reply, arrived);
    this.send(pieces);
    if (reply.kind === 'refused' && reply.code === CODES.tooManyRequests && this.#isFlooding) {
      this.end('flood');
    }
    return bytesOf(pieces);
  }
}

/** What a request costs that reaches no method. */
const READING = { lane: 'query', pool: 'non_matching' } as const;

const heartbeat = (type: string): string =>
  JSON.stringify({ jsonrpc: '2.0', method: 'heartbeat', params: { type } });
const HEARTBEATS = { beat: heartbeat('heartbeat'), ask: heartbeat('test_request') } as const;

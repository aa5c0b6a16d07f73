// One connection, kept alive: connects, checks what answers, logs in, subscribes to the channels it must have, and only
// then is used. It answers heartbeats at once, renews its token before it ends, measures the venue's clock and connects
// again after a break, with growing pauses. No request is sent twice.

import type { Clock, StopTimer } from '../../../ports/clock.ts';
import { Fields, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { Backoff, type BackoffRule } from '../../../values/backoff.ts';
import { isProgrammingError } from '../../../values/errors/programming-error.ts';
import { DAY_MS, type Instant, later, SECOND_MS } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import {
  type Outcome,
  type Params,
  resultOf,
  type SendRequest,
  unsent,
  whyFailed,
} from '../outcome.ts';
import { type Credits, type Pool, poolOf } from './credits.ts';
import { type Key, keyName, loginParams } from './login.ts';
import { Requests } from './requests.ts';
import { type Frame, readFrame } from './rpc-frame.ts';
import type { VenueClock } from './venue-clock.ts';
import type { OpenSocket, Socket } from './venue-socket.ts';

export interface SessionRules {
  /** Longest wait for an answer, and for the connection. */
  readonly timeoutMs: number;
  /** How often the venue's time is read, which also shows that it answers. */
  readonly probeMs: number;
  readonly backoff: BackoffRule;
  /** Between two heartbeats of the venue; at least 10. */
  readonly heartbeatSec: number;
}

export interface SessionOptions {
  readonly url: string;
  /** For messages about it: the account, or `market`. */
  readonly name: string;
  /** Without it public market data only. */
  readonly key?: Key | undefined;
  readonly trades: boolean;
  readonly clock: Clock;
  readonly venueClock: VenueClock;
  readonly rng: Rng;
  readonly rules: SessionRules;
  readonly credits: Credits;
  readonly tally: WireTally;
  /** Throws if the venue is not the one that is meant. `testnet` is what its answers say. */
  readonly checkVenue: (testnet: boolean | undefined) => void;
  /** Called before the login; rejects to refuse the connection. */
  readonly identify: (request: SendRequest) => Promise<void>;
  /** Channels without which the connection is not used. */
  readonly channels: readonly string[];
  /** Prepares the connection once its channels are confirmed; rejects if it cannot be used. */
  readonly greet: (request: SendRequest) => Promise<void>;
  readonly open: OpenSocket;
  readonly onUp: () => void;
  /** Not called for a connection that was never up. */
  readonly onDown: () => void;
  /** The venue refuses the credentials. It is asked again after a pause. */
  readonly onRefused: (error: LoginRefused) => void;
  readonly onMessage: (channel: string, data: unknown) => void;
  /** What the venue sent is no frame: a message may be lost. */
  readonly onUnreadable: () => void;
  readonly onFault: (error: unknown) => void;
}

/** What the login granted. */
export interface Granted {
  readonly scope: string;
  readonly expiresInSec: number;
}

/** The venue refused the credentials: trying again soon would lock the key. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
}

const FIRST_TIMES = 3;
const TOKEN_SHARE = 0.8;
const TOO_MANY_REQUESTS = 10028;
/** Too many requests; a token that has ended. */
const ENDS_SESSION: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, 13009]);
/** After the venue ended a session for its rate, or refused its credentials. */
const PAUSE_MS = { rate: SECOND_MS, login: 30_000 };
const CREDENTIALS_REFUSED: ReadonlySet<number> = new Set([13004, 10000, 12003, 13021, -32602]);

export class Session {
  readonly #parts: SessionOptions;
  readonly #backoff: Backoff;
  #socket: Socket | undefined;
  #requests: Requests | undefined;
  #timers = new Set<StopTimer>();
  #upSinceMs: number | undefined;
  #trouble = 'not connected yet';
  #pauseMs = 0;
  #isClosed = false;
  #granted: Granted | undefined;
  #refreshToken: string | undefined;

  constructor(parts: SessionOptions) {
    this.#parts = parts;
    this.#backoff = new Backoff(parts.rules.backoff, parts.rng);
    this.#connect();
  }

  /** Why no request can be sent; `undefined` if requests can be sent. */
  get trouble(): string | undefined {
    return this.#upSinceMs === undefined ? this.#trouble : undefined;
  }

  get granted(): Granted | undefined {
    return this.#granted;
  }

  /** An order is written to the socket before this returns, or not at all; a cancel or a query may wait for credits. */
  readonly request: SendRequest = (method, params) => {
    // What is not sent uses no credits: the connection that is being prepared needs them.
    if (this.trouble !== undefined) return Promise.resolve(unsent(this.trouble));
    const pool = poolOf(method, params['currency'] !== undefined);
    const waitMs = this.#take(pool);
    if (waitMs === 0) return this.#send(method, params);
    if (pool === 'orders')
      return Promise.resolve(unsent('the message limit of the account is used up'));
    return this.#sendAfter(waitMs, pool, method, params);
  };

  /** Closes it so that the venue leaves the orders of the account open, whatever it does when a connection breaks. */
  logOut(): void {
    const requests = this.#requests;
    if (requests === undefined || this.#upSinceMs === undefined) return this.close();
    this.#isClosed = true;
    this.#stopTimers();
    // The venue ends the connection, with an answer or without.
    void requests
      .request('private/logout', { invalidate_token: true })
      .then(() => this.#socket?.close());
  }

  close(): void {
    this.#isClosed = true;
    this.#stopTimers();
    this.#trouble = 'closed';
    this.#socket?.close();
  }

  /** Ends the connection, and connects again. */
  reconnect(reason: string): void {
    this.#socket?.end(reason);
  }

  #take(pool: Pool): number {
    const { credits, clock } = this.#parts;
    return credits.take(pool, clock.monotonicMs());
  }

  #send(method: string, params: Params): Promise<Outcome> {
    if (this.#requests === undefined || this.#upSinceMs === undefined) {
      return Promise.resolve(unsent(this.#trouble));
    }
    return this.#requests.request(method, params);
  }

  async #sendAfter(waitMs: number, pool: Pool, method: string, params: Params): Promise<Outcome> {
    const { clock, rules } = this.#parts;
    const until = clock.monotonicMs() + rules.timeoutMs;
    for (let restMs = waitMs; restMs > 0; restMs = this.#take(pool)) {
      if (clock.monotonicMs() + restMs > until) return unsent('too many requests wait for credits');
      await this.#rest(restMs);
    }
    return await this.#send(method, params);
  }

  #connect(): void {
    const { url, clock, rules, open } = this.#parts;
    const socket = open({
      url,
      handshakeMs: rules.timeoutMs,
      onOpen: () => void this.#prepare(socket, requests),
      onText: (text) => this.#receive(text, requests),
      onEnd: (reason) => this.#ended(reason, requests),
    });
    const { timeoutMs } = rules;
    const requests = new Requests({ clock, timeoutMs, send: (text) => socket.send(text) });
    this.#socket = socket;
    this.#requests = requests;
  }

  async #prepare(socket: Socket, requests: Requests): Promise<void> {
    const request: SendRequest = async (method, params) => {
      for (
        let waitMs = this.#take(poolOf(method));
        waitMs > 0;
        waitMs = this.#take(poolOf(method))
      ) {
        await this.#rest(waitMs);
      }
      return await requests.request(method, params);
    };
    try {
      await this.#makeReady(request);
    } catch (error) {
      if (error instanceof LoginRefused) {
        this.#pauseMs = PAUSE_MS.login;
        this.#parts.onRefused(error);
      } else if (isProgrammingError(error)) this.#parts.onFault(error);
      socket.end(error instanceof Error ? error.message : String(error));
      return;
    }
    if (this.#socket !== socket || this.#isClosed) return;
    this.#upSinceMs = this.#parts.clock.monotonicMs();
    this.#after(this.#parts.rules.probeMs, () => void this.#probe(socket, requests));
    this.#parts.onUp();
  }

  async #makeReady(request: SendRequest): Promise<void> {
    const { key, rules, checkVenue, identify, greet } = this.#parts;
    for (let time = 0; time < FIRST_TIMES; time += 1) {
      const outcome = await this.#readTime(request);
      resultOf(outcome, 'public/get_time');
      if (outcome.kind === 'result') checkVenue(outcome.testnet);
    }
    await identify(request);
    // Nothing private is sent, and nothing is requested in its name, before the login.
    if (key !== undefined) await this.#login(request, key);
    resultOf(
      await request('public/set_heartbeat', { interval: rules.heartbeatSec }),
      'public/set_heartbeat',
    );
    await this.#subscribe(request);
    await greet(request);
  }

  async #login(request: SendRequest, key: Key): Promise<void> {
    const { venueClock, clock, trades, url } = this.#parts;
    const now = venueClock.now(clock.monotonicMs()) ?? clock.now();
    const params = loginParams({ key, now, trades, host: new URL(url).host });
    const outcome = await request('public/auth', params);
    if (outcome.kind === 'error' && CREDENTIALS_REFUSED.has(outcome.code)) {
      throw new LoginRefused(`the venue refuses ${keyName(key)}: ${whyFailed(outcome)}`);
    }
    this.#accept(resultOf(outcome, 'public/auth'), request, key);
  }

  /** Takes the token's life, and renews it before it ends. */
  #accept(value: unknown, request: SendRequest, key: Key): void {
    const login = new Fields('the answer to public/auth', value, this.#parts.tally);
    const expiresInSec = login.whole('expires_in');
    this.#granted = { scope: login.textIf('scope') ?? '', expiresInSec };
    this.#refreshToken = login.textIf('refresh_token');
    const renewMs = Math.min(expiresInSec * SECOND_MS * TOKEN_SHARE, DAY_MS);
    this.#after(Math.max(SECOND_MS, renewMs), () => void this.#renew(request, key));
  }

  async #renew(request: SendRequest, key: Key): Promise<void> {
    const requests = this.#requests;
    const token = this.#refreshToken;
    try {
      if (token === undefined) return await this.#login(request, key);
      const params = { grant_type: 'refresh_token', refresh_token: token };
      this.#accept(resultOf(await request('public/auth', params), 'public/auth'), request, key);
    } catch (error) {
      if (isProgrammingError(error)) this.#parts.onFault(error);
      if (this.#requests !== requests) return;
      this.#socket?.end(`the login cannot be renewed: ${String(error)}`);
    }
  }

  async #subscribe(request: SendRequest): Promise<void> {
    const { channels, key } = this.#parts;
    if (channels.length === 0) return;
    const method = key === undefined ? 'public/subscribe' : 'private/subscribe';
    const granted = resultOf(await request(method, { channels }), method);
    const missing = channels.filter((one) => !Array.isArray(granted) || !granted.includes(one));
    if (missing.length > 0) throw new Error(`channels are not granted: ${missing.join(', ')}`);
  }

  /** A connection that does not answer is ended, whatever state its socket is in. */
  async #probe(socket: Socket, requests: Requests): Promise<void> {
    const outcome = await this.#readTime((method, params) => requests.request(method, params));
    if (this.#socket !== socket || this.#isClosed) return;
    if (outcome.kind === 'result') {
      this.#after(this.#parts.rules.probeMs, () => void this.#probe(socket, requests));
    } else {
      socket.end(`the venue does not answer: ${whyFailed(outcome)}`);
    }
  }

  async #readTime(request: SendRequest): Promise<Outcome> {
    const { clock, venueClock, tally } = this.#parts;
    const askedMs = clock.monotonicMs();
    const outcome = await request('public/get_time', {});
    if (outcome.kind === 'result') {
      const at = new Fields('the answer to public/get_time', { at: outcome.value }, tally);
      try {
        venueClock.note(at.instant('at'), askedMs, clock.monotonicMs());
      } catch (error) {
        this.#parts.onFault(error);
      }
    }
    return outcome;
  }

  #receive(text: string, requests: Requests): void {
    const frame = this.#frameOf(text);
    if (frame === undefined) return;
    switch (frame.kind) {
      case 'answer':
        requests.answer(frame.id, frame.outcome);
        return this.#heed(frame.outcome);
      case 'message':
        if (!this.#isClosed) this.#parts.onMessage(frame.channel, frame.data);
        return;
      case 'heartbeat':
        if (frame.wantsAnswer) void requests.request('public/test', {});
        return;
      case 'other':
    }
  }

  /** Two refusals are about the session; the venue may close it before the caller has seen the answer. */
  #heed(outcome: Outcome): void {
    if (outcome.kind !== 'error' || !ENDS_SESSION.has(outcome.code)) return;
    if (outcome.code === TOO_MANY_REQUESTS) this.#pauseMs = PAUSE_MS.rate;
    this.#socket?.end(whyFailed(outcome));
  }

  #frameOf(text: string): Frame | undefined {
    try {
      return readFrame(text, this.#parts.tally);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#parts.onFault(error);
      this.#parts.onUnreadable();
      return undefined;
    }
  }

  #ended(reason: string, requests: Requests): void {
    const { clock, onDown, onFault, name } = this.#parts;
    const upSinceMs = this.#upSinceMs;
    this.#stopTimers();
    this.#socket = undefined;
    this.#requests = undefined;
    this.#upSinceMs = undefined;
    const isNews = upSinceMs !== undefined || this.#trouble !== reason;
    this.#trouble = reason;
    requests.drop(`the connection broke: ${reason}`);
    if (this.#isClosed) return;
    if (isNews) onFault(new Error(`connection of ${name}: ${reason}`));
    if (upSinceMs !== undefined) {
      this.#backoff.held(clock.monotonicMs() - upSinceMs);
      onDown();
    }
    const pauseMs = Math.max(this.#pauseMs, this.#backoff.nextMs());
    this.#pauseMs = 0;
    this.#after(pauseMs, () => this.#connect());
  }

  #after(delayMs: number, then: () => void): void {
    const { clock } = this.#parts;
    const stop = clock.at(later(clock.now(), delayMs), () => {
      this.#timers.delete(stop);
      then();
    });
    this.#timers.add(stop);
  }

  #stopTimers(): void {
    for (const stop of this.#timers) stop();
    this.#timers = new Set();
  }

  #rest(forMs: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((done) => clock.at(later(clock.now(), forMs), done));
  }
}

/** The venue's clock, or ours until it is known. */
export const venueTime = (venueClock: VenueClock, clock: Clock): Instant =>
  venueClock.now(clock.monotonicMs()) ?? clock.now();

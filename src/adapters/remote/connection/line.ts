// Maintains the one connection of a key: connects, performs the handshake requests, checks that the venue
// still answers, and reconnects after a break. Nothing else is requested before the handshake is complete,
// and no request is sent twice.
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import type { RateBudget } from '../../../ports/rate-budget.ts';
import { Backoff, type BackoffRule } from '../../../values/backoff.ts';
import { later } from '../../../values/instant.ts';
import type { Rng } from '../../../values/rng.ts';
import { type Ask, type Outcome, type Params, unsent } from '../outcome.ts';
import { type ChannelMessage, readFrame } from './frame-wire.ts';
import { Pace, type PaceRule } from './pace.ts';
import { Requests } from './requests.ts';
import { handshakeHeaders, type RemoteKey } from './signed-handshake.ts';
import { VenueSocket } from './venue-socket.ts';

export interface LineRules {
  /** Time-out of an answer, and of the handshake. */
  readonly timeoutMs: number;
  /** Interval of the checks that the venue still answers. */
  readonly probeMs: number;
  readonly backoff: BackoffRule;
  /** Limits the rate of queries. */
  readonly pace: PaceRule;
}

export interface LineOptions {
  /** Address of the WebSocket. */
  readonly url: string;
  readonly key: RemoteKey;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly rules: LineRules;
  /** Prepares a new connection for use; rejects with the reason if it cannot be used. */
  readonly greet: (ask: Ask) => Promise<void>;
  /** Checks that the venue still answers; the answer may be used as well. */
  readonly probe: (ask: Ask) => Promise<Outcome>;
  readonly onUp: () => void;
  /** Not called for an attempt that never connected. */
  readonly onDown: () => void;
  readonly onMessage: (message: ChannelMessage) => void;
  readonly onGap: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Requests that change something are not delayed by queries. */
const CHANGES = /^(private\/(buy|sell|edit|cancel)|block\/rfqs\/(create|trade|edit|cancel))/;

export class Line {
  readonly #parts: LineOptions;
  readonly #backoff: Backoff;
  readonly #pace: Pace;
  #socket: VenueSocket | undefined;
  #requests: Requests | undefined;
  #timer: StopTimer | undefined;
  #upSinceMs: number | undefined;
  #trouble = 'not connected yet';
  #isClosed = false;

  constructor(parts: LineOptions) {
    this.#parts = parts;
    this.#backoff = new Backoff(parts.rules.backoff, parts.rng);
    this.#pace = new Pace(parts.rules.pace);
    this.#connect();
  }

  /** Why no request can be sent; `undefined` if requests can be sent. */
  get trouble(): string | undefined {
    return this.#upSinceMs === undefined ? this.#trouble : undefined;
  }

  get budget(): RateBudget {
    const { clock } = this.#parts;
    const tokens = this.#pace.left(clock.monotonicMs());
    return { bucket: 'questions', tokens, burst: this.#pace.burst };
  }

  readonly ask: Ask = async (method, params) => {
    const { clock, rules } = this.#parts;
    if (!CHANGES.test(method)) {
      const waitMs = this.#pace.takeMs(clock.monotonicMs());
      if (waitMs > rules.timeoutMs) return unsent('too many questions wait to be asked');
      if (waitMs > 0) await this.#rest(waitMs);
    }
    if (this.#requests === undefined || this.#upSinceMs === undefined) return unsent(this.#trouble);
    return await this.#requests.ask(method, params);
  };

  close(): void {
    this.#isClosed = true;
    this.#timer?.();
    this.#socket?.close();
    this.#trouble = 'closed';
  }

  #connect(): void {
    const { url, key, clock, rules } = this.#parts;
    this.#timer = undefined;
    const socket = new VenueSocket({
      url,
      headers: handshakeHeaders(key, new URL(url).pathname, clock.now()),
      handshakeMs: rules.timeoutMs,
      onOpen: () => void this.#greet(socket, requests),
      onText: (text) => this.#take(text, requests),
      onEnd: (reason) => this.#ended(reason, requests),
    });
    const { timeoutMs } = rules;
    const requests = new Requests({ clock, timeoutMs, send: (text) => socket.send(text) });
    this.#socket = socket;
    this.#requests = requests;
  }

  async #greet(socket: VenueSocket, requests: Requests): Promise<void> {
    try {
      await this.#parts.greet((method, params) => requests.ask(method, params));
    } catch (error) {
      socket.end(error instanceof Error ? error.message : String(error));
      return;
    }
    if (this.#socket !== socket || this.#isClosed) return;
    this.#upSinceMs = this.#parts.clock.monotonicMs();
    this.#after(this.#parts.rules.probeMs, () => void this.#probe(socket, requests));
    this.#parts.onUp();
  }

  /** A connection that does not answer is closed, whatever state its socket reports. */
  async #probe(socket: VenueSocket, requests: Requests): Promise<void> {
    const outcome = await this.#parts.probe((method, params) => requests.ask(method, params));
    if (this.#socket !== socket || this.#isClosed) return;
    if (outcome.kind === 'result') {
      this.#after(this.#parts.rules.probeMs, () => void this.#probe(socket, requests));
    } else {
      socket.end(`the venue does not answer: ${outcomeText(outcome)}`);
    }
  }

  #take(text: string, requests: Requests): void {
    const frame = readFrame(text);
    if ('fault' in frame) return this.#parts.onFault(frame.fault);
    const { value } = frame;
    switch (value.kind) {
      case 'answer':
        return requests.answer(value.rid, value.outcome);
      case 'message':
        return this.#parts.onMessage(value.message);
      case 'gap':
        return this.#parts.onGap();
      case 'heartbeat':
        if (value.wantsAnswer) void requests.ask('public/test', NOTHING);
    }
  }

  #ended(reason: string, requests: Requests): void {
    const { clock, onDown, onFault } = this.#parts;
    const upSinceMs = this.#upSinceMs;
    this.#timer?.();
    this.#socket = undefined;
    this.#requests = undefined;
    this.#upSinceMs = undefined;
    const isNews = upSinceMs !== undefined || this.#trouble !== reason;
    this.#trouble = reason;
    requests.drop(`the connection broke: ${reason}`);
    if (this.#isClosed) return;
    if (isNews) onFault(new Error(`connection of ${this.#parts.key.keyId}: ${reason}`));
    if (upSinceMs !== undefined) {
      this.#backoff.held(clock.monotonicMs() - upSinceMs);
      onDown();
    }
    this.#after(this.#backoff.nextMs(), () => this.#connect());
  }

  #after(delayMs: number, then: () => void): void {
    const { clock } = this.#parts;
    this.#timer = clock.at(later(clock.now(), delayMs), then);
  }

  #rest(forMs: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((done) => clock.at(later(clock.now(), forMs), done));
  }
}

const NOTHING: Params = {};

const outcomeText = (outcome: Outcome): string =>
  'reason' in outcome ? outcome.reason : 'message' in outcome ? outcome.message : outcome.kind;

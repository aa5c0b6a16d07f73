// The venue's end of a session, without a network: it answers late, not at all or in another order, cuts connections,
// garbles frames, refuses, ends sessions for their rate and lets tokens end. It judges what the session sends by the rules
// of the venue's documents, not by the session's code.
import type {
  OpenSocket,
  Socket,
  VenueSocketOptions,
} from '../../../../src/adapters/deribit/session/venue-socket.ts';
import { later } from '../../../../src/values/instant.ts';
import type { Rng } from '../../../../src/values/rng.ts';
import type { VirtualClock } from '../../../../src/virtual/virtual-clock.ts';

export interface Chances {
  readonly refuseConnection: number;
  readonly cut: number;
  readonly garble: number;
  readonly silence: number;
  readonly rateEnd: number;
  readonly refuseLogin: number;
  readonly withholdChannel: number;
}

export const HEALTHY: Chances = {
  refuseConnection: 0,
  cut: 0,
  garble: 0,
  silence: 0,
  rateEnd: 0,
  refuseLogin: 0,
  withholdChannel: 0,
};

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** How long a token lives. */
const TOKEN_SEC = 60;
const LATE_MS_MAX = 3_000;
const RATE_ENDED = 10028;
const LOGIN_REFUSED = 13004;

class Peer implements Socket {
  isOpen = false;
  isLoggedIn = false;
  tokenEndsMs = 0;
  /** When an unanswered sign of life was requested. */
  testAskedMs: number | undefined;
  hasEnded = false;
  readonly #venue: SimulatedVenue;
  readonly parts: VenueSocketOptions;

  constructor(venue: SimulatedVenue, parts: VenueSocketOptions) {
    this.#venue = venue;
    this.parts = parts;
  }

  send(text: string): boolean {
    if (!this.isOpen || this.hasEnded) return false;
    this.#venue.take(this, text);
    return true;
  }

  end(reason: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.parts.onEnd(reason);
  }

  close(): void {
    this.end('closed');
  }
}

export class SimulatedVenue {
  chances: Chances = HEALTHY;
  /** Breaches of the venue's rules by its client. */
  readonly breaches: string[] = [];
  /** How often each marked request arrived. */
  readonly arrived = new Map<string, number>();
  logins = 0;
  #rateEndedMs = Number.NEGATIVE_INFINITY;
  #refusedMs = Number.NEGATIVE_INFINITY;
  readonly #clock: VirtualClock;
  readonly #rng: Rng;
  #peer: Peer | undefined;

  constructor(clock: VirtualClock, rng: Rng) {
    this.#clock = clock;
    this.#rng = rng;
  }

  readonly open: OpenSocket = (parts) => {
    if (this.#peer !== undefined && !this.#peer.hasEnded) this.#breach('two connections at once');
    const peer = new Peer(this, parts);
    this.#peer = peer;
    this.#soon(() => {
      if (peer.hasEnded) return;
      if (this.#happens('refuseConnection')) return peer.end('refused with HTTP 502');
      peer.isOpen = true;
      parts.onOpen();
    });
    return peer;
  };

  /** Requests a sign of life. */
  heartbeat(): void {
    const peer = this.#peer;
    if (peer === undefined || !peer.isOpen || peer.hasEnded) return;
    const test = { jsonrpc: '2.0', method: 'heartbeat', params: { type: 'test_request' } };
    peer.testAskedMs = this.#clock.monotonicMs();
    peer.parts.onText(JSON.stringify(test));
    if (!peer.hasEnded && peer.testAskedMs !== undefined)
      this.#breach('no answer to a test request');
  }

  cut(): void {
    if (this.#peer?.isOpen === true) this.#peer.end('the connection was cut');
  }

  take(peer: Peer, text: string): void {
    const request = JSON.parse(text) as Sent;
    const { method, params } = request;
    if (text.includes('null')) this.#breach(`${method} has a null`);
    const mark = params['mark'];
    if (typeof mark === 'string') this.arrived.set(mark, (this.arrived.get(mark) ?? 0) + 1);
    if (method === 'public/test') peer.testAskedMs = undefined;
    this.#judge(peer, method);
    const answer = this.#answer(peer, request);
    if (this.#happens('cut')) return this.#soon(() => peer.end('the connection was cut'));
    if (this.#happens('silence')) return;
    const isGarbled = this.#happens('garble');
    this.#soon(() => {
      if (peer.hasEnded) return;
      const isRateEnd = answer.includes(`"code":${RATE_ENDED}`);
      // What it could not read it cannot obey.
      if (isRateEnd && !isGarbled) this.#rateEndedMs = this.#clock.monotonicMs();
      // A token that cannot be renewed says nothing of the key.
      const isRefusal = answer.includes(`"code":${LOGIN_REFUSED}`);
      if (isRefusal && !isGarbled && params['grant_type'] === 'client_signature') {
        this.#refusedMs = this.#clock.monotonicMs();
      }
      peer.parts.onText(isGarbled ? answer.slice(0, answer.length / 2) : answer);
      if (isRateEnd) peer.end('closed with 1008');
    });
  }

  #judge(peer: Peer, method: string): void {
    const nowMs = this.#clock.monotonicMs();
    if (method === 'public/auth') {
      this.logins += 1;
      if (nowMs - this.#rateEndedMs < 1_000) this.#breach('a login within a second of 10028');
      if (nowMs - this.#refusedMs < 10_000) this.#breach('a login soon after it was refused');
    }
    if (!method.startsWith('private/')) return;
    if (!peer.isLoggedIn) this.#breach(`${method} before the login`);
    else if (nowMs > peer.tokenEndsMs) this.#breach(`${method} with a token that has ended`);
  }

  #answer(peer: Peer, { id, method, params }: Sent): string {
    const nowMs = this.#clock.monotonicMs();
    if (method !== 'public/auth' && this.#happens('rateEnd')) {
      return error(id, RATE_ENDED, 'too_many_requests');
    }
    switch (method) {
      case 'public/auth':
        if (this.#happens('refuseLogin')) return error(id, LOGIN_REFUSED, 'invalid_credentials');
        peer.isLoggedIn = true;
        peer.tokenEndsMs = nowMs + TOKEN_SEC * 1_000;
        return result(id, {
          access_token: 'a',
          refresh_token: `r${this.logins}`,
          expires_in: TOKEN_SEC,
          scope: 'trade:read_write account:read_write',
          token_type: 'bearer',
        });
      case 'public/get_time':
        return result(id, this.#clock.now());
      case 'private/subscribe': {
        const channels = params['channels'] as readonly string[];
        return result(id, this.#happens('withholdChannel') ? channels.slice(1) : channels);
      }
      default:
        return result(id, 'ok');
    }
  }

  #soon(then: () => void): void {
    const lateMs =
      this.#rng.next() < 0.8 ? 1 + this.#rng.next() * 20 : this.#rng.next() * LATE_MS_MAX;
    this.#clock.at(later(this.#clock.now(), Math.ceil(lateMs)), then);
  }

  #happens(what: keyof Chances): boolean {
    return this.#rng.next() < this.chances[what];
  }

  #breach(what: string): void {
    this.breaches.push(`${this.#clock.monotonicMs()}: ${what}`);
  }
}

const STAMPS = {
  usIn: 1_790_000_000_120_000,
  usOut: 1_790_000_000_126_000,
  usDiff: 6_000,
  testnet: true,
};
const result = (id: number, value: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: value, ...STAMPS });
const error = (id: number, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message }, ...STAMPS });

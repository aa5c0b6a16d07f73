// The gateway's own Deribit wire over a paper exchange, without its web framework: connections are handed over as the pair
// of a WebSocket and its socket, and HTTP requests as their parts. One of these is one life of the gateway's process.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { methodApi } from '../../../src/engine/api/method-api.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import { Authenticator } from '../../../src/gateway/auth/auth.ts';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { callDeribit } from '../../../src/gateway/deribit/call/call-deribit.ts';
import {
  arrival,
  deribitAnswer,
  readDeribitRequest,
} from '../../../src/gateway/deribit/call/deribit-envelope.ts';
import { MarketFamily } from '../../../src/gateway/deribit/channels/market-family.ts';
import { UserFamily } from '../../../src/gateway/deribit/channels/user-family.ts';
import { RequestCosts } from '../../../src/gateway/deribit/credits/request-costs.ts';
import { DERIBIT_METHODS } from '../../../src/gateway/deribit/deribit-method-table.ts';
import { claimed, httpLogin } from '../../../src/gateway/deribit/login/http-login.ts';
import { Logins } from '../../../src/gateway/deribit/login/logins.ts';
import { DeribitConnection } from '../../../src/gateway/deribit/session/deribit-connection.ts';
import { NotificationFrames } from '../../../src/gateway/deribit/session/notification-frames.ts';
import { Desks } from '../../../src/gateway/desks/desks.ts';
import { WorkLimits } from '../../../src/gateway/http/work-limits.ts';
import { FairTurns } from '../../../src/gateway/limits/fair-turns.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from '../../../src/gateway/limits/limits.ts';
import { LiveLimits } from '../../../src/gateway/limits/live-limits.ts';
import type { SocketEnd } from '../../../src/gateway/wire/gateway-counts-port.ts';
import { parseJson } from '../../../src/gateway/wire/json.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import { MemoryClaims } from '../../../src/virtual/memory/memory-claims.ts';
import { openVenue, ungated } from '../../support/engine/venue-records.ts';

export interface ServedWireParts {
  readonly venue: PaperVenue;
  readonly keys: readonly ApiKey[];
  /** The venue's own. */
  readonly clock: Clock;
  /** Unread bytes at which a client is too slow. */
  readonly unreadBytesMax: number;
  readonly report: (error: unknown) => void;
  /** It closes the connection of a client. */
  readonly dropped: (why: SocketEnd) => void;
}

/** A request over HTTP as it was sent. */
export interface HttpRequest {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const FROM = '192.0.2.1';
const CHECK_MS = 1_000;

export class ServedWire {
  readonly #parts: ServedWireParts;
  readonly #limits: GatewayLimits;
  readonly #orders: Desks;
  readonly #authenticator: Authenticator;
  readonly #logins: Logins;
  readonly #costs: RequestCosts;
  readonly #families;
  readonly #frames = new NotificationFrames();
  readonly #turns = new FairTurns({
    loop: { nowMs: () => 0, nextTurn: (work) => void setImmediate(work) },
  });
  readonly #connections = new Set<DeribitConnection>();
  readonly #checks = setInterval(() => {
    for (const connection of this.#connections) connection.check();
  }, CHECK_MS);
  readonly #now;
  #isOver = false;

  constructor(parts: ServedWireParts) {
    const { clock, keys, venue, unreadBytesMax } = parts;
    this.#parts = parts;
    this.#now = () => clock.now();
    this.#limits = {
      ...DEFAULT_LIMITS,
      rid: { ...DEFAULT_LIMITS.rid, bufferedBytesMax: unreadBytesMax, pausedBytes: unreadBytesMax },
    };
    const orders = operationsOf(venue, new Set(keys.flatMap(({ accounts }) => accounts)));
    this.#orders = new Desks(methodApi({ orders, clock, notReady: () => [] }));
    const claims = new MemoryClaims(this.#now);
    const store = { find: (id: string) => keys.find((one) => one.id === id) };
    const known = { keys: store, now: this.#now };
    this.#authenticator = new Authenticator({
      ...known,
      limits: { ...this.#limits, rates: new LiveLimits(this.#limits).rates },
      claimNonce: (nonce, until) => claims.claimOnce(nonce, until),
    });
    this.#logins = new Logins({
      ...known,
      authenticator: this.#authenticator,
      orders: this.#orders,
    });
    const { rememberedMax } = this.#limits.address;
    // What a request costs must not depend on the machine.
    const stopwatch = () => 0;
    const work = new WorkLimits({
      rules: this.#limits.work,
      rememberedMax,
      now: this.#now,
      stopwatch,
    });
    this.#costs = new RequestCosts({
      work,
      rememberedMax,
      authenticator: this.#authenticator,
      limits: this.#limits.deribit,
      now: this.#now,
    });
    const family = {
      orders: this.#orders,
      now: this.#now,
      limits: this.#limits.rid,
      report: this.#report,
    };
    this.#families = [new MarketFamily(family), new UserFamily(family)];
  }

  /** Takes a connection whose upgrade is complete. The returned function is called when it has closed. */
  accept(client: WebSocket, socket: Duplex): () => void {
    const connection = new DeribitConnection({
      ...this.#around(),
      client,
      socket,
      from: FROM,
      families: this.#families,
      frames: this.#frames,
      isPublic: false,
      accountRules: new Set(),
      turns: this.#turns,
      costs: this.#costs,
      limits: this.#limits.rid,
      report: this.#report,
      mayJoin: () => true,
      answered: () => undefined,
      dropped: this.#parts.dropped,
    });
    this.#connections.add(connection);
    return () => {
      this.#connections.delete(connection);
      connection.gone().catch(this.#report);
    };
  }

  async post({ path, body, headers }: HttpRequest): Promise<string> {
    const by = { from: FROM, via: undefined };
    const bytes = Buffer.from(body);
    const reading = readDeribitRequest(parseJson(bytes), path.replace(/^\/api\/v2\//, ''));
    const arrived = arrival(this.#now());
    if (reading.kind === 'faulty') return text(deribitAnswer(reading.id, reading.refusal, arrived));
    const { request } = reading;
    const sent = {
      rawHeaders: Object.entries(headers).flat(),
      method: 'POST',
      target: path,
      body: bytes,
    };
    const known = httpLogin(this.#logins, sent, by);
    if (known.kind === 'refused') return text(deribitAnswer(request.id, known, arrived));
    const login = known.kind === 'login' ? known.login : undefined;
    const { method } = request;
    const cost = this.#costs.begin({ known: DERIBIT_METHODS, method, login, from: FROM });
    const used =
      known.kind === 'login' && known.signature !== undefined
        ? await claimed(this.#authenticator, known.signature)
        : undefined;
    const call = { ...this.#around(), ...by, login, credits: this.#costs.rules };
    const answering = { logins: this.#logins, report: this.#report, take: cost.take };
    const reply = used ?? (await callDeribit(call, request, answering));
    return text(deribitAnswer(request.id, reply, arrived));
  }

  /** Its process ends; its connections are closed by the line. */
  stop(): void {
    this.#isOver = true;
    clearInterval(this.#checks);
    for (const family of this.#families) family.close();
  }

  readonly #report = (error: unknown): void => {
    if (!this.#isOver) this.#parts.report(error);
  };

  #around() {
    return {
      orders: this.#orders,
      logins: this.#logins,
      now: this.#now,
      version: 'simulated',
    };
  }
}

function operationsOf(venue: PaperVenue, own: ReadonlySet<AccountId>): OrderOperations {
  const desk = ungated(venue);
  return {
    forAccount: (account) => (own.has(account) ? desk : undefined),
    rfqsFor: (account) => (own.has(account) ? venue.rfqs : undefined),
    combosFor: (account) => (own.has(account) ? venue.combos : undefined),
    marginsFor: (account) => (own.has(account) ? venue.margins : undefined),
    accounts: () => [...own].map((account) => [account, venue.name]),
    venues: () => [openVenue(venue)],
  };
}

const text = (answer: ReturnType<typeof deribitAnswer>): string =>
  typeof answer === 'string' ? answer : answer.map(String).join('');

// Deribit's wire over WebSocket, at its own addresses and at that of HTTP. Clients log in by a method, not by the
// handshake. Connections without a login are bounded by address, those with one by key.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Lifetime } from '../../../lifetime/lifetime.ts';
import type { ActionLog } from '../../../ports/action-log.ts';
import type { Instant } from '../../../values/instant.ts';
import type { KeyStore } from '../../auth/key-store.ts';
import type { Desks } from '../../desks/desks.ts';
import type { Upgrade } from '../../http/upgrades.ts';
import type { AddressOf } from '../../limits/client-address.ts';
import type { FairTurns } from '../../limits/fair-turns.ts';
import type { RidLimits } from '../../limits/limits.ts';
import { refusalOf } from '../../order-api/from-rejection.ts';
import type { AccountRules } from '../../order-api/session/disconnect-rules.ts';
import { OpenConnections } from '../../order-api/session/open-connections.ts';
import { httpStatus } from '../../wire/envelope.ts';
import { RETRY_SEC } from '../../wire/fault-answer.ts';
import type { GatewayCounts } from '../../wire/gateway-counts-port.ts';
import type { ReportError } from '../../wire/http-faults.ts';
import { answerRawText } from '../../wire/raw-answer.ts';
import { arrival, deribitAnswer } from '../call/deribit-envelope.ts';
import type { ChannelFamily, OpenFamily } from '../channels/deribit-channel.ts';
import { MarketFamily } from '../channels/market-family.ts';
import { UserFamily } from '../channels/user-family.ts';
import type { RequestCosts } from '../credits/request-costs.ts';
import { DERIBIT_METHODS } from '../deribit-method-table.ts';
import type { Logins } from '../login/logins.ts';
import { DeribitConnection } from './deribit-connection.ts';
import { NotificationFrames } from './notification-frames.ts';

const DERIBIT_STREAM_PATH = '/ws/api/v2';
const PATHS = [DERIBIT_STREAM_PATH, '/api/v2'];
/** Of public methods only. */
const PUBLIC_PATH = '/den/ws';

export interface DeribitStreamOptions {
  readonly orders: Desks;
  readonly logins: Logins;
  readonly costs: RequestCosts;
  readonly actions?: ActionLog | undefined;
  readonly accountRules: AccountRules;
  readonly keys: KeyStore;
  readonly addressOf: AddressOf;
  readonly now: () => Instant;
  readonly version: string;
  readonly exchangeId?: string | undefined;
  readonly report: ReportError;
  readonly counts: GatewayCounts;
  readonly limits: RidLimits;
  readonly turns: FairTurns;
}

export class DeribitStream implements Lifetime {
  /** Handlers of upgrades by path. */
  readonly upgrades: Readonly<Record<string, Upgrade>>;
  readonly #parts: DeribitStreamOptions;
  readonly #connections: OpenConnections;
  readonly #families: readonly ChannelFamily[];
  readonly #frames = new NotificationFrames();

  constructor(parts: DeribitStreamOptions) {
    this.#parts = parts;
    this.#connections = new OpenConnections({ ...parts, path: DERIBIT_STREAM_PATH });
    this.#families = CHANNEL_FAMILIES.map((open) => open(parts));
    const at = (isPublic: boolean): Upgrade => {
      return (request, socket, head) => this.#upgrade({ request, socket, head }, isPublic);
    };
    this.upgrades = {
      ...Object.fromEntries(PATHS.map((path) => [path, at(false)])),
      [PUBLIC_PATH]: at(true),
    };
  }

  /** Closes the connections that a key has logged in on which is no longer in force. */
  recheckKeys(): void {
    this.#connections.recheckKeys();
  }

  start(): Promise<void> {
    return this.#connections.start();
  }

  /** Closes every connection, and waits until the orders of cancel-on-disconnect have been cancelled. */
  drain(): Promise<void> {
    return this.#connections.drain();
  }

  stop(): void {
    this.#connections.stop();
    for (const family of this.#families) family.close();
  }

  #upgrade(upgrading: Asked, isPublic: boolean): void {
    const { socket, request } = upgrading;
    socket.on('error', () => socket.destroy());
    const { addressOf, counts, now } = this.#parts;
    const from = addressOf(request);
    const rejection = this.#connections.faultOf(undefined, from);
    if (rejection !== undefined) {
      counts.refused(rejection.kind);
      const text = deribitAnswer(undefined, refusalOf(rejection), arrival(now()));
      const headers = { 'Retry-After': String(RETRY_SEC) };
      return answerRawText(socket, httpStatus(rejection.kind), String(text), headers);
    }
    this.#connections.accept(
      { ...upgrading, from },
      (accepted) =>
        new DeribitConnection({
          ...this.#parts,
          ...accepted,
          families: this.#families,
          frames: this.#frames,
          isPublic,
          mayJoin: (key) => this.#connections.mayJoin(key),
          answered: (method, code, elapsedMs) => {
            const route = DERIBIT_METHODS.has(method)
              ? `${DERIBIT_STREAM_PATH} ${method}`
              : undefined;
            counts.answered({ route, method: 'FRAME', code, elapsedMs });
          },
          dropped: (why) => counts.socketDropped(why),
        }),
    );
  }
}

interface Asked {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** The families of channels, in the order in which they are tried: the first one that knows a name opens it. */
const CHANNEL_FAMILIES: readonly OpenFamily[] = [
  (parts) => new MarketFamily(parts),
  (parts) => new UserFamily(parts),
];

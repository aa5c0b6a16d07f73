// Limits connections before authentication: how many each address, and all addresses together, may hold and
// open. When all places are taken, a connection without an authenticated key is dropped, from the address that
// holds most of those; unauthenticated clients therefore displace only each other.
import type { Server, Socket } from 'node:net';
import { reject } from '../../core/rejection.ts';
import type { Instant } from '../../values/instant.ts';
import { refusal } from '../wire/envelope.ts';
import { answerRaw } from '../wire/raw-answer.ts';
import { plainAddress } from './address-list.ts';
import { Buckets } from './buckets.ts';
import { clientNetwork, NO_ADDRESS } from './client-address.ts';
import type { GatewayLimits } from './limits.ts';

export interface ConnectionLimitsOptions {
  /** Whether the address is a trusted proxy, whose connections belong to many clients. */
  readonly isProxy: (address: string) => boolean;
  /** Whether a key has authenticated on this connection. */
  readonly isKnown: (socket: Socket) => boolean;
  /** Whether a key has recently authenticated from this network. */
  readonly isKnownNetwork: (network: string) => boolean;
  /** Whether what is sent before the handshake would be read as a part of it; a refusal then has no reason. */
  readonly isEncrypted: boolean;
  readonly now: () => Instant;
  readonly limits: Pick<GatewayLimits, 'address' | 'connectionsMax'>;
}

const RETRY_SEC = 1;
/** Extra places, occupied only until it is decided which connection is dropped. */
const DECIDING_MAX = 256;
const EVERYBODY = 'everybody';

export function limitConnections(server: Server, parts: ConnectionLimitsOptions): void {
  const connections = new Connections(parts);
  server.on('connection', (socket: Socket) => connections.admit(socket));
}

/** For Node's own connection limit, which always refuses the newest connection. */
export const serverConnectionsMax = ({ connectionsMax }: GatewayLimits): number =>
  connectionsMax + DECIDING_MAX;

class Connections {
  readonly #parts: ConnectionLimitsOptions;
  readonly #opened: Buckets;
  readonly #openedByAll = new Buckets(1);
  /** Oldest first. */
  readonly #ofNetworks = new Map<string, Set<Socket>>();
  #count = 0;

  constructor(parts: ConnectionLimitsOptions) {
    this.#parts = parts;
    this.#opened = new Buckets(parts.limits.address.rememberedMax);
  }

  admit(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? NO_ADDRESS);
    const { isProxy, limits } = this.#parts;
    this.#count += 1;
    socket.once('close', () => {
      this.#count -= 1;
    });
    if (isProxy(address)) return;
    const network = clientNetwork(address);
    if (!this.#mayOpen(network)) return end(socket);
    const own = this.#ofNetworks.get(network) ?? new Set();
    this.#ofNetworks.set(network, own.add(socket));
    socket.once('close', () => {
      own.delete(socket);
      if (own.size === 0 && this.#ofNetworks.get(network) === own) this.#ofNetworks.delete(network);
    });
    const { connectionsMax } = limits.address;
    if (own.size > connectionsMax)
      this.#refuse(socket, `accepted: ${connectionsMax} connections per address`);
    else if (this.#count > limits.connectionsMax) this.#giveWay(socket);
  }

  #mayOpen(network: string): boolean {
    const { now, limits, isKnownNetwork } = this.#parts;
    const { opening, openingOfAll } = limits.address;
    const nowMs = now();
    if (this.#opened.take(network, opening, nowMs) !== undefined) return false;
    const waitMs = this.#openedByAll.take(EVERYBODY, openingOfAll, nowMs);
    return waitMs === undefined || isKnownNetwork(network);
  }

  #giveWay(newest: Socket): void {
    const { connectionsMax } = this.#parts.limits;
    const victim = this.#victim();
    if (victim === undefined || victim === newest) {
      this.#refuse(newest, `accepted: ${connectionsMax} connections in all`);
    } else end(victim);
  }

  #refuse(socket: Socket, message: string): void {
    if (this.#parts.isEncrypted) end(socket);
    else refuse(socket, message);
  }

  /** The oldest connection without a key, from the network that holds most of those. */
  #victim(): Socket | undefined {
    let found: Socket | undefined;
    let most = 0;
    for (const sockets of this.#ofNetworks.values()) {
      if (sockets.size <= most) continue;
      const strangers = [...sockets].filter((one) => !one.destroyed && !this.#parts.isKnown(one));
      if (strangers.length > most) [most, found] = [strangers.length, strangers[0]];
    }
    return found;
  }
}

function end(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.destroy();
}

function refuse(socket: Socket, message: string): void {
  socket.on('error', () => socket.destroy());
  const body = refusal([reject('too_many_requests', '', message)]);
  answerRaw(socket, 429, body, { 'Retry-After': String(RETRY_SEC) });
}

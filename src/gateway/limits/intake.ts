// Admission of HTTP requests before anything of them is read: requests of each connection take turns, a limited
// number is in flight at a time, and none is admitted while the server is closing. Authenticated clients have
// reserved places, and some more for cancels.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reject } from '../../core/rejection.ts';
import { Refused } from '../wire/faults.ts';
import type { GatewayCounts } from '../wire/gateway-counts-port.ts';
import { clientNetwork } from './client-address.ts';
import type { FairTurns, Lane } from './fair-turns.ts';
import type { GatewayLimits } from './limits.ts';

export interface Intake {
  readonly stop: () => void;
  readonly isStopped: () => boolean;
}

export interface IntakeOptions {
  readonly limits: Pick<GatewayLimits, 'inFlightMax'>;
  readonly counts: GatewayCounts;
  readonly turns: FairTurns;
  /** Whether a path is refused while too many requests are in flight or the server is closing. */
  readonly isWork: (url: string) => boolean;
  readonly isKnown: (socket: Socket) => boolean;
  readonly isKnownNetwork: (network: string) => boolean;
}

const BUSY_RETRY_SEC = 1;
/** Most requests of one connection that may wait for their turn; no legitimate client pipelines more. */
const WAITING_MAX = 512;
/** Additional places that only cancels of authenticated clients may take. */
const CANCELS_MORE = 100;
/** The share of all places that unauthenticated clients may take, in all and per network. */
const OF_STRANGERS = 1 / 2;
const OF_ONE_NETWORK = 1 / 6;
const CANCEL_LANES: ReadonlySet<string | undefined> = new Set(['cancel', 'order_cancel']);

/** Must be the first hook after the one that sets the client's address. */
export function limitIntake(app: FastifyInstance, parts: IntakeOptions): Intake {
  const { counts, isWork } = parts;
  const places = new Places(parts);
  let stopped = false;
  takeTurns(app, parts);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('cache-control', 'no-store');
    counts.began();
    const { isFull, leave } = places.take(request);
    reply.raw.on('close', () => {
      leave();
      counts.ended();
    });
    if (isWork(request.url) && (stopped || isFull)) {
      const message = stopped ? 'shutting down' : 'too many requests at work';
      done(new Refused([reject('unavailable', '', `${message}; try again`)], BUSY_RETRY_SEC));
    } else done();
  });
  return {
    stop: () => {
      stopped = true;
    },
    isStopped: () => stopped,
  };
}

function takeTurns(app: FastifyInstance, { turns, isKnown }: IntakeOptions): void {
  const lanes = new WeakMap<Socket, Lane>();
  const laneOf = (socket: Socket): Lane => {
    const known = lanes.get(socket);
    if (known !== undefined) return known;
    const lane = turns.lane({ isKnown: () => isKnown(socket), canWork: () => true });
    lanes.set(socket, lane);
    return lane;
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw;
    const lane = laneOf(socket);
    if (lane.waiting >= WAITING_MAX) socket.destroy();
    else lane.push(() => done());
  });
}

interface Place {
  readonly isFull: boolean;
  readonly leave: () => void;
}

class Places {
  readonly #parts: IntakeOptions;
  readonly #ofNetworks = new Map<string, number>();
  #known = 0;
  #strangers = 0;

  constructor(parts: IntakeOptions) {
    this.#parts = parts;
  }

  take(request: FastifyRequest): Place {
    const network = clientNetwork(request.from);
    const { isKnown, isKnownNetwork, limits } = this.#parts;
    if (isKnown(request.raw.socket) || isKnownNetwork(network)) {
      this.#known += 1;
      const isCancel = CANCEL_LANES.has(request.routeOptions.config.lane);
      const most = limits.inFlightMax + (isCancel ? CANCELS_MORE : 0);
      const leave = (): void => {
        this.#known -= 1;
      };
      return { isFull: this.#known + this.#strangers > most, leave };
    }
    return this.#stranger(network);
  }

  #stranger(network: string): Place {
    const { inFlightMax } = this.#parts.limits;
    const own = (this.#ofNetworks.get(network) ?? 0) + 1;
    this.#ofNetworks.set(network, own);
    this.#strangers += 1;
    const leave = (): void => {
      this.#strangers -= 1;
      const left = (this.#ofNetworks.get(network) ?? 0) - 1;
      if (left > 0) this.#ofNetworks.set(network, left);
      else this.#ofNetworks.delete(network);
    };
    const isFull =
      this.#known + this.#strangers > inFlightMax ||
      this.#strangers > Math.ceil(inFlightMax * OF_STRANGERS) ||
      own > Math.ceil(inFlightMax * OF_ONE_NETWORK);
    return { isFull, leave };
  }
}

// Admission of HTTP requests before anything of them is read: requests of each connection take turns, a limited
// number is in flight at a time, and none is admitted while the server is closing. Authenticated clients have
// reserved places, and some more for cancels. A request is in flight until its response is closed and its handler has
// ended: a client that drops its connections does not make room for more handlers.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reject } from '../../core/rejection.ts';
import { Refused } from '../wire/faults.ts';
import type { GatewayCounts } from '../wire/gateway-counts-port.ts';
import { clientNetwork } from './client-address.ts';
import type { FairTurns, Lane } from './fair-turns.ts';
import type { GatewayLimits } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Its place among the requests in flight; set before anything else. */
    place: Place | null;
  }
}

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
  /** Such paths are refused until its accounts and instruments are known. */
  readonly orders: { readonly isReady: boolean };
  readonly isKnown: (socket: Socket) => boolean;
  readonly isKnownNetwork: (network: string) => boolean;
}

const BUSY_RETRY_SEC = 1;
/** Why a gateway that has only just started refuses what needs an engine. */
export const ENGINE_AWAITED = 'waiting for an engine';
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
  const { counts, isWork, orders } = parts;
  const places = new Places(parts);
  let stopped = false;
  takeTurns(app, parts);
  app.decorateRequest('place', null);
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
    counts.began();
    const place = places.of(request);
    request.place = place;
    const isFull = place.take();
    reply.raw.on('close', () => {
      place.release();
      counts.ended();
    });
    if (isWork(request.url) && (stopped || isFull || !orders.isReady)) {
      const full = isFull ? 'too many requests at work' : ENGINE_AWAITED;
      const message = stopped ? 'shutting down' : full;
      done(new Refused([reject('unavailable', '', `${message}; try again`)], BUSY_RETRY_SEC));
    } else done();
  });
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function keepingPlace(request, reply) {
      const made = handler.call(this, request, reply) as unknown;
      if (made instanceof Promise) keepPlace(request, made);
      return made;
    };
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

/** Keeps the place of a request until `work` of its handler has ended, though the client may be gone before. */
export function keepPlace(request: FastifyRequest, work: Promise<unknown>): void {
  const { place } = request;
  if (place === null) return;
  const release = (): void => place.release();
  place.take();
  // Unexamined: the route answers with the work, and so with its error.
  work.then(release, release);
}

/** One request's place: occupied while anything holds it. */
class Place {
  readonly #places: Places;
  readonly #isCancel: boolean;
  /** Of clients that are not authenticated. */
  readonly #network: string | undefined;
  #holders = 0;

  constructor(places: Places, isCancel: boolean, network: string | undefined) {
    this.#places = places;
    this.#isCancel = isCancel;
    this.#network = network;
  }

  /** Returns whether more requests are in flight than may be. */
  take(): boolean {
    this.#holders += 1;
    if (this.#holders === 1) this.#places.count(this.#network, 1);
    return this.#places.isOver(this.#network, this.#isCancel);
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#places.count(this.#network, -1);
  }
}

class Places {
  readonly #parts: IntakeOptions;
  readonly #ofNetworks = new Map<string, number>();
  #known = 0;
  #strangers = 0;

  constructor(parts: IntakeOptions) {
    this.#parts = parts;
  }

  of(request: FastifyRequest): Place {
    const network = clientNetwork(request.from);
    const { isKnown, isKnownNetwork } = this.#parts;
    const isCancel = CANCEL_LANES.has(request.routeOptions.config.lane);
    const isOfClient = isKnown(request.raw.socket) || isKnownNetwork(network);
    return new Place(this, isCancel, isOfClient ? undefined : network);
  }

  count(network: string | undefined, more: 1 | -1): void {
    if (network === undefined) {
      this.#known += more;
      return;
    }
    this.#strangers += more;
    const own = (this.#ofNetworks.get(network) ?? 0) + more;
    if (own > 0) this.#ofNetworks.set(network, own);
    else this.#ofNetworks.delete(network);
  }

  isOver(network: string | undefined, isCancel: boolean): boolean {
    const { inFlightMax } = this.#parts.limits;
    const all = this.#known + this.#strangers;
    if (network === undefined) return all > inFlightMax + (isCancel ? CANCELS_MORE : 0);
    return (
      all > inFlightMax ||
      this.#strangers > Math.ceil(inFlightMax * OF_STRANGERS) ||
      (this.#ofNetworks.get(network) ?? 0) > Math.ceil(inFlightMax * OF_ONE_NETWORK)
    );
  }
}

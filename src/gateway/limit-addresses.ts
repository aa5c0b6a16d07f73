// What one address may do before anybody knows who is there: connections it holds, and requests to what
// needs no key.
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { reject } from '../core/rejection.ts';
import type { Instant } from '../values/instant.ts';
import { plainAddress } from './address-list.ts';
import { Buckets } from './buckets.ts';
import { type AddressOf, clientNetwork, NO_ADDRESS } from './client-address.ts';
import { refusal } from './envelope.ts';
import { Refused } from './faults.ts';
import type { AddressLimits } from './limits.ts';
import type { PeerTakes } from './peer-takes.ts';
import { answerRaw } from './raw-answer.ts';

export interface AddressParts {
  readonly addressOf: AddressOf;
  /** A proxy's connections are those of many. */
  readonly isProxy: (address: string) => boolean;
  readonly now: () => Instant;
  readonly limits: AddressLimits;
  /** Whether a path is behind signatures, which count by themselves. */
  readonly isSigned: (path: string) => boolean;
  /** Requests at other gateways count too; absent: there are none. */
  readonly takes?: PeerTakes | undefined;
}

const RETRY_SEC = 1;
/** How long a refused connection may take to read why. */
const LINGER_MS = 1_000;

export function limitAddresses(app: FastifyInstance, parts: AddressParts): void {
  limitConnections(app, parts);
  const { addressOf, now, limits, isSigned } = parts;
  const buckets = new Buckets(limits.rememberedMax);
  parts.takes?.share('open', { buckets, ruleOf: () => limits.open });
  app.decorateRequest('from', NO_ADDRESS);
  app.addHook('onRequest', (request, _reply, done) => {
    request.from = addressOf(request.raw);
    if (isSigned(request.url)) return done();
    const waitMs = buckets.take(clientNetwork(request.from), limits.open, now());
    if (waitMs === undefined) return done();
    const message = 'too many requests from this address; slow down';
    done(new Refused([reject('too_many_requests', '', message)], Math.ceil(waitMs / 1_000)));
  });
}

function limitConnections(app: FastifyInstance, { isProxy, limits }: AddressParts): void {
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? NO_ADDRESS);
    if (isProxy(address)) return;
    const network = clientNetwork(address);
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 0) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
    if (count > limits.connectionsMax) refuse(socket, limits.connectionsMax);
  });
}

function refuse(socket: Socket, connectionsMax: number): void {
  socket.on('error', () => socket.destroy());
  const message = `accepted: ${connectionsMax} connections per address`;
  const body = refusal([reject('too_many_requests', '', message)]);
  answerRaw(socket, 429, body, { 'Retry-After': String(RETRY_SEC) });
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

// Rate-limits requests that need no key, by address.
import type { FastifyInstance } from 'fastify';
import { reject } from '../../core/rejection.ts';
import type { Instant } from '../../values/instant.ts';
import { Refused } from '../wire/faults.ts';
import { plainAddress } from './address-list.ts';
import { Buckets } from './buckets.ts';
import { type AddressOf, clientNetwork, NO_ADDRESS } from './client-address.ts';
import type { AddressLimits } from './limits.ts';
import type { PeerTakes } from './pooled-rate-limits.ts';

export interface AddressOptions {
  readonly addressOf: AddressOf;
  /** Whether the address is a trusted proxy, whose connections belong to many clients. */
  readonly isProxy: (address: string) => boolean;
  readonly now: () => Instant;
  readonly limits: AddressLimits;
  /** Shares counts with other gateways; absent: this is the only one. */
  readonly takes?: PeerTakes | undefined;
}

export function limitAddresses(app: FastifyInstance, parts: AddressOptions): void {
  const { addressOf, isProxy, now, limits } = parts;
  const buckets = new Buckets(limits.rememberedMax);
  parts.takes?.share('open', { buckets, ruleOf: () => limits.open });
  app.decorateRequest('from', NO_ADDRESS);
  app.decorateRequest('via', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    const { socket } = request.raw;
    request.from = addressOf(request.raw);
    request.via = isProxy(plainAddress(socket.remoteAddress ?? NO_ADDRESS)) ? undefined : socket;
    // Signed routes and public methods have limits of their own; everything else counts here, unknown addresses
    // included.
    const { lane, isCounted } = request.routeOptions.config;
    if (lane !== undefined || isCounted === true) return done();
    const waitMs = buckets.take(clientNetwork(request.from), limits.open, now());
    if (waitMs === undefined) return done();
    const message = 'too many requests from this address; slow down';
    done(new Refused([reject('too_many_requests', '', message)], Math.ceil(waitMs / 1_000)));
  });
}

// What every signed request passes, in order: credentials, scope, body. Keys whose signature covers the
// body are checked when it has arrived, all others before it is read.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reject } from '../core/rejection.ts';
import type { Authenticator } from './auth.ts';
import { fromHeaders, type Presented } from './credentials.ts';
import { Refused } from './faults.ts';
import { MalformedJson, parseJson } from './json.ts';
import { acceptedScopes, type KeyNeed, satisfies } from './key-needs.ts';
import { type ApiKey, owns } from './key-store.ts';
import type { Lane, RidLane } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set before any handler of a signed route runs. */
    apiKey: ApiKey | null;
    /** Credentials that wait for the body. */
    unverified: Presented | null;
    /** The address the request comes from; empty before it is known. */
    from: string;
  }
  interface FastifyContextConfig {
    lane?: Lane | RidLane;
    needs?: KeyNeed;
  }
}

const NO_BODY = Buffer.alloc(0);

export function guardRequests(scope: FastifyInstance, authenticator: Authenticator): void {
  for (const name of ['apiKey', 'unverified'] as const) {
    if (!scope.hasRequestDecorator(name)) scope.decorateRequest(name, null);
  }
  scope.addHook('onRequest', async (request) => {
    const presented = fromHeaders(request.raw.headersDistinct);
    const isEarly = presented.kind === 'refused' || !authenticator.needsBody(presented.credentials);
    if (isEarly) await admit(request, authenticator, presented);
    else request.unverified = presented;
  });
  scope.addHook('preValidation', async (request) => {
    if (request.unverified !== null) await admit(request, authenticator, request.unverified);
    if (request.method === 'POST') request.body = parseJson(bodyBytes(request));
  });
}

/** The key that asks. */
export function keyOf(request: FastifyRequest): ApiKey {
  if (request.apiKey !== null) return request.apiKey;
  throw new Refused([reject('signature', '', 'this address needs a signed request')]);
}

/** Ends the request unless the account is one of the key's. */
export function requireAccount(key: ApiKey, account: string, field: string): void {
  if (owns(key, account)) return;
  const message = 'is not an account of this key; accepted: one of its own';
  throw new Refused([reject('forbidden', field, message)]);
}

async function admit(
  request: FastifyRequest,
  authenticator: Authenticator,
  presented: Presented,
): Promise<void> {
  const { lane = 'read', needs = 'trade' } = request.routeOptions.config;
  const bound = {
    method: request.method,
    target: request.raw.url ?? '',
    body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
  };
  const verdict = await authenticator.verify(presented, { lane, bound, from: request.from });
  if (verdict.kind === 'refused') throw new Refused([verdict.rejection], verdict.retryAfterSec);
  if (!satisfies(verdict.key, needs)) {
    const accepted = acceptedScopes(needs);
    throw new Refused([reject('forbidden', '', `this key lacks the scope; accepted: ${accepted}`)]);
  }
  request.apiKey = verdict.key;
}

function bodyBytes(request: FastifyRequest): Buffer {
  if (Buffer.isBuffer(request.body)) return request.body;
  throw new MalformedJson('is missing; accepted: one JSON object');
}

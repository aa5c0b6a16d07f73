// The checks of every signed request, in order: form of the credentials, receipt of the body, credentials,
// scope, content of the body. The signature of some keys covers the body; every key is checked only after the
// body has been received, so that response times do not reveal which keys exist.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { reject } from '../../core/rejection.ts';
import type { Authenticator, Verdict } from '../auth/auth.ts';
import { fromHeaders, type Presented } from '../auth/credentials.ts';
import type { KeyNeed } from '../auth/key-needs.ts';
import type { ApiKey } from '../auth/key-store.ts';
import { admitted } from '../auth/require-account.ts';
import type { FairTurns } from '../limits/fair-turns.ts';
import type { Lane, RidLane } from '../limits/limits.ts';
import { Refused } from '../wire/faults.ts';
import { MalformedJson, parseJson } from '../wire/json.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated key; set before any handler of a signed route runs. */
    apiKey: ApiKey | null;
    /** Credentials to be checked once the body has been received. */
    unverified: Presented | null;
    /** The client's address; empty before it is known. */
    from: string;
    /** The connection; absent where a proxy shares it between clients. */
    via: object | undefined;
  }
  interface FastifyContextConfig {
    lane?: Lane | RidLane;
    needs?: KeyNeed;
    /** The route needs no key and takes its rate-limit token itself. */
    isCounted?: boolean;
    /** A GET of the route may change something. */
    changesByGet?: boolean;
  }
}

const NO_BODY = Buffer.alloc(0);

export interface Verifying {
  readonly authenticator: Authenticator;
  /** Bodies arrive in any number at a time; a few are verified in each turn. */
  readonly turns: FairTurns;
}

/** Installs the checks. */
export function verifySignedRequests(
  scope: FastifyInstance,
  { authenticator, turns }: Verifying,
): void {
  const lane = turns.received();
  for (const name of ['apiKey', 'unverified'] as const) {
    if (!scope.hasRequestDecorator(name)) scope.decorateRequest(name, null);
  }
  scope.addHook('onRequest', (request, _reply, done) => {
    const presented = fromHeaders(request.raw.rawHeaders, request.raw.url);
    if (presented.kind === 'refused') {
      return lane.push(() => admit(request, { authenticator, presented, done }));
    }
    request.unverified = presented;
    done();
  });
  scope.addHook('preValidation', (request, _reply, done) => {
    const presented = request.unverified;
    if (presented === null) return parsed(request, done);
    const read: Done = (error) => (error === undefined ? parsed(request, done) : done(error));
    lane.push(() => admit(request, { authenticator, presented, done: read }));
  });
}

/** The authenticated key of a signed request. */
export function keyOf(request: FastifyRequest): ApiKey {
  if (request.apiKey !== null) return request.apiKey;
  throw new Refused([reject('signature', '', 'this address needs a signed request')]);
}

type Done = (error?: Error) => void;

interface Admitting {
  readonly authenticator: Authenticator;
  readonly presented: Presented;
  readonly done: Done;
}

function admit(request: FastifyRequest, { authenticator, presented, done }: Admitting): void {
  const { lane = 'read', needs = 'trade' } = request.routeOptions.config;
  const bound = {
    method: request.method,
    target: request.raw.url ?? '',
    body: Buffer.isBuffer(request.body) ? request.body : NO_BODY,
  };
  const decided = (verdict: Verdict): void => {
    try {
      request.apiKey = admitted(verdict, needs);
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
  let verdict: Verdict | Promise<Verdict>;
  try {
    const { from, via } = request;
    verdict = authenticator.verify(presented, { lane, bound, from, via });
  } catch (error) {
    return done(error as Error);
  }
  if (verdict instanceof Promise) verdict.then(decided, done);
  else decided(verdict);
}

function parsed(request: FastifyRequest, done: Done): void {
  let faulty: Error | undefined;
  try {
    parseBody(request);
  } catch (error) {
    faulty = error as Error;
  }
  done(faulty);
}

/** Replaces the bytes of a POST by the JSON they contain. */
export function parseBody(request: FastifyRequest): void {
  if (request.method === 'POST') request.body = parseJson(bodyBytes(request));
}

function bodyBytes(request: FastifyRequest): Buffer {
  if (Buffer.isBuffer(request.body)) return request.body;
  throw new MalformedJson('is missing; accepted: one JSON object');
}

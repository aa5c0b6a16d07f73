// Records every change of a portfolio and its outcome with the key that made it; the ledger's events name only
// the user.

import type { FastifyInstance, FastifyRequest, preSerializationHookHandler } from 'fastify';
import type { ActionLog } from '../../ports/action-log.ts';
import { accountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { cutText } from '../../values/text/text-length.ts';
import { isChange } from '../auth/key-needs.ts';
import type { Envelope } from '../wire/envelope.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that a change affects, where the body need not name it. */
    actedFor: string;
  }
}

export interface AuditTrailOptions {
  readonly actions?: ActionLog | undefined;
  readonly now: () => Instant;
}

/**
 * Records the requests of those routes of `scope` that need more than read access. `group`: what the operations are recorded
 * as part of, `portfolios` for example; absent: the last part of the path that they are below.
 */
export function writeAuditTrail(
  scope: FastifyInstance,
  { actions, now }: AuditTrailOptions,
  group?: string,
): void {
  scope.decorateRequest('actedFor', '');
  if (actions === undefined) return;
  scope.addHook('onRoute', (route) => {
    const { needs } = route.config ?? {};
    if (needs !== undefined && !isChange(needs)) return;
    const [below = '', name = ''] = route.url.split('/').slice(-2);
    route.preSerialization = noting({ actions, now }, `${group ?? below}/${name}`);
  });
}

function noting(
  { actions, now }: AuditTrailOptions & { readonly actions: ActionLog },
  method: string,
): preSerializationHookHandler {
  return (request, _reply, payload, done) => {
    const key = request.apiKey;
    if (key === null) return done(null, payload);
    const { code, value } = payload as Envelope<Named | null>;
    const body = bodyOf(request);
    if (body.isPreview === true) return done(null, payload);
    void actions.record({
      at: now(),
      keyId: key.id,
      uid: key.uid,
      nickname: key.nickname,
      address: request.from,
      account: accountId(idText(body.accountId ?? body.account) ?? request.actedFor),
      method,
      orderId: idText(value?.portfolioId ?? body.portfolioId),
      outcome: code === 0 ? 'done' : `refused ${code}`,
    });
    done(null, payload);
  };
}

interface Named {
  readonly portfolioId?: unknown;
}

/** The body as parsed by its schema; if it was refused, as received. */
const bodyOf = ({ body }: FastifyRequest) =>
  (typeof body === 'object' && body !== null ? body : {}) as Named & {
    readonly accountId?: unknown;
    readonly isPreview?: unknown;
    readonly account?: unknown;
  };

/** Limits the length, since a refused id may be arbitrarily long. */
const ID_LENGTH_MAX = 64;

const idText = (id: unknown): string | undefined =>
  typeof id === 'string' || typeof id === 'number' ? cutText(String(id), ID_LENGTH_MAX) : undefined;

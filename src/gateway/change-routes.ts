// Changes of a portfolio at work over REST: pause and resume.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Operations } from '../engine/operations.ts';
import { holdBodySchema } from './change-schema.ts';
import { success } from './envelope.ts';
import { keyOf, requireAccount } from './request-gate.ts';
import { actor, envelopeOf, granted, ownPortfolio } from './rest-answers.ts';

interface ChangeRoutes {
  readonly operations: Operations;
}

export function serveChanges(scope: FastifyInstance, routes: ChangeRoutes): void {
  const summary = 'Pause a portfolio: its orders are taken back, its time goes on';
  serveHold(scope, routes, { name: 'pause', summary });
  serveHold(scope, routes, { name: 'resume', summary: 'Let a paused portfolio go on' });
}

interface HoldRoute {
  readonly name: 'pause' | 'resume';
  readonly summary: string;
}

/** In the lane of cancels, so that reading or submitting much never holds them up. */
function serveHold(
  scope: FastifyInstance,
  { operations }: ChangeRoutes,
  { name, summary }: HoldRoute,
): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    `/${name}`,
    {
      config: { lane: 'cancel', needs: 'trade' },
      schema: { summary, body: holdBodySchema, response: envelopeOf(z.null()) },
    },
    async (request) => {
      const key = keyOf(request);
      const { portfolioId, accountId } = request.body;
      if (accountId !== undefined) requireAccount(key, accountId, 'accountId');
      request.actedFor = (await ownPortfolio(operations, key, portfolioId)).account;
      return success(granted(await operations[name](portfolioId, actor(key), accountId)));
    },
  );
}

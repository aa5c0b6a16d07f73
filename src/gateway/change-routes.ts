// Changes of a portfolio at work over REST: pause, resume, amend.
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Operations } from '../engine/operations.ts';
import { amendBodySchema, amendedRecord, amendedRecordSchema } from './amend-schema.ts';
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
  serveAmend(scope, routes);
}

function serveAmend(scope: FastifyInstance, { operations }: ChangeRoutes): void {
  scope.withTypeProvider<ZodTypeProvider>().post(
    '/amend',
    {
      config: { lane: 'submit', needs: 'trade' },
      schema: {
        summary: 'Amend a portfolio, or show what it would become',
        body: amendBodySchema,
        response: envelopeOf(amendedRecordSchema),
      },
    },
    async (request) => {
      const key = keyOf(request);
      const { portfolioId: portfolio, accountId: account, form, isPreview } = request.body;
      if (account !== undefined) requireAccount(key, account, 'accountId');
      request.actedFor = (await ownPortfolio(operations, key, portfolio)).account;
      const asked = { portfolio, account, form, isPreview, by: actor(key) };
      return success(amendedRecord(granted(await operations.amend(asked))));
    },
  );
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

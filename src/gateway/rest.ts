// The portfolio operations over REST. A handler checks whose account it is, asks the engine, and shows
// the answer; everything else has happened before.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { PortfolioForm } from '../core/portfolio/form.ts';
import type { Actor } from '../core/portfolio/spec.ts';
import { reject } from '../core/rejection.ts';
import type { Operations, Outcome, Submitted } from '../engine/operations.ts';
import { type AnswerOnce, IDEMPOTENCY_KEY } from './answer-once.ts';
import { cancelAllBodySchema, cancelBodySchema, infoQuerySchema } from './cancel-schema.ts';
import { serveChanges } from './change-routes.ts';
import { JSON_TYPE, success, successText } from './envelope.ts';
import { Refused } from './faults.ts';
import { acceptedScopes, satisfies } from './key-needs.ts';
import type { ApiKey } from './key-store.ts';
import { type PageRequest, pageQuerySchema } from './page-schema.ts';
import { type PlanRecord, planRecordSchema, planText } from './plan-view.ts';
import { portfolioRecordSchema } from './record-schema.ts';
import { keyOf, requireAccount } from './request-gate.ts';
import { actor, envelopeOf, granted, ownPortfolio } from './rest-answers.ts';
import { portfolioBodySchema } from './schema.ts';
import { type AccountDirectory, portfolioRecord } from './views.ts';

export const PORTFOLIO_PATH = '/tt/broker/openapi/portfolios';

export interface PortfolioRoutes {
  readonly operations: Operations;
  readonly accounts: AccountDirectory;
  readonly once?: AnswerOnce | undefined;
}

const submittedSchema = z.object({
  portfolioId: z.int().describe('Id for info, cancel and news'),
  mirrorPortfolioIds: z
    .array(z.int())
    .describe('Ids of the mirrors in the dummy accounts, in their order')
    .optional(),
});

const pageSchema = z.object({
  pageCount: z.int().describe('Pages at this page size'),
  totalCount: z.int().describe('Portfolios that match'),
  values: z.array(portfolioRecordSchema),
});

export function servePortfolios(scope: FastifyInstance, routes: PortfolioRoutes): void {
  serveSubmit(scope, routes);
  serveReads(scope, routes);
  serveCancels(scope, routes);
  serveChanges(scope, routes);
}

function serveSubmit(scope: FastifyInstance, routes: PortfolioRoutes): void {
  const { operations } = routes;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/submit',
    {
      config: { lane: 'submit', needs: 'trade' },
      schema: {
        summary: 'Submit a portfolio',
        body: portfolioBodySchema,
        response: envelopeOf(submittedSchema),
      },
    },
    async (request, reply) => {
      const key = keyOf(request);
      requireAccounts(key, request.body);
      requireRfqScope(key, request.body);
      const once = idempotencyKey(request, key);
      const { outcome, isRepeated } = await submitted(routes, request.body, actor(key), once);
      const created = granted(outcome);
      if (isRepeated) void reply.header('idempotent-replayed', 'true');
      const mirrorPortfolioIds = created.mirrors.map(Number);
      return success({
        portfolioId: Number(created.portfolio),
        ...(mirrorPortfolioIds.length > 0 ? { mirrorPortfolioIds } : {}),
      });
    },
  );
  app.post(
    '/plan',
    {
      config: { lane: 'read', needs: 'read' },
      schema: {
        summary: 'Show what submit would do',
        body: portfolioBodySchema,
        response: envelopeOf(planRecordSchema),
      },
    },
    async (request, reply) => {
      const key = keyOf(request);
      requireAccounts(key, request.body);
      const plan = granted(await operations.plan(request.body, actor(key)));
      const written = successText(planText(plan));
      return reply
        .type(JSON_TYPE)
        .send(written as unknown as ReturnType<typeof success<PlanRecord>>);
    },
  );
}

/** A portfolio that may end in a Block RFQ is an RFQ too: what a key may not do itself, its portfolios may not. */
function requireRfqScope(key: ApiKey, { execution }: PortfolioForm): void {
  if (execution.endAction !== 'rfq' || satisfies(key, 'rfq')) return;
  const message = `rfq: this key lacks the scope; accepted: ${acceptedScopes('rfq')}`;
  throw new Refused([reject('forbidden', 'execution.endAction', message)]);
}

function serveReads(scope: FastifyInstance, routes: PortfolioRoutes): void {
  const { operations, accounts } = routes;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/info',
    {
      config: { lane: 'read', needs: 'read' },
      schema: {
        summary: 'Show one portfolio',
        querystring: infoQuerySchema,
        response: envelopeOf(portfolioRecordSchema),
      },
    },
    async (request) => {
      const { portfolioId } = request.query;
      const summary = await ownPortfolio(operations, keyOf(request), portfolioId);
      return success(portfolioRecord(summary, accounts));
    },
  );
  app.get(
    '/page',
    {
      config: { lane: 'read', needs: 'read' },
      schema: {
        summary: 'List portfolios page by page',
        querystring: pageQuerySchema,
        response: envelopeOf(pageSchema),
      },
    },
    async (request) => {
      requireAccount(keyOf(request), request.query.account, 'accountId');
      return success(await pageOf(routes, request.query));
    },
  );
}

function serveCancels(scope: FastifyInstance, { operations }: PortfolioRoutes): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/cancel',
    {
      config: { lane: 'cancel', needs: 'trade' },
      schema: {
        summary: 'Cancel one portfolio',
        body: cancelBodySchema,
        response: envelopeOf(z.null()),
      },
    },
    async (request) => {
      const key = keyOf(request);
      const { portfolioId, accountId } = request.body;
      if (accountId !== undefined) requireAccount(key, accountId, 'accountId');
      request.actedFor = (await ownPortfolio(operations, key, portfolioId)).account;
      return success(granted(await operations.cancel(portfolioId, actor(key), accountId)));
    },
  );
  app.post(
    '/cancel-all',
    {
      config: { lane: 'cancel', needs: 'trade' },
      schema: {
        summary: 'Cancel the active portfolios of an account',
        body: cancelAllBodySchema,
        response: envelopeOf(z.null()),
      },
    },
    async (request) => {
      const key = keyOf(request);
      const { account, filter } = request.body;
      requireAccount(key, account, 'accountId');
      if (filter !== undefined) granted(await operations.cancelAll(filter, actor(key)));
      return success(null);
    },
  );
}

async function pageOf({ operations, accounts }: PortfolioRoutes, asked: PageRequest) {
  const empty = { total: 0, rows: [] };
  const { total, rows } = asked.query === undefined ? empty : await operations.page(asked.query);
  return {
    pageCount: Math.ceil(total / asked.pageSize),
    totalCount: total,
    values: rows.map((row) => portfolioRecord(row, accounts)),
  };
}

function requireAccounts(key: ApiKey, form: PortfolioForm): void {
  requireAccount(key, form.accountId, 'accountId');
  for (const [index, account] of form.dummyAccounts.entries()) {
    requireAccount(key, account, `sendToDummyAccountIds[${index}]`);
  }
}

interface SubmitAnswer {
  readonly outcome: Outcome<Submitted>;
  readonly isRepeated: boolean;
}

/** With a key: once, and the answer to the first for ever after. */
async function submitted(
  { operations, once }: PortfolioRoutes,
  form: PortfolioForm,
  by: Actor,
  key: string | undefined,
): Promise<SubmitAnswer> {
  const act = () => operations.submit(form, by, key);
  const isDone = ({ kind }: Outcome<Submitted>): boolean => kind === 'done';
  if (key === undefined || once === undefined) return ledgersWord(await act());
  const asked = await once.run({ key, body: form, act, isDone });
  switch (asked.kind) {
    case 'answered':
      return asked.isRepeated
        ? { outcome: asked.answer, isRepeated: true }
        : ledgersWord(asked.answer);
    case 'unanswered':
      return ledgersWord(await act());
    case 'other': {
      const message = 'was used with another body; accepted: a key of its own for each submit';
      throw new Refused([reject('key_reused', 'Idempotency-Key', message)]);
    }
  }
}

/** The ledger knows a key for ever: it may have been used in a time nothing else remembers. */
const ledgersWord = (outcome: Outcome<Submitted>): SubmitAnswer => ({
  outcome,
  isRepeated: outcome.kind === 'done' && !outcome.value.created,
});

/** Keys of different API keys never meet. */
function idempotencyKey(request: FastifyRequest, key: ApiKey): string | undefined {
  const given = request.raw.headersDistinct['idempotency-key'];
  if (given === undefined) return undefined;
  const [value = ''] = given;
  if (given.length === 1 && IDEMPOTENCY_KEY.test(value)) return `api:${key.id}:${value}`;
  const message = 'is not usable; accepted: once, 1 to 64 visible characters';
  throw new Refused([reject('invalid_parameter', 'Idempotency-Key', message)]);
}
